/** What stands behind the todos of the sessions that are looked at: worked out in the background, one session at a time. */
import { type Brief, type Marked, marksOf, type Verified } from "../evidence/index.ts"
import type { Plan } from "../plan/index.ts"
import type { EvidenceCache } from "../sessions/evidence/evidence-cache.ts"
import { createGrowingEvidence, type GrowingEvidence } from "../sessions/evidence/growing-evidence.ts"
import type { Joined } from "./joined-session.ts"
import { createRecent } from "./recent.ts"
import type { SeenByKey } from "./rows.ts"

/** What is known of a session's todos; another value after every change, never one changed in place. */
export type KnownEvidence = {
  /** What was seen in its files; undefined where they do not tell. */
  brief: Brief | undefined
  /** What Headway itself has checked of its plan. */
  checks: readonly Verified[]
}

export type BoardEvidence = {
  /** What is known by now, as far as it is still true. */
  of(key: string, joined: Joined): KnownEvidence | undefined
  /** Somebody looks at this row: what is not known of it, or no longer true, is worked out and told by `onChange`. */
  want(key: string, joined: Joined): void
  /** The same for rows that are only listed: those at rest that were active lately, and no large ones. */
  wantListed(rows: Iterable<readonly [key: string, joined: Joined]>, now: Date): void
  close(): Promise<void>
}

export type BoardEvidenceOptions = {
  /** All sessions, for the files of sub-agents. */
  seen: SeenByKey
  onChange: () => void
  cache?: EvidenceCache | undefined
  /** What Headway has checked of a plan that is kept here. @default nothing */
  checksOf?: ((joined: Joined) => Promise<readonly Verified[]>) | undefined
}

type Job = { key: string; joined: Joined; most: number }

/** `stamp` says when it was true, `text` what it says. */
type Known = { value: KnownEvidence; text: string; stamp: string }

/** What was once worked out, for rows that come into sight again. */
const mostKnown = 64
/** Sessions that are kept in step while they go on, because a person looked at them last. */
const mostFollowed = 4
/** In milliseconds: a session that is written to all the time is looked at so often. */
const pause = 1_000
/** In milliseconds: how often to look whether files have changed since Headway checked them. */
const recheck = 15_000

/** Of what is only listed: so many sessions, so large, and not older. */
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

  /** What was asked for last is looked at last by the person who waits for it, so it comes first. */
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
        // A session may have gone on meanwhile.
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

  /** That a file has changed is nowhere told: those that were checked are looked at again. */
  const looking = setInterval(() => {
    for (const { job } of followed.values()) if ((known.get(job.key)?.value.checks.length ?? 0) > 0) ask(job)
  }, recheck).unref()

  return {
    of(key, joined) {
      const one = known.get(key)
      if (!one || one.stamp === stampOf(joined)) return one?.value
      // A row that a person looks at keeps its marks for the moment that the next ones take.
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
      clearInterval(looking)
      await working
    },
  }
}

/** Another one whenever its files or its plan may say something else. */
const stampOf = ({ plan, seen }: Joined): string => `${seen?.updated} ${plan?.updated}`

/** A session's own file tells of its sub-agents too. */
const mainOf = (one: NonNullable<Joined["seen"]>, seen: SeenByKey): NonNullable<Joined["seen"]> => {
  if (one.agent === "main") return one
  const main = seen.get(JSON.stringify([one.session, "main"]))
  return main?.agentType === one.agentType ? main : one
}

/** What is shown of a plan's todos that are done, by their ids; undefined where nothing is known. */
export const planMarks = (
  known: KnownEvidence | undefined,
  { todos }: Pick<Plan, "todos">,
  agent: string,
): Readonly<Record<string, Marked>> | undefined => {
  if (!known || (!known.brief && known.checks.length === 0)) return undefined
  return marksOf(todos, { ...known, agent })
}
