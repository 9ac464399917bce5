/**
 * The contract of a store: where the log of a plan is kept. Stores are simple; order and folding are the tracker's job.
 */
import type {
  Entry,
  FoldSnapshot,
  Plan,
  PlanKey,
  PlanOpened,
  Problem,
  Progress,
  Upcoming,
  Wanted,
} from "../plan/index.ts"

export { foldedAs, foldVersion, understood } from "./_fold-version.ts"
export { selectPlans, summarise } from "./_summary.ts"
export type { PlanKey }

/** How far a log has been read. Opaque to everyone but the store; no cursor means the beginning. */
export type Cursor = object

export type Loaded = {
  /** In log order: the order all readers agree on. */
  entries: Entry[]
  cursor: Cursor
  /** Entries that could not be read and were skipped. Loading never fails because of them. */
  problems: Problem[]
  /** The cursor belongs to another log: it was removed or replaced, so these entries start from the beginning. */
  restarted?: boolean
  /** With `restarted`: the entries that were read before are still there, with others in between. */
  isReordered?: boolean
  /** With `restarted`: the log has lost entries that were read before, for example after a restore from a backup. */
  isReplaced?: boolean
  /** How many of the entries are only in memory because the store is full. @default 0 */
  unwritten?: number
  /** After an append to a store that rejects duplicates: the log already had the entry. */
  hadEntry?: boolean
}

export type Snapshot = {
  cursor: Cursor
  state: FoldSnapshot
  /** What was skipped before the cursor. */
  problems: Problem[]
}

/** Something that was changed by hand; without a key it is about no single plan. */
export type Damage = { key?: PlanKey; problem: string }

export type PlanSummary = PlanKey & {
  agentType?: string
  project?: string
  parent?: PlanOpened["parent"]
  /** What the session was about when it began. */
  title?: string
  progress: Progress
  /** The todo in progress. */
  current?: string
  /** The todo it continues with if none is in progress. */
  upcoming?: Upcoming
  /** Since when it has been in progress. */
  currentSince?: string
  isFinished: boolean
  todos: number
  updated: string
  /** When an agent last changed it; absent if only people did. */
  worked?: string
  /** The person and machine of its agent, if plans are shared. */
  person?: string
  machine?: string
  /** The number of lines in its log that could not be fully read. */
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

/** The changes of a list since a revision: these todos changed in place, or were added. */
export type InPlaceChange = { from: number; ids: ReadonlySet<string> }

export interface Store {
  /** Its name in `--store` and in messages. */
  name: string
  /** The folder of the person that has its error log; absent where there is none. */
  home?: string
  /** Whether plans outlive the process. */
  isPersistent: boolean
  /** Cursors are plain data: another process can continue from one saved as JSON. @default false */
  hasPlainCursors?: boolean
  /** Whether plans may be changed, if a store has read-only users. @default true */
  mayWrite?(): Promise<boolean>
  /** Where the store can be replaced by another at the same address: tells one from the other. */
  identity?(): Promise<string | undefined>
  /** That a remote store could not be reached when it was last tried, so that what is read here may be old. */
  away?(): Promise<Problem | undefined>
  /** Reads what came after the cursor. A plan that was never written has no entries. */
  load(key: PlanKey, from?: Cursor): Promise<Loaded>
  /**
   * Makes an entry durable, then reads from the cursor. The entry counts only once it has been read back: it does not
   * recreate a log that was removed in the meantime.
   */
  append(key: PlanKey, entry: Entry, from?: Cursor): Promise<Loaded>
  /**
   * The same if nothing came after the cursor; otherwise it writes nothing, and returns what came without the entry. For
   * a store where it costs a round trip to read first.
   */
  appendNext?(key: PlanKey, entry: Entry, from?: Cursor): Promise<Loaded>
  /**
   * `append` for many entries of one plan, in order: all are written, or none. Entries that the log already has are
   * skipped, so the call can be repeated safely. If others keep the log locked for `wait` milliseconds, none are written, neither
   * then nor later.
   */
  appendAll?(key: PlanKey, entries: readonly Entry[], from?: Cursor, wait?: number): Promise<Loaded>
  /** The plans it has, most recently changed first. */
  list(filter?: PlanFilter): Promise<{ plans: PlanSummary[]; problems: Problem[] }>
  /**
   * A token that changes with every change of the plan's log; undefined if there is no log. It is requested with every
   * step of an agent, so it must be cheap, and must be comparable across processes.
   */
  position(key: PlanKey): Promise<string | undefined>
  /**
   * Calls the listener when a plan may have changed, by any process; without a key if any of them may have. Problems
   * with watching go to `onProblem`. Resolves once it is watching, with a function that stops it.
   */
  watch(listener: (key?: PlanKey) => void, onProblem?: (problem: Problem) => void): Promise<() => Promise<void>>
  remove(key: PlanKey): Promise<void>
  /**
   * Removes every plan that matches a condition. The condition is checked again for each: a plan written to in the
   * meantime is kept, and no acknowledged entry is lost. It also receives the plan's position, see `position`. Returns
   * the removed plans, and why matching others were kept.
   */
  sweep(
    condition: (plan: PlanSummary, position?: string) => boolean,
  ): Promise<{ removed: PlanSummary[]; problems: Problem[] }>
  /** What was changed by hand and is not noticed when a plan is read. Reads everything, for a check that a person asks for. */
  findDamage?(): Promise<Damage[]>
  /** Releases what keeps the process running, such as connections. The store is not used afterwards. */
  close(): Promise<void>
  /** Whether there may be entries after the cursor, if that is cheaper to find out than loading. */
  hasMore?(key: PlanKey, cursor: Cursor): boolean
  /**
   * Publishes the list for other programs, if the store supports it. Returns the problem with the previous file, if
   * any.
   */
  publish?(key: PlanKey, plan: Plan, change?: InPlaceChange): Promise<Problem | undefined>
  /** Whether the published list shows the plan, if that is cheaper to find out than publishing it. */
  isPublished?(key: PlanKey, plan: Plan): boolean
  /** A list found where this plan would be published, before the plan has a log. Unreadable parts are moved aside. */
  readList?(key: PlanKey): Promise<Wanted[]>
  /** Whether enough entries follow the last snapshot to make another worthwhile. */
  wantsSnapshot?(key: PlanKey, cursor: Cursor): boolean
  /** A folded state to continue from; optional, and always verified. */
  readSnapshot?(key: PlanKey): Promise<Snapshot | undefined>
  writeSnapshot?(key: PlanKey, snapshot: Omit<Snapshot, "problems">): Promise<void>
  /**
   * Receives the summary of a plan at a cursor after every entry, so that listing need not fold its log. If the log has
   * grown by the time it is listed, the summary is outdated.
   */
  keepSummary?(key: PlanKey, summary: PlanSummary, cursor: Cursor): Promise<void>
}
