/** The board's data: the plans we keep and the sessions of all agents on this machine, joined, live, and open to edits. */
import { printChecklist } from "../dialects/_checklist.ts"
import { isHeadwayError, type Plan, type Problem, sanitise, warning } from "../plan/index.ts"
import type { BoardEdit, BoardSession, BoardSource } from "../views/board/session.ts"
import { applyBoardEdit } from "./board-edit.ts"
import { createBoardRows } from "./board-rows.ts"
import type { Context } from "./command.ts"
import { keepText } from "./editor.ts"
import { watchKeptPlans } from "./kept-plans.ts"
import { followLook } from "./looks.ts"
import { personAt } from "./person.ts"
import { storeOf, withoutUntrusted } from "./place.ts"
import { logger } from "./plans.ts"
import { createSeenSessions } from "./seen-sessions.ts"
import { type WatchedSessions, watchAllSessions } from "./watched-sessions.ts"

export type LiveBoard = BoardSource & { close(): Promise<void> }

export type BoardOptions = {
  /** Looks only here for sessions: at a person's home, an agent's folder, or a single file. */
  paths?: readonly string[] | undefined
  /**
   * `everything`: our plans and all sessions. `sessions`: our plans only where a session is seen. `own`: no sessions.
   * @default "everything"
   */
  shows?: "everything" | "sessions" | "own"
  /** Also old sessions that never had a plan. @default false */
  isAll?: boolean
  onProgress?: (done: number, total: number) => void
}

/** Answers after the first look at everything. Only looking writes nothing, except to keep a plan of ours in step. */
export const openBoardSource = async (context: Context, options: BoardOptions = {}): Promise<LiveBoard> => {
  const { io } = context
  const { paths, shows = "everything", isAll = false, onProgress = () => {} } = options
  const listeners = new Set<() => void>()
  const shown = new Map<string, Plan>()
  const problems: { store?: Problem | undefined; sessions: readonly Problem[] } = { sessions: [] }
  let watched: WatchedSessions | undefined
  let sessions: readonly BoardSession[] = []
  let notice: string | undefined
  let isReady = false

  const refresh = (): void => {
    if (!isReady) return
    const next = rows.make(io.now())
    const words = noticeOf([...(problems.store ? [problems.store] : []), ...problems.sessions])
    if (next === sessions && words === notice) return
    sessions = next
    notice = words
    for (const listener of listeners) listener()
  }

  const kept = await watchKeptPlans({
    store: await storeOf(withoutUntrusted(context)),
    now: io.now,
    log: logger(context),
    onChange: refresh,
    onProblem: (problem) => {
      problems.store = problem
    },
  })
  const seen = createSeenSessions({
    kept,
    onFollowed: refresh,
    onFailed: (cause) => {
      problems.store = warning("store-failed", messageOf(cause))
    },
  })
  const rows = createBoardRows({
    kept,
    found: seen.found,
    home: io.home,
    isShown: (listed) => shows !== "sessions" || listed.path !== undefined,
    isAll,
    onRead: refresh,
    onShown: (key, plan) => shown.set(key, plan),
    wantTimes: (path) => watched?.wantTimes(path),
  })
  const onLooked = (found: readonly Problem[]): void => {
    problems.sessions = found
    refresh()
  }
  if (shows !== "own") watched = await watchAllSessions(context, { paths, onChange: seen.take, onProgress, onLooked })
  await seen.settled()
  isReady = true
  refresh()
  await rows.readFirst()

  const edit = async (key: string, change: BoardEdit): Promise<string> => {
    const session = seen.found.get(key)
    const subject = session ?? kept.summaries.get(key)
    if (!subject) return "That session is not here any more."
    const tracker = await kept.open(subject)
    if (session) await followLook(tracker, session)
    const line = await applyBoardEdit(tracker, change, { by: personAt(io), shown: shown.get(key) })
    kept.update(tracker)
    refresh()
    return sanitise(line)
  }

  return {
    get sessions() {
      return sessions
    },
    get notice() {
      return notice
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    edit: (key, change) => edit(key, change).catch((cause: unknown) => refusal(cause, change)),
    textOf: printChecklist,
    async close() {
      listeners.clear()
      await watched?.close()
      await seen.settled()
      await kept.close()
    },
  }
}

/** Nothing that a person wrote in an editor is lost because it could not be used. */
const refusal = (cause: unknown, change: BoardEdit): string => {
  const isOurs = isHeadwayError(cause) && cause.code !== "store-failed"
  // One line has no room for the file and the reason; the reason names the place.
  const why = sanitise(messageOf(!isOurs && cause instanceof Error ? (cause.cause ?? cause) : cause))
  if (change.kind !== "text") return isOurs ? why : `Nothing was changed: ${why}`
  return `${why} What you wrote is kept in ${keepText(change.text)}.`
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** History holds the mistakes of years; only what keeps a person from seeing something now is told. */
const toldCodes = ["store-failed", "unreadable-plan", "unreadable-folder", "unreadable-file", "no-sqlite"]

const noticeOf = (problems: readonly Problem[]): string | undefined => {
  const [first, ...others] = new Set(
    problems.filter(({ code }) => toldCodes.includes(code)).map(({ message }) => message),
  )
  if (first === undefined) return undefined
  return sanitise(others.length > 0 ? `${first} (and ${others.length} more like this)` : first)
}
