/** The contract of a store: where the log of a plan is kept. Stores stay naïve; order and folding are the tracker's. */
import type { Entry, FoldSnapshot, Plan, PlanKey, PlanOpened, Problem, Progress, Wanted } from "../plan/index.ts"

export { foldVersion } from "./_fold-version.ts"
export { selectPlans, summarise } from "./_summary.ts"
export type { PlanKey }

/** How far a log has been read. Only the store that gave it knows what it means; none is the beginning. */
export type Cursor = object

export type Loaded = {
  /** In log order: the order all readers agree on. */
  entries: Entry[]
  cursor: Cursor
  /** What could not be read and was skipped. Loading never fails for it. */
  problems: Problem[]
  /** The log is not the one the cursor was for: it was removed or replaced, so these entries start from nothing. */
  restarted?: boolean
  /** With `restarted`: those that were read before are among them as they were, and others stand between them. */
  isReordered?: boolean
  /** With `restarted`: the log has lost entries that were read before, as where it comes from a backup. */
  isReplaced?: boolean
  /** How many of the entries are only in memory, because there is no room where the store keeps them. @default 0 */
  unwritten?: number
  /** After an append to a store that takes no entry twice: the log had the entry already, and it was not written again. */
  hadEntry?: boolean
}

export type Snapshot = {
  cursor: Cursor
  state: FoldSnapshot
  /** What was skipped before the cursor. */
  problems: Problem[]
}

export type PlanSummary = PlanKey & {
  agentType?: string
  project?: string
  parent?: PlanOpened["parent"]
  /** What the session was about when it began. */
  title?: string
  progress: Progress
  /** What is being done, or comes next. */
  current?: string
  /** Since when that is being done. */
  currentSince?: string
  isFinished: boolean
  todos: number
  updated: string
  /** When an agent last changed it; absent where only persons did. */
  worked?: string
  /** For whom its agent works and on which machine, where plans are shared. */
  person?: string
  machine?: string
  /** Lines of its log that were not read in full, so that not all is known about it. */
  unread?: number
}

/** Which plans are listed; without a field, all of them. */
export type PlanFilter = {
  project?: string
  session?: string
  /** Changed at this time (ISO 8601) or later. */
  since?: string
  /** At most this many, those that were changed last. */
  limit?: number
  /** In any order, for a caller that sorts those it needs. A store may list them the newest first all the same. */
  isUnsorted?: boolean
}

/** All that happened to a list since a revision: these todos changed where they are. */
export type InPlaceChange = { from: number; ids: ReadonlySet<string> }

export interface Store {
  /** What it is called in `--store` and in messages. */
  name: string
  /** The folder of the person that has its error log; absent where there is none. */
  home?: string
  /** Whether plans outlive the process. */
  isPersistent: boolean
  /** Cursors are plain data: from one that was written down as JSON, another process can go on. @default false */
  hasPlainCursors?: boolean
  /** Whether plans may be changed, where a store has users of which some only look. @default they may */
  mayWrite?(): Promise<boolean>
  /** Reads what came after the cursor. A plan that was never written has no entries. */
  load(key: PlanKey, from?: Cursor): Promise<Loaded>
  /**
   * Makes an entry durable, then reads on from the cursor. The entry counts only once it has been read back: a log that
   * was removed in the meantime is not started again by it.
   */
  append(key: PlanKey, entry: Entry, from?: Cursor): Promise<Loaded>
  /**
   * The same for many entries of one plan, in their order: all of them are written, or none. Those the log has already are
   * left out, so that it can be repeated when it is not known whether it was done.
   */
  appendAll?(key: PlanKey, entries: readonly Entry[], from?: Cursor): Promise<Loaded>
  /** The plans it keeps, the one that was changed last first. */
  list(filter?: PlanFilter): Promise<{ plans: PlanSummary[]; problems: Problem[] }>
  /**
   * A token that is another one after every change of the plan's log; undefined where there is no log. It is asked for with
   * every step of an agent, so it must cost little, and it is compared by processes that start later.
   */
  position(key: PlanKey): Promise<string | undefined>
  /**
   * Calls the listener when a plan may have changed, whichever process changed it; without a key when any of them may have.
   * What keeps it from noticing changes goes to `onProblem`. Resolves, once it watches, with how to stop.
   */
  watch(listener: (key?: PlanKey) => void, onProblem?: (problem: Problem) => void): Promise<() => Promise<void>>
  remove(key: PlanKey): Promise<void>
  /**
   * Removes every plan a condition holds for. The condition is checked again for each: what was written in the meantime keeps its
   * plan, and nothing a writer was told is kept is lost. It is told the position of the plan too, see `position`. Returns what
   * went, and why others it held for stayed.
   */
  sweep(
    condition: (plan: PlanSummary, position?: string) => boolean,
  ): Promise<{ removed: PlanSummary[]; problems: Problem[] }>
  /** Ends what keeps the process running, such as a connection. Nothing else is asked of the store then. */
  close(): Promise<void>
  /** Whether something may have come after the cursor, where that is known with less work than by loading it. */
  hasMore?(key: PlanKey, cursor: Cursor): boolean
  /** The list as others read it, where the store has such a place. Returns what was wrong with what stood there. */
  publish?(key: PlanKey, plan: Plan, change?: InPlaceChange): Promise<Problem | undefined>
  /** A list that is where this plan's is published, before the plan has a log. What cannot be taken over is kept aside. */
  readList?(key: PlanKey): Promise<Wanted[]>
  /** Whether enough came after the last snapshot to be worth another. */
  wantsSnapshot?(key: PlanKey, cursor: Cursor): boolean
  /** A folded state to go on from; never needed, always checked. */
  readSnapshot?(key: PlanKey): Promise<Snapshot | undefined>
  writeSnapshot?(key: PlanKey, snapshot: Omit<Snapshot, "problems">): Promise<void>
  /**
   * Takes how a plan stands at a cursor, after every entry, so that a listing need not fold its log. For a log that has
   * more by the time it is listed, the summary is out of date.
   */
  keepSummary?(key: PlanKey, summary: PlanSummary, cursor: Cursor): Promise<void>
}
