/** The board: the plans we keep and the sessions of all agents on this machine, joined, live, and open to edits. */

import type { Verified } from "../evidence/index.ts"
import type { SessionNames } from "../home/names.ts"
import type { Actor, Plan, Problem, Writer } from "../plan/index.ts"
import type { EvidenceCache } from "../sessions/evidence/evidence-cache.ts"
import type { Store } from "../stores/store.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type {
  AgentNames,
  BoardEdit,
  EditResult,
  SessionHistory,
  SessionPlan,
  SessionRow,
} from "../views/board/session.ts"
import type { WhenTold } from "../views/when-told.ts"
import type { Checklist } from "./edit.ts"
import { createBoardEvidence } from "./evidence.ts"
import { createFollowedSessions } from "./followed-sessions.ts"
import type { Joined } from "./joined-session.ts"
import { watchKeptPlans } from "./kept-plans.ts"
import { createNotices } from "./notices.ts"
import { createPersonEdits } from "./person-edits.ts"
import type { FindStores } from "./plan-places.ts"
import { createRowLogs } from "./row-logs.ts"
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

/** Resolves after the first scan. Scanning writes nothing, except to bring kept plans up to date. */
export const openBoard = async (options: BoardOptions): Promise<Board> => {
  const { store, storesElsewhere, places, now, person, checklist, keepText, log, names } = options
  const { shows = "everything", isAll = false, onProgress = () => {}, whenToldOf = () => undefined } = options
  const { agentNamesOf = () => ({}), checksOf, evidenceCache: cache, viewer } = options
  const listeners = new Set<() => void>()
  const notices = createNotices()
  let watched: WatchedSessions | undefined
  let rows: readonly SessionRow[] = []
  let notice: string | undefined
  let isReady = false

  const refresh = (): void => {
    if (!isReady) return
    const next = made.make(now())
    const text = notices.text()
    evidence.wantListed(made.joined(), now())
    if (next === rows && text === notice) return
    rows = next
    notice = text
    for (const listener of listeners) listener()
  }

  const onProblem = notices.setStore
  const kept = await watchKeptPlans({ store, storesElsewhere, now, log, onChange: refresh, onProblem })
  const followed = createFollowedSessions({ kept, now, onFollowed: refresh, onFailed: notices.storeFailed })
  const evidence = createBoardEvidence({
    seen: followed.seen,
    onChange: refresh,
    cache,
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
    notices.setSessions(found)
    refresh()
  }
  let placing: Promise<void> = Promise.resolve()
  /** One after the other, and only once it is known where the plans of these sessions are kept. */
  const onChange: typeof followed.take = (all, changed) => {
    if (!storesElsewhere) return followed.take(all, changed)
    placing = placing
      .then(() => kept.place(changed))
      .catch(notices.storeFailed)
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

  const stopNames = watchNames(names, refresh)
  const edit = createPersonEdits({
    ...{ find: made.find, kept, names, now, person, checklist, keepText, whenToldOf },
    isReadOnly: (key) => rows.some((row) => row.key === key && !row.isEditable),
    onChange: refresh,
  })

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
    edit,
    ...createRowLogs({ rows: made, shown: () => rows, kept, viewer, whenToldOf }),
    textOf: checklist.print,
    async close() {
      listeners.clear()
      stopNames()
      await evidence.close()
      await watched?.close()
      await placing
      await followed.settled()
      await kept.close()
    },
  }
}

/** How often to look for new names, in milliseconds. */
const nameInterval = 1_000

/** Another process may rename a session too. */
const watchNames = (names: SessionNames | undefined, onChange: () => void): (() => void) => {
  let last = names?.read()
  const timer = setInterval(() => {
    const given = names?.read()
    if (given === last) return
    last = given
    onChange()
  }, nameInterval).unref()
  return () => clearInterval(timer)
}
