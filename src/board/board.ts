/** The board: the plans we keep and the sessions of all agents on this machine, joined, live, and open to edits. */
import type { SessionNames } from "../home/names.ts"
import { type Actor, isHeadwayError, messageOf, type Plan, type Problem, sanitise, warning } from "../plan/index.ts"
import { shortened } from "../sessions/title.ts"
import type { PlanKey, Store } from "../stores/store.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { BoardEdit, SessionPlan, SessionRow } from "../views/board/session.ts"
import { type Hearing, hearingText } from "../views/hearing.ts"
import { applyBoardEdit, type Checklist } from "./edit.ts"
import { followSession } from "./follow-session.ts"
import { createFollowedSessions } from "./followed-sessions.ts"
import { watchKeptPlans } from "./kept-plans.ts"
import { createBoardRows } from "./rows.ts"
import type { SessionPlaces } from "./seen-sessions.ts"
import { type WatchedSessions, watchAllSessions } from "./watched-sessions.ts"

/** One board serves any number of viewers; it knows nothing of what each of them has in sight. */
export type Board = {
  /** Plain data. Another array after every change, never one changed in place; what did not change is the same row. */
  readonly rows: readonly SessionRow[]
  /** What cannot be read or followed just now, in a sentence for the person. */
  readonly notice: string | undefined
  /** Called after every change of `rows` or `notice`. Returns how to stop. */
  subscribe(listener: () => void): () => void
  /** The plan behind a row. */
  read(key: string): Promise<SessionPlan>
  /** The same, if nothing must be read for it. */
  planAtHand(key: string): SessionPlan | undefined
  /**
   * `seen` is the plan this viewer had in sight when they decided: a todo that has become another one since stays as it is.
   * Resolves with one line that says what really happened, or why nothing did; never rejects.
   */
  edit(key: string, edit: BoardEdit, seen: Plan | undefined): Promise<string>
  /** The plan as the text a person edits. */
  textOf(plan: Plan): string
  close(): Promise<void>
}

export type BoardOptions = {
  /** Closed by the caller, after the board. */
  store: Store
  /** Where agents keep their sessions. `home` is also left out of the names of folders. */
  places: SessionPlaces
  now: () => Date
  /** Who edits. */
  person: Actor
  checklist: Checklist
  /** Keeps a text that could not be used where its writer finds it. Returns the place. */
  keepText: (text: string) => string
  /** Called for what could not be read in a plan. */
  log: (problem: Problem) => void
  /** What people call sessions. @default their own titles count, and none can be renamed */
  names?: SessionNames
  /** Whether the agent of a plan hears of what a person changes. @default nothing is said about it */
  hearingOf?: (tracker: Tracker) => Hearing | undefined
  /**
   * `everything`: our plans and all sessions. `sessions`: our plans only where a session is seen. `own`: no sessions.
   * @default "everything"
   */
  shows?: "everything" | "sessions" | "own"
  /** Also sub-agents that are over and never had a plan. @default false */
  isAll?: boolean
  /** What people call an agent, in a word. @default its type */
  agentNameOf?: (agentType: string) => string | undefined
  onProgress?: ((done: number, total: number) => void) | undefined
}

/** How often to look for new names, in milliseconds. */
const nameInterval = 1_000

/** Resolves after the first look at everything. Looking writes nothing, except to keep a plan of ours in step. */
export const openBoard = async (options: BoardOptions): Promise<Board> => {
  const { store, places, now, person, checklist, keepText, log, names } = options
  const { shows = "everything", isAll = false, onProgress = () => {}, hearingOf = () => undefined } = options
  const { agentNameOf = () => undefined } = options
  const listeners = new Set<() => void>()
  const problems: { store?: Problem | undefined; sessions: readonly Problem[] } = { sessions: [] }
  let watched: WatchedSessions | undefined
  let rows: readonly SessionRow[] = []
  let notice: string | undefined
  let isReady = false

  const refresh = (): void => {
    if (!isReady) return
    const next = made.make(now())
    const text = noticeOf([...(problems.store ? [problems.store] : []), ...problems.sessions])
    if (next === rows && text === notice) return
    rows = next
    notice = text
    for (const listener of listeners) listener()
  }

  const kept = await watchKeptPlans({
    store,
    now,
    log,
    onChange: refresh,
    onProblem: (problem) => {
      problems.store = problem
    },
  })
  const followed = createFollowedSessions({
    kept,
    onFollowed: refresh,
    onFailed: (cause) => {
      problems.store = warning("store-failed", messageOf(cause))
    },
  })
  const made = createBoardRows({
    kept,
    seen: followed.seen,
    home: places.home,
    isShown: ({ path }) => shows !== "sessions" || path !== undefined,
    isAll,
    agentNameOf,
    lookAtClient: places.lookAtClient,
    names: () => names?.read(),
    hearingOf,
    wantWhole: (path) => watched?.wantWhole(path),
  })
  const onRefreshed = (found: readonly Problem[]): void => {
    problems.sessions = found
    refresh()
  }
  if (shows !== "own")
    watched = await watchAllSessions({ places, now, onChange: followed.take, onProgress, onRefreshed })
  await followed.settled()
  isReady = true
  refresh()
  await made.readFirst()
  // What was opened for it may be newer than its row.
  refresh()

  let lastNames = names?.read()
  /** Another process may rename a session too. */
  const looking = setInterval(() => {
    const given = names?.read()
    if (given === lastNames) return
    lastNames = given
    refresh()
  }, nameInterval).unref()

  const rename = async ({ session, agent }: PlanKey, title: string): Promise<string> => {
    if (!names) return "Sessions cannot be renamed here."
    const name = shortened(title)
    await names.name({ session, agent }, name === "" ? undefined : name)
    refresh()
    return name === "" ? "it goes by its own title again" : `renamed: ${name}`
  }

  const edit = async (key: string, change: BoardEdit, seen: Plan | undefined): Promise<string> => {
    const { plan, seen: session } = made.find(key) ?? {}
    const subject = session ?? plan
    if (!subject) return "That session is no longer here."
    if (change.kind === "rename") return rename(subject, change.title)
    if (rows.some((row) => row.key === key && !row.isEditable)) return "This plan is read-only."
    const tracker = await kept.open(subject)
    if (session) await followSession(tracker, session)
    const before = tracker.ledger.untold.size
    const line = await applyBoardEdit(tracker, change, { by: person, seen, checklist })
    kept.update(tracker)
    refresh()
    // What was undone before the agent knew of it is nothing to hear of, and neither is what changed nothing.
    const hearing = tracker.ledger.untold.size > before ? hearingOf(tracker) : undefined
    return sanitise(hearing ? `${line}; ${hearingText(hearing)}` : line)
  }

  /** Nothing that a person wrote in an editor is lost because it could not be used. */
  const refusal = (cause: unknown, change: BoardEdit): string => {
    const isOurs = isHeadwayError(cause) && cause.code !== "store-failed" && cause.code !== "store-full"
    // One line has no room for the file and the reason; the reason names the place.
    const why = sanitise(messageOf(!isOurs && cause instanceof Error ? (cause.cause ?? cause) : cause))
    if (change.kind !== "text") return isOurs ? why : `Nothing was changed: ${why}`
    return `${why} What you wrote is kept in ${keepText(change.text)}.`
  }

  return {
    get rows() {
      return rows
    },
    get notice() {
      return notice
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read: made.read,
    planAtHand: made.planAtHand,
    edit: (key, change, seen) => edit(key, change, seen).catch((cause: unknown) => refusal(cause, change)),
    textOf: checklist.print,
    async close() {
      listeners.clear()
      clearInterval(looking)
      await watched?.close()
      await followed.settled()
      await kept.close()
    },
  }
}

/** History holds the mistakes of years; only what keeps a person from seeing something now is told. */
const toldCodes = ["store-failed", "unreadable-plan", "unreadable-folder", "unreadable-file", "no-sqlite"]

const noticeOf = (problems: readonly Problem[]): string | undefined => {
  const [first, ...others] = new Set(
    problems.filter(({ code }) => toldCodes.includes(code)).map(({ message }) => message),
  )
  if (first === undefined) return undefined
  return sanitise(others.length > 0 ? `${first} (and ${others.length} more like this)` : first)
}
