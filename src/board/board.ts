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
import type {
  AgentNames,
  BoardEdit,
  EditResult,
  SessionHistory,
  SessionPlan,
  SessionRow,
} from "../views/board/session.ts"
import { type WhenTold, whenToldText } from "../views/when-told.ts"
import { applyBoardEdit, type Checklist } from "./edit.ts"
import { createBoardEvidence } from "./evidence.ts"
import { followSession } from "./follow-session.ts"
import { createFollowedSessions } from "./followed-sessions.ts"
import { historyOf, momentIn } from "./history.ts"
import type { Joined } from "./joined-session.ts"
import { type FindStores, watchKeptPlans } from "./kept-plans.ts"
import { createBoardRows, type FindWhenTold } from "./rows.ts"
import type { SessionPlaces } from "./seen-sessions.ts"
import { type WatchedSessions, watchAllSessions } from "./watched-sessions.ts"

/** One board serves any number of viewers; it does not track what each of them is looking at. */
export type Board = {
  /** Plain data. Every change makes a new array; rows that did not change keep their identity. */
  readonly rows: readonly SessionRow[]
  /** A sentence for the person about anything that currently cannot be read or followed. */
  readonly notice: string | undefined
  /** Called after every change of `rows` or `notice`. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void
  /** Returns what a row was joined from. */
  find(key: string): Joined | undefined
  /** Reads the plan behind a row. */
  read(key: string): Promise<SessionPlan>
  /** Returns the plan if it is already in memory. */
  planAtHand(key: string): SessionPlan | undefined
  /**
   * `seen` is the plan as this viewer saw it: a todo that has been replaced since is left unchanged. Never rejects.
   */
  edit(key: string, edit: BoardEdit, seen: Plan | undefined): Promise<EditResult>
  /** Returns the history of the plan behind a row. */
  history(key: string): Promise<SessionHistory>
  /** Returns the plan as it was after an entry of its history, or undefined if there is no such entry. */
  moment(key: string, entry: string): Promise<{ at: string; plan: Plan } | undefined>
  /** Whether the agent of a row is told about a person's changes; undefined if that does not apply. */
  whenTold(key: string): Promise<WhenTold | undefined>
  /** Returns the plan as text for an editor. */
  textOf(plan: Plan): string
  close(): Promise<void>
}

export type BoardOptions = {
  /** Closed by the caller, after the board. */
  store: Store
  /** Finds the stores of sessions whose plans are kept elsewhere, such as in their own repository. @default none are */
  storesElsewhere?: FindStores
  /** Where agents keep their sessions. `home` is also left out of the names of folders. */
  places: SessionPlaces
  now: () => Date
  /** Who edits. */
  person: Actor
  /** The viewer, if plans are shared: changes by other people are shown with their names. */
  viewer?: Writer
  checklist: Checklist
  /** Saves a text that could not be applied, so that its author can find it. Returns the path. */
  keepText: (text: string) => string
  /** Called for what could not be read in a plan. */
  log: (problem: Problem) => void
  /** The titles people gave to sessions. @default sessions keep their own titles and cannot be renamed */
  names?: SessionNames
  /** Whether the agent of a plan is told about a person's changes. @default not shown */
  whenToldOf?: FindWhenTold
  /**
   * `everything`: our plans and all sessions. `sessions`: our plans only where a session is seen. `own`: no sessions.
   * @default "everything"
   */
  shows?: "everything" | "sessions" | "own"
  /** Include sub-agents that have ended and never had a plan. @default false */
  isAll?: boolean
  /** What people call an agent. @default its type */
  agentNamesOf?: (agentType: string) => AgentNames
  /** Caches evidence between runs. @default no cache */
  evidenceCache?: EvidenceCache | undefined
  /** The checks that Headway ran for a plan, whose session may have been found on disk. @default none */
  checksOf?: ((plan: Tracker, seen: Joined["seen"]) => Promise<readonly Verified[]>) | undefined
  onProgress?: ((done: number, total: number) => void) | undefined
}

/** How often to look for new names, in milliseconds. */
const nameInterval = 1_000

/** Resolves after the first scan. Scanning writes nothing, except to bring kept plans up to date. */
export const openBoard = async (options: BoardOptions): Promise<Board> => {
  const { store, places, now, person, checklist, keepText, log, names } = options
  const { shows = "everything", isAll = false, onProgress = () => {}, whenToldOf = () => undefined } = options
  const { agentNamesOf = () => ({}), checksOf } = options
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
    storesElsewhere: options.storesElsewhere,
    now,
    log,
    onChange: refresh,
    onProblem: (problem) => {
      problems.store = problem
    },
  })
  const followed = createFollowedSessions({
    kept,
    now,
    onFollowed: refresh,
    onFailed: (cause) => {
      problems.store = warning("store-failed", messageOf(cause))
    },
  })
  const evidence = createBoardEvidence({
    seen: followed.seen,
    onChange: refresh,
    cache: options.evidenceCache,
    checksOf: checksOf && (async ({ plan, seen }) => (plan ? checksOf(await kept.open(plan), seen) : [])),
  })
  const made = createBoardRows({
    kept,
    evidence,
    seen: followed.seen,
    home: places.home,
    isShown: ({ path }) => shows !== "sessions" || path !== undefined,
    isAll,
    agentNamesOf,
    readClientState: places.readClientState,
    names: () => names?.read(),
    whenToldOf,
    wantWhole: (path) => watched?.wantWhole(path),
  })
  const onRefreshed = (found: readonly Problem[]): void => {
    problems.sessions = found
    refresh()
  }
  let placing: Promise<void> = Promise.resolve()
  /** One after the other, and only once it is known where the plans of these sessions are kept. */
  const onChange: typeof followed.take = (all, changed) => {
    if (!options.storesElsewhere) return followed.take(all, changed)
    placing = placing
      .then(() => kept.place(changed))
      .catch((cause: unknown) => {
        problems.store = warning("store-failed", messageOf(cause))
      })
      .then(() => {
        followed.take(all, changed)
        refresh()
      })
  }
  if (shows !== "own") watched = await watchAllSessions({ places, now, onChange, onProgress, onRefreshed })
  await placing
  await followed.settled()
  isReady = true
  refresh()
  await made.readFirst()
  // The opened tracker may be newer than the row.
  refresh()

  let lastNames = names?.read()
  /** Another process may rename a session too. */
  const timer = setInterval(() => {
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
    if (!subject) return refused("That session no longer exists.")
    if (rows.some((row) => row.key === key && !row.isEditable)) return refused("This plan is read-only.")
    if (change.kind === "rename") return rename(subject, change.title)
    const tracker = await kept.open(subject)
    if (session) await followSession(tracker, session, now())
    const before = tracker.ledger.untold.size
    const { message, ...applied } = await applyBoardEdit(tracker, change, { by: person, seen, checklist })
    kept.update(tracker)
    refresh()
    // Changes that were undone before the agent was told, or that had no effect, need no notice.
    const whenTold = tracker.ledger.untold.size > before ? whenToldOf(tracker, session?.state) : undefined
    return { ...applied, message: sanitise(whenTold ? `${message}; ${whenToldText(whenTold)}` : message) }
  }

  /** The log of the kept plan behind a row, if there is one. */
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

  const whenTold = async (key: string): Promise<WhenTold | undefined> => {
    const tracker = await logOf(key)
    const { session, agent, agentType, state } = made.find(key)?.seen ?? {}
    if (tracker) return whenToldOf(tracker, state)
    if (session === undefined || agent === undefined || agentType === undefined) return undefined
    const opened = { type: "plan-opened", session, agent, agentType } as const
    return whenToldOf({ key: { session, agent }, ledger: { ...emptyLedger, opened } }, state)
  }

  /** Text from an editor that could not be applied is saved, so that nothing a person wrote is lost. */
  const refusal = (cause: unknown, change: BoardEdit): EditResult => {
    const isOurs = isHeadwayError(cause) && cause.code !== "store-failed" && cause.code !== "store-full"
    // One line has no room for the file and the reason; the reason names the place.
    const why = sanitise(messageOf(!isOurs && cause instanceof Error ? (cause.cause ?? cause) : cause))
    if (change.kind !== "text") return refused(isOurs ? why : `Nothing was changed: ${why}`)
    return refused(`${why} Your text is kept in ${keepText(change.text)}.`)
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
    whenTold,
    textOf: checklist.print,
    async close() {
      listeners.clear()
      clearInterval(timer)
      await evidence.close()
      await watched?.close()
      await placing
      await followed.settled()
      await kept.close()
    },
  }
}

const refused = (message: string): EditResult => ({ outcome: "refused", message })

/** Old sessions may have many read errors. Report only those that hide something from the person now. */
const toldCodes = [
  ...["store-failed", "store-away", "undelivered", "other-database"],
  ...["unreadable-plan", "unreadable-folder", "unreadable-file", "no-sqlite"],
]

const noticeOf = (problems: readonly Problem[]): string | undefined => {
  const [first, ...others] = new Set(
    problems.filter(({ code }) => toldCodes.includes(code)).map(({ message }) => message),
  )
  if (first === undefined) return undefined
  return sanitise(others.length > 0 ? `${first} (and ${others.length} more like this)` : first)
}
