/** The summary of each plan next to its log, so that listing reads one row per plan and folds only after a crash. */
import { createFold, type Fold, isHeadwayError, type Problem } from "../../plan/index.ts"
import { type PlanFilter, type PlanKey, type PlanSummary, type Snapshot, selectPlans, summarise } from "../store.ts"
import type { Database } from "./database.ts"
import { escaped } from "./keys.ts"
import { createListing, type ListedRow, millisecondsOf } from "./listing.ts"
import { type Place, type PlanLog, start } from "./log.ts"
import type { Snapshots } from "./snapshots.ts"

/** Milliseconds within which summaries are written together. */
const pause = 25

export type ListedPlan = { summary: PlanSummary; place: Place }

export type Summaries = {
  keep(summary: PlanSummary, place: Place): void
  flush(): Promise<void>
  list(filter?: PlanFilter): Promise<{ plans: PlanSummary[]; problems: Problem[] }>
  /** All that fit, with the position of each log when it was read. */
  read(filter?: PlanFilter): Promise<{ listed: readonly ListedPlan[]; problems: Problem[] }>
}

type Waiting = { place: Place; summary: PlanSummary }

export const createSummaries = (
  database: Database,
  log: Pick<PlanLog, "load">,
  snapshots: Pick<Snapshots, "read">,
): Summaries => {
  const { query, schema } = database
  const listing = createListing(database)
  const waiting = new Map<number, Waiting>()
  let mayWrite = true
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  /** If this fails, only listing gets slower. */
  const keepAll = async (rows: readonly unknown[]): Promise<void> => {
    try {
      await query(`select ${schema}.keep_summaries($1::text::json)`, [JSON.stringify(rows)])
    } catch (cause) {
      if (isHeadwayError(cause) && cause.code === "read-only") mayWrite = false
    }
  }

  const write = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const rows = [...waiting.values()].map(({ place, summary }) => rowOf(place, summary))
    waiting.clear()
    // One after the other: of two that reach the same entry, the later one counts.
    if (rows.length > 0) writing = writing.then(() => keepAll(rows))
    return writing
  }

  const keep = (summary: PlanSummary, place: Place): void => {
    if (place.log === 0 || !mayWrite) return
    waiting.set(place.log, { place, summary })
    timer ??= setTimeout(() => void write(), pause)
  }

  /** A plan whose last writer did not save a summary. */
  const fold = async (key: PlanKey): Promise<ListedPlan & { problems: Problem[] }> => {
    const snapshot = await snapshots.read(key)
    const begun = foldFrom(snapshot)
    const from = begun && snapshot ? (snapshot.cursor as Place) : start
    const { entries, cursor, problems, restarted } = await log.load(key, from)
    const state = (restarted ? undefined : begun) ?? createFold()
    for (const entry of entries) state.add(entry)
    const unread = problems.length
    const summary = { ...summarise(key, state), ...(unread > 0 ? { unread } : {}) }
    const place = cursor as Place
    keep(summary, place)
    return { summary, place, problems }
  }

  const read = async (filter?: PlanFilter): Promise<{ listed: readonly ListedPlan[]; problems: Problem[] }> => {
    await write()
    const rows = await listing.rows(filter)
    if (rows.every(isListed)) return { listed: rows, problems: [] }
    const listed: ListedPlan[] = []
    const problems: Problem[] = []
    for (const row of rows) {
      if (isListed(row)) {
        listed.push(row)
        continue
      }
      const folded = await fold(row.key)
      problems.push(...folded.problems)
      // Gone in the meantime.
      if (folded.place.log !== 0) listed.push(folded)
    }
    return { listed, problems }
  }

  return {
    keep,
    flush: write,
    read,
    async list(filter) {
      const { listed, problems } = await read(filter)
      const plans = listed.map(({ summary }) => summary)
      return { plans: selectPlans(plans, filter), problems }
    },
  }
}

const isListed = (row: ListedRow): row is ListedRow & ListedPlan => row.summary !== undefined

/** Undefined where the snapshot cannot be gone on from. */
const foldFrom = (snapshot: Snapshot | undefined): Fold | undefined => {
  try {
    return snapshot && createFold(snapshot.state)
  } catch {
    return undefined
  }
}

const rowOf = ({ log, seq }: Place, summary: PlanSummary) => [
  log,
  seq,
  summary.project === undefined ? null : escaped(summary.project),
  escaped(summary.updated),
  millisecondsOf(summary.updated),
  JSON.stringify(summary),
]
