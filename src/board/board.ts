/** The board: the plans we keep and the sessions of all agents on this machine, joined, live, and open to edits. */

import type { Verified } from "../evidence/index.ts"
import type { SessionNames } from "../home/names.ts"
import {
  type Actor,
  emptyLedger,
  isHeadwayError,
  messageOf,
  type Plan,
  type Problem,
  sanitise,
  type Writer,
  warning,
} from "../plan/index.ts"
import type { EvidenceCache } from "../sessions/evidence/evidence-cache.ts"
import { shortened } from "../sessions/title.ts"
import type { PlanKey, Store } from "../stores/store.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { BoardEdit, EditResult, SessionHistory, SessionPlan, SessionRow } from "../views/board/session.ts"
import { type Hearing, hearingText } from "../views/hearing.ts"
import { applyBoardEdit, type Checklist } from "./edit.ts"
import { createBoardEvidence } from "./evidence.ts"
import { followSession } from "./follow-session.ts"
import { createFollowedSessions } from "./followed-sessions.ts"
import { historyOf, momentIn } from "./history.ts"
import type { Joined } from "./joined-session.ts"
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
  /** What a row was joined from. */
  find(key: string): Joined | undefined
  /** The plan behind a row. */
  read(key: string): Promise<SessionPlan>
  /** The same, if nothing must be read for it. */
  planAtHand(key: string): SessionPlan | undefined
  /**
   * `seen` is the plan this viewer had in sight when they decided: a todo that has become another one since stays as it is.
   * Never rejects.
   */
  edit(key: string, edit: BoardEdit, seen: Plan | undefined): Promise<EditResult>
  /** What happened to the plan behind a row. */
  history(key: string): Promise<SessionHistory>
  /** The plan as it was after an entry of its history; undefined where there is no such entry. */
  moment(key: string, entry: string): Promise<{ at: string; plan: Plan } | undefined>
  /** Whether the agent of a row hears of what a person changes; undefined where there is nothing to say about it. */
  hearing(key: string): Promise<Hearing | undefined>
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
  /** Who looks, where plans are shared: what others did goes by their names. */
  viewer?: Writer
  checklist: Checklist
  /** Keeps a text that could not be used where its writer finds it. Returns the place. */
  keepText: (text: string) => string
  /** Called for what could not be read in a plan. */
  log: (problem: Problem) => void
  /** What people call sessions. @default their own titles count, and none can be renamed */
  names?: SessionNames
  /** Whether the agent of a plan hears of what a person changes. @default nothing is said about it */
  hearingOf?: (plan: Pick<Tracker, "key" | "ledger">) => Hearing | undefined
  /**
   * `everything`: our plans and all sessions. `sessions`: our plans only where a session is seen. `own`: no sessions.
   * @default "everything"
   */
  shows?: "everything" | "sessions" | "own"
  /** Also sub-agents that are over and never had a plan. @default false */
  isAll?: boolean
  /** What people call an agent, in a word. @default its type */
  agentNameOf?: (agentType: string) => string | undefined
  /** Keeps what was worked out of evidence for the next time. @default it is worked out anew */
  evidenceCache?: EvidenceCache | undefined
  /** What Headway itself has checked of a plan, for the project it is of. @default nothing is verified */
  checksOf?: ((plan: Tracker, project: string | undefined) => Promise<readonly Verified[]>) | undefined
  onProgress?: ((done: number, total: number) => void) | undefined
}

/** How often to look for new names, in milliseconds. */
const nameInterval = 1_000

/** Resolves after the first look at everything. Looking writes nothing, except to keep a plan of ours in step. */
export const openBoard = async (options: BoardOptions): Promise<Board> => {
  const { store, places, now, person, checklist, keepText, log, names } = options
  const { shows = "everything", isAll = false, onProgress = () => {}, hearingOf = () => undefined } = options
  const { agentNameOf = () => undefined, checksOf } = options
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
    evidence.wantListed(made.joined(), now())
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
  const evidence = createBoardEvidence({
    seen: followed.seen,
    onChange: refresh,
    cache: options.evidenceCache,
    checksOf: checksOf && (async ({ plan, session }) => (plan ? checksOf(await kept.open(plan), session.project) : [])),
  })
  const made = createBoardRows({
    kept,
    evidence,
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

  const rename = async ({ session, agent }: PlanKey, title: string): Promise<EditResult> => {
    if (!names) return refused("Sessions cannot be renamed here.")
    const name = shortened(title)
    await names.name({ session, agent }, name === "" ? undefined : name)
    refresh()
    return { outcome: "changed", message: name === "" ? "it shows its own title again" : `renamed: ${name}` }
  }

  const edit = async (key: string, change: BoardEdit, seen: Plan | undefined): Promise<EditResult> => {
    const { plan, seen: session } = made.find(key) ?? {}
    const subject = session ?? plan
    if (!subject) return refused("That session is no longer here.")
    if (rows.some((row) => row.key === key && !row.isEditable)) return refused("This plan is read-only.")
    if (change.kind === "rename") return rename(subject, change.title)
    const tracker = await kept.open(subject)
    if (session) await followSession(tracker, session)
    const before = tracker.ledger.untold.size
    const { message, ...applied } = await applyBoardEdit(tracker, change, { by: person, seen, checklist })
    kept.update(tracker)
    refresh()
    // What was undone before the agent knew of it is nothing to hear of, and neither is what changed nothing.
    const hearing = tracker.ledger.untold.size > before ? hearingOf(tracker) : undefined
    return { ...applied, message: sanitise(hearing ? `${message}; ${hearingText(hearing)}` : message) }
  }

  /** The log of the plan we keep behind a row; none where we keep none. */
  const logOf = async (key: string): Promise<Tracker | undefined> => {
    const { plan } = made.find(key) ?? {}
    return plan && kept.open(plan)
  }

  const history = async (key: string): Promise<SessionHistory> => {
    const { plan, times } = await made.read(key)
    const row = rows.find((one) => one.key === key)
    const entries = (await (await logOf(key))?.entries()) ?? []
    return historyOf(entries, {
      agentName: row?.agentName ?? row?.agentType ?? "",
      plan,
      times,
      viewer: options.viewer,
    })
  }

  const hearing = async (key: string): Promise<Hearing | undefined> => {
    const tracker = await logOf(key)
    if (tracker) return hearingOf(tracker)
    const { session, agent, agentType } = made.find(key)?.seen ?? {}
    if (session === undefined || agent === undefined || agentType === undefined) return undefined
    const opened = { type: "plan-opened", session, agent, agentType } as const
    return hearingOf({ key: { session, agent }, ledger: { ...emptyLedger, opened } })
  }

  /** Nothing that a person wrote in an editor is lost because it could not be used. */
  const refusal = (cause: unknown, change: BoardEdit): EditResult => {
    const isOurs = isHeadwayError(cause) && cause.code !== "store-failed" && cause.code !== "store-full"
    // One line has no room for the file and the reason; the reason names the place.
    const why = sanitise(messageOf(!isOurs && cause instanceof Error ? (cause.cause ?? cause) : cause))
    if (change.kind !== "text") return refused(isOurs ? why : `Nothing was changed: ${why}`)
    return refused(`${why} What you wrote is kept in ${keepText(change.text)}.`)
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
    find: made.find,
    read: made.read,
    planAtHand: made.planAtHand,
    edit: (key, change, seen) => edit(key, change, seen).catch((cause: unknown) => refusal(cause, change)),
    history,
    moment: async (key, entry) => momentIn((await (await logOf(key))?.entries()) ?? [], entry),
    hearing,
    textOf: checklist.print,
    async close() {
      listeners.clear()
      clearInterval(looking)
      await evidence.close()
      await watched?.close()
      await followed.settled()
      await kept.close()
    },
  }
}

const refused = (message: string): EditResult => ({ outcome: "refused", message })

/** History holds the mistakes of years; only what keeps a person from seeing something now is told. */
const toldCodes = ["store-failed", "store-away", "unreadable-plan", "unreadable-folder", "unreadable-file", "no-sqlite"]

const noticeOf = (problems: readonly Problem[]): string | undefined => {
  const [first, ...others] = new Set(
    problems.filter(({ code }) => toldCodes.includes(code)).map(({ message }) => message),
  )
  if (first === undefined) return undefined
  return sanitise(others.length > 0 ? `${first} (and ${others.length} more like this)` : first)
}
