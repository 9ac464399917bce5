/** The board's data: the plans we keep and the sessions of all agents on this machine, joined, live, and open to edits. */
import { printChecklist } from "../dialects/_checklist.ts"
import { isHeadwayError, type Plan, type Problem, sanitise } from "../plan/index.ts"
import type { DiscoveredSession } from "../streams/discover.ts"
import type { BoardEdit, BoardSession, BoardSource } from "../views/board-session.ts"
import { applyBoardEdit } from "./board-edit.ts"
import { createBoardRows } from "./board-rows.ts"
import type { Context } from "./command.ts"
import { keepText } from "./editor.ts"
import { watchKeptPlans } from "./kept-plans.ts"
import { nameOf } from "./listed.ts"
import { followLook } from "./looks.ts"
import { personAt } from "./person.ts"
import { logger, storeOf } from "./plans.ts"
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
  const found = new Map<string, DiscoveredSession>()
  const shown = new Map<string, Plan>()
  const following = new Map<string, Promise<unknown>>()
  let watched: WatchedSessions | undefined
  let sessions: readonly BoardSession[] = []
  let storeProblem: Problem | undefined
  let sessionProblems: readonly Problem[] = []
  let notice: string | undefined
  let isReady = false

  const refresh = (): void => {
    if (!isReady) return
    const next = rows.make(io.now())
    const words = noticeOf([...(storeProblem ? [storeProblem] : []), ...sessionProblems])
    if (next === sessions && words === notice) return
    sessions = next
    notice = words
    for (const listener of listeners) listener()
  }

  const kept = await watchKeptPlans({
    store: await storeOf(context),
    now: io.now,
    log: logger(context),
    onChange: refresh,
    onProblem: (problem) => {
      storeProblem = problem
    },
  })

  const rows = createBoardRows({
    kept,
    found,
    home: io.home,
    isShown: (listed) => shows !== "sessions" || listed.path !== undefined,
    isAll,
    onRead: refresh,
    onShown: (key, plan) => shown.set(key, plan),
    wantTimes: (path) => watched?.wantTimes(path),
  })

  /** Takes over what a session shows into the plan we keep for it, one look after the other. */
  const follow = (session: DiscoveredSession): Promise<unknown> => {
    const name = nameOf(session)
    const turn = (following.get(name) ?? Promise.resolve()).then(async () => {
      const tracker = await kept.open(session)
      await followLook(tracker, session)
      kept.update(tracker)
    })
    const settled = turn.catch((cause: unknown) => {
      storeProblem = { code: "store-failed", message: messageOf(cause), severity: "warning" }
    })
    following.set(name, settled)
    return settled
  }

  const onChange = (all: readonly DiscoveredSession[], changed: readonly DiscoveredSession[]): void => {
    const toFollow = changed.filter((session) => {
      const before = found.get(nameOf(session))
      found.set(nameOf(session), session)
      return isWorthFollowing(session, before, kept.summaries.get(nameOf(session))?.updated)
    })
    if (found.size > all.length) {
      const names = new Set(all.map(nameOf))
      for (const name of found.keys()) if (!names.has(name)) found.delete(name)
    }
    if (toFollow.length > 0) Promise.all(toFollow.map(follow)).then(refresh)
  }

  if (shows !== "own") {
    const onLooked = (problems: readonly Problem[]): void => {
      sessionProblems = problems
      refresh()
    }
    watched = await watchAllSessions(context, { paths, onChange, onProgress, onLooked })
  }
  await Promise.all(following.values())
  isReady = true
  refresh()
  await rows.readFirst()

  const edit = async (key: string, change: BoardEdit): Promise<string> => {
    const session = found.get(key)
    const plan = kept.summaries.get(key)
    const subject = session ?? plan
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
      await Promise.all(following.values())
      await kept.close()
    },
  }
}

/** Whether a session may say more than the plan we keep for it: always when its list is another one than before. */
const isWorthFollowing = (
  { planned = "", print, state }: DiscoveredSession,
  before: DiscoveredSession | undefined,
  updated: string | undefined,
): boolean => {
  if (updated === undefined || print === undefined) return false
  if (before) return before.print !== print || (before.planned ?? "") !== planned
  return planned > updated || state === "working" || state === "waiting"
}

/** Nothing that a person wrote in an editor is lost because it could not be used. */
const refusal = (cause: unknown, change: BoardEdit): string => {
  const why = sanitise(messageOf(cause))
  if (change.kind !== "text") return isHeadwayError(cause) ? why : `Nothing was changed: ${why}`
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
