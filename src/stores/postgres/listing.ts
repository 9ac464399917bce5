/** The rows of a listing. A process that lists repeatedly reads only what has changed since. */
import { isUpcomingKind } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import { limits } from "../../plan/limits.ts"
import { isRecord, isText } from "../../plan/log/shape.ts"
import type { PlanFilter, PlanKey, PlanSummary } from "../store.ts"
import type { Database, Row } from "./database.ts"
import { escaped, unescaped } from "./keys.ts"
import type { Place } from "./log.ts"

export type ListedRow = {
  key: PlanKey
  /** The end of its log. */
  place: Place
  /** Its summary, if it was written after the last entry. */
  summary: PlanSummary | undefined
}

/** In bytes. */
const longestSummary = 1 << 20

/** More plans than these are not held in memory. */
const mostHeld = 50_000

export const createListing = ({ query, schema }: Database) => {
  const held = new Map<number, ListedRow>()
  /** The cache has everything committed before this transaction. */
  let horizon: string | undefined
  /** The cached rows, newest first, sorted once. */
  let inOrder: ListedRow[] | undefined

  // Outdated summaries are not sent, nor those too long to be Headway's.
  const summary = `case when s.seq = p.last and pg_catalog.octet_length(s.summary) <= ${longestSummary} then s.summary end as summary`
  const columns = `p.id, p.session, p.agent, p.last, ${summary}`
  const joined = `from ${schema}.plans p left join ${schema}.summaries s on s.plan = p.id`
  const isStale = "s.seq is distinct from p.last"
  const now = "pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text as horizon"
  const all = `select ${columns} ${joined}`
  // The plans are read once, to count them and to find those that changed: an index on that would cost every append.
  const changed = `select ${now}, plans, pg_catalog.concat_ws(',', ids, (
      select pg_catalog.string_agg(plan::text, ',') from ${schema}.summaries where changed >= $1::text::xid8)) as ids
    from (select pg_catalog.count(*)::int as plans, pg_catalog.string_agg(id::text, ',') filter (where changed >= $1::text::xid8) as ids
      from ${schema}.plans) p`
  const named = `${all} where p.id = any(pg_catalog.string_to_array($1, ',')::bigint[])`

  /** Few of them, found by an index. */
  const some = async ({ project, session, since, limit }: PlanFilter): Promise<ListedRow[]> => {
    const values = [
      session === undefined ? null : escaped(session),
      project === undefined ? null : escaped(project),
      since === undefined ? null : millisecondsOf(since),
    ]
    const ofSession = "($1::text is null or p.session = $1)"
    const wanted = "($2::text is null or s.project = $2) and ($3::bigint is null or s.updated_ms >= $3)"
    const bound = limit === undefined ? "" : `order by s.updated desc limit ${Math.max(0, Math.trunc(limit))}`
    const text = `select ${columns} ${joined} where ${ofSession} and ${isStale}
      union all (select ${columns} ${joined} where ${ofSession} and ${wanted} and not (${isStale}) ${bound})`
    return (await query(text, values)).map(listedOf)
  }

  const hold = (rows: readonly Row[]): void => {
    for (const row of rows) held.set(Number(row.id), listedOf(row))
    if (rows.length > 0) inOrder = undefined
  }

  const forget = (): void => {
    held.clear()
    horizon = undefined
    inOrder = undefined
  }

  /** All plans are among the cached and the changed ones: if the numbers match, the sets are equal. */
  const catchUp = async (since: string): Promise<boolean> => {
    const [row] = await query(changed, [since])
    // The database was replaced by another one.
    if (!row || BigInt(String(row.horizon)) < BigInt(since)) return false
    horizon = String(row.horizon)
    if (row.ids) hold(await query(named, [row.ids as string]))
    return held.size === row.plans
  }

  const everything = async (): Promise<ListedRow[]> => {
    if (horizon === undefined || !(await catchUp(horizon))) {
      forget()
      // Asked for first: what is decided between the two is read twice.
      const [first] = await query(`select ${now}`)
      hold(await query(all))
      horizon = String(first?.horizon)
    }
    inOrder ??= [...held.values()].sort(byTime)
    const rows = inOrder
    if (rows.length > mostHeld) forget()
    return rows
  }

  let reading: Promise<unknown> = Promise.resolve()
  /** One after the other: they share what is held. */
  const inTurn = (action: () => Promise<ListedRow[]>): Promise<ListedRow[]> => {
    const result = reading.then(action)
    reading = result.catch(() => {})
    return result
  }

  return {
    /** At least those a filter asks for. */
    rows(filter: PlanFilter = {}): Promise<ListedRow[]> {
      const { limit, ...unbounded } = filter
      const { project, session, since, ...others } = unbounded
      const isKnown = Object.values(others).every((value) => value === undefined)
      // Conditions unknown here are applied later to all rows.
      if (session !== undefined || (limit !== undefined && isKnown)) return some(isKnown ? filter : unbounded)
      return inTurn(everything)
    },
  }
}

const byTime = ({ summary: one }: ListedRow, { summary: other }: ListedRow): number => {
  const [first = "", second = ""] = [one?.updated, other?.updated]
  return first < second ? 1 : first > second ? -1 : 0
}

export const millisecondsOf = (time: string): number => Math.trunc(Date.parse(time)) || 0

const listedOf = (row: Row): ListedRow => {
  const key = { session: unescaped(String(row.session)), agent: unescaped(String(row.agent)) }
  const summary = typeof row.summary === "string" ? summaryIn(key, row.summary) : undefined
  return { key, place: { log: Number(row.id), seq: Number(row.last), bytes: 0 }, summary }
}

/** Written by another Headway: anything that is not a summary of this plan is rebuilt from its log. */
const summaryIn = ({ session, agent }: PlanKey, text: string): PlanSummary | undefined => {
  const value = parseJson(text)
  if (!isRecord(value) || !isRecord(value.progress)) return undefined
  const { completed, total, percent } = value.progress
  const isOne =
    value.session === session &&
    value.agent === agent &&
    isNumber(completed) &&
    isNumber(total) &&
    isNumber(percent) &&
    isNumber(value.todos) &&
    typeof value.isFinished === "boolean" &&
    isListedText(value.updated) &&
    texts.every((field) => value[field] === undefined || isListedText(value[field])) &&
    (value.unread === undefined || isNumber(value.unread)) &&
    (value.upcoming === undefined || isUpcoming(value.upcoming)) &&
    (value.parent === undefined || (isRecord(value.parent) && isListedText(value.parent.agent)))
  return isOne ? (value as PlanSummary) : undefined
}

const isUpcoming = (value: unknown): boolean =>
  isRecord(value) && isUpcomingKind(value.kind) && isListedText(value.content)

/** In characters. The text of a todo in progress is a little longer in its active form. */
const longestText = 2 * limits.content

const isListedText = (value: unknown): boolean => isText(value) && value.length <= longestText

const isNumber = (value: unknown): boolean => Number.isFinite(value)

const texts = ["agentType", "project", "title", "current", "currentSince", "worked", "person", "machine"]
