/** Computes the evidence for the todos of visible sessions in the background, one session at a time. */
import { type Brief, type Marked, marksOf, type Verified } from "../evidence/index.ts"
import type { Plan } from "../plan/index.ts"
import type { EvidenceCache } from "../sessions/evidence/evidence-cache.ts"
import { createGrowingEvidence, type GrowingEvidence } from "../sessions/evidence/growing-evidence.ts"
import type { Joined } from "./joined-session.ts"
import { createRecent } from "./recent.ts"
import type { SeenByKey } from "./rows.ts"

/** The evidence for a session's todos; every change makes a new value. */
export type KnownEvidence = {
  /** The evidence found in its files; undefined if they do not record any. */
  brief: Brief | undefined
  /** The checks that Headway ran for its plan. */
  checks: readonly Verified[]
}

export type BoardEvidence = {
  /** Returns the evidence known so far, if it is still current. */
  of(key: string, joined: Joined): KnownEvidence | undefined
  /** Tells that this row is in view: missing or outdated evidence is computed and reported through `onChange`. */
  want(key: string, joined: Joined): void
  /** The same for rows that are only listed; limited to small sessions that are at rest and were active recently. */
  wantListed(rows: Iterable<readonly [key: string, joined: Joined]>, now: Date): void
  close(): Promise<void>
}

export type BoardEvidenceOptions = {
  /** All sessions, for the files of sub-agents. */
  seen: SeenByKey
  onChange: () => void
  cache?: EvidenceCache | undefined
  /** The checks that Headway ran for a kept plan. @default none */
  checksOf?: ((joined: Joined) => Promise<readonly Verified[]>) | undefined
}

type Job = { key: string; joined: Joined; most: number }

/** `stamp` says when it was true, `text` what it says. */
type Known = { value: KnownEvidence; text: string; stamp: string }

/** Evidence computed earlier, for rows that come into view again. */
const mostKnown = 64
/** The sessions viewed last, whose evidence is kept up to date while they run. */
const mostFollowed = 4
/** In milliseconds: how often a session that is written to continuously is read. */
const pause = 1_000
/** In milliseconds: how often to look whether files have changed since Headway checked them. */
const recheck = 15_000

/** Limits for sessions that are only listed: their number, size and age. */
const [mostListed, largestListed, oldestListed] = [12, 8 << 20, 24 * 60 * 60_000]
const largest = 64 << 20

export const createBoardEvidence = (options: BoardEvidenceOptions): BoardEvidence => {
  const { seen, onChange, cache, checksOf = async () => [] } = options
  const known = createRecent<string, Known>(mostKnown)
  const jobs = new Map<string, Job>()
  const followed = createRecent<string, { job: Job; growing: GrowingEvidence }>(mostFollowed)
  let running: Job | undefined
  let working: Promise<void> | undefined
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const workOut = async ({ key, joined, most }: Job): Promise<boolean> => {
    const growing = followed.get(key)?.growing ?? createGrowingEvidence({ cache, most })
    const own = joined.seen && mainOf(joined.seen, seen)
    const brief = own && (await growing.read(own, [...seen.values()]).catch(() => undefined))
    const checks = joined.plan ? await checksOf(joined).catch(() => []) : []
    const text = JSON.stringify([brief, checks])
    const before = known.get(key)
    const isNew = before?.text !== text
    known.set(key, { value: before && !isNew ? before.value : { brief, checks }, text, stamp: stampOf(joined) })
    return isNew
  }

  /** The row requested last is the one the person is looking at now, so it comes first. */
  const workAll = async (): Promise<void> => {
    while (jobs.size > 0 && !isClosed) {
      const job = [...jobs.values()].at(-1)
      if (!job) return
      jobs.delete(job.key)
      running = job
      const isNew = await workOut(job)
      running = undefined
      if (isNew && !isClosed) onChange()
    }
  }

  const begin = (after: number): void => {
    if (working || timer || isClosed) return
    timer = setTimeout(() => {
      timer = undefined
      working = workAll().finally(() => {
        working = undefined
        // The session may have changed in the meantime.
        if (jobs.size > 0) begin(pause)
      })
    }, after).unref()
  }

  const ask = (job: Job, after = 0): void => {
    if (isClosed || (running?.key === job.key && stampOf(running.joined) === stampOf(job.joined))) return
    jobs.delete(job.key)
    jobs.set(job.key, job)
    begin(after)
  }

  /** Nothing reports that a file has changed, so the checked files are examined again. */
  const polling = setInterval(() => {
    for (const { job } of followed.values()) if ((known.get(job.key)?.value.checks.length ?? 0) > 0) ask(job)
  }, recheck).unref()

  return {
    of(key, joined) {
      const one = known.get(key)
      if (!one || one.stamp === stampOf(joined)) return one?.value
      // A visible row keeps its old marks until the new ones are ready.
      const isFollowed = followed.values().some(({ job }) => job.key === key)
      if (!isFollowed) return undefined
      ask({ key, joined, most: largest }, pause)
      return one.value
    },
    want(key, joined) {
      if (!joined.seen && !joined.plan) return
      const job = { key, joined, most: largest }
      const growing = followed.get(key)?.growing ?? createGrowingEvidence({ cache, most: largest })
      followed.set(key, { job, growing })
      const one = known.get(key)
      if (one?.stamp !== stampOf(joined)) ask(job, one ? pause : 0)
    },
    wantListed(rows, now) {
      const earliest = new Date(now.getTime() - oldestListed).toISOString()
      let listed = 0
      for (const [key, joined] of rows) {
        if (listed >= mostListed) return
        const { agent, state, progress, updated } = joined.session
        const isAtRest = state !== "working" && state !== "stalled"
        if (agent !== "main" || !joined.seen || progress.completed === 0 || !isAtRest || updated < earliest) continue
        listed += 1
        if (known.get(key)?.stamp !== stampOf(joined)) ask({ key, joined, most: largestListed })
      }
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      clearInterval(polling)
      await working
    },
  }
}

/** Changes whenever its files or its plan may have changed. */
const stampOf = ({ plan, seen }: Joined): string => `${seen?.updated} ${plan?.updated}`

/** A session's own file also reports on its sub-agents. */
const mainOf = (one: NonNullable<Joined["seen"]>, seen: SeenByKey): NonNullable<Joined["seen"]> => {
  if (one.agent === "main") return one
  const main = seen.get(JSON.stringify([one.session, "main"]))
  return main?.agentType === one.agentType ? main : one
}

/** Returns the marks of a plan's done todos by id, or undefined if nothing is known. */
export const planMarks = (
  known: KnownEvidence | undefined,
  { todos }: Pick<Plan, "todos">,
  agent: string,
): Readonly<Record<string, Marked>> | undefined => {
  if (!known || (!known.brief && known.checks.length === 0)) return undefined
  return marksOf(todos, { ...known, agent })
}
