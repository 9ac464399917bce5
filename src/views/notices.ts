/**
 * Decides when to notify a person: once per state, only if the state lasts, and never if it existed before watching
 * began.
 */
import { sanitise } from "../plan/text/sanitise.ts"
import { agentOf } from "./board/names.ts"
import { atHandText, stateWordsOf } from "./board/news.ts"
import type { BoardSession } from "./board/session.ts"

export type NoticeEvent = "all_done" | "waiting_for_you" | "stalled" | "ended" | "failed"

export type Notice = { event: NoticeEvent; session: BoardSession; message: string }

export type NoticesOptions = {
  /**
   * How long a state must last before it counts, and be over before it can count again, in milliseconds. @default 3000
   */
  steady?: number
  /** The minimum time between two notices of the same event in one session, in milliseconds. @default 60000 */
  quiet?: number
}

/** The condition behind one kind of notice of one session. */
type Condition = {
  holds: boolean
  /** The time of the last change of `holds`. */
  since: number
  /** Whether the person knows: they were notified, or the condition held before they started watching. */
  isKnown: boolean
  lastGiven: number
}

const isAllDone = ({ total, completed }: BoardSession["progress"]): boolean => total > 0 && completed === total

/** Sub-agents report to their agents; only main agents notify the person. */
const events: Record<NoticeEvent, (session: BoardSession) => boolean> = {
  all_done: ({ progress }) => isAllDone(progress),
  waiting_for_you: ({ state }) => state === "waiting",
  stalled: ({ state }) => state === "stalled",
  ended: ({ state }) => state === "ended",
  failed: ({ state }) => state === "failed",
}

/** Returns a function that returns the notices now due. Call it at intervals too: some notices depend on time alone. */
export const createNotices = ({ steady = 3000, quiet = 60_000 }: NoticesOptions = {}) => {
  const conditions = new Map<string, Condition>()
  /** Sessions that notified the person and have not worked since. If one ends now, the person ended it. */
  const called = new Set<string>()
  let began: number | undefined

  const noticeOf = (event: NoticeEvent, session: BoardSession, now: number): Notice | undefined => {
    const isFirst = began === undefined
    const holds = events[event](session)
    const key = `${event} ${session.key}`
    const isOld = isFirst || Date.parse(session.updated) < (began ?? now)
    const one = conditions.get(key) ?? {
      holds,
      since: now,
      isKnown: holds && isOld,
      lastGiven: Number.NEGATIVE_INFINITY,
    }
    conditions.set(key, one)
    // After the clock is set back, a notice must not wait until the clock reaches the old time again.
    Object.assign(one, { since: Math.min(one.since, now), lastGiven: Math.min(one.lastGiven, now) })
    if (one.holds !== holds) Object.assign(one, { holds, since: now })
    if (event === "waiting_for_you" && holds && one.isKnown) called.add(session.key)
    if (event === "ended" && holds && called.has(session.key)) one.isKnown = true
    if (now - one.since < steady) return undefined
    if (!holds) one.isKnown = false
    if (!holds || one.isKnown || now - one.lastGiven < quiet) return undefined
    Object.assign(one, { isKnown: true, lastGiven: now })
    called.add(session.key)
    return { event, session, message: messageOf(event, session) }
  }

  return (sessions: readonly BoardSession[], at: Date): Notice[] => {
    const now = at.getTime()
    if (began !== undefined) began = Math.min(began, now)
    for (const { key, state } of sessions) if (state === "working") called.delete(key)
    const notices = sessions
      .filter(({ parent }) => parent === undefined)
      .flatMap((session) => names.flatMap((event) => noticeOf(event, session, now) ?? []))
    began ??= now
    return notices
  }
}

const names = Object.keys(events) as NoticeEvent[]

const messageOf = (event: NoticeEvent, session: BoardSession): string => {
  const { project, title, progress, waitsFor } = session
  const where = `${agentOf(session)} in ${project}`
  const who = title === undefined ? where : `${title} (${where})`
  const at = atHandText(session)
  const what = at === "" ? "" : `: ${at}`
  switch (event) {
    case "all_done":
      return sanitise(`${who}: ${progress.total === 1 ? "the only todo is" : `all ${progress.total} todos are`} done`)
    case "waiting_for_you":
      return sanitise(
        waitsFor && waitsFor.kind !== "turn" ? `${who} ${stateWordsOf(session)}` : `${who} waits for you${what}`,
      )
    case "failed":
      return sanitise(`${who} ${stateWordsOf(session)}`)
    case "stalled":
      return sanitise(`${who} seems to have stalled${what}`)
    case "ended":
      return sanitise(`${who} has ended${progress.total === 0 ? "" : `, ${progress.completed}/${progress.total} done`}`)
  }
}
