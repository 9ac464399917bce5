/** The log under one plan: reads on where it stopped, commits entries, keeps snapshots, and takes over a list found on disk. */
import {
  diff,
  type Entry,
  type Fold,
  HeadwayError,
  isHeadwayError,
  messageOf,
  type PlanEvent,
  warning,
} from "../plan/index.ts"
import type { Loaded, PlanKey, Store } from "../stores/store.ts"
import { keepDerived } from "./keep-derived.ts"
import { createLogSoFar, type LogSoFarOptions } from "./log-so-far.ts"
import { type AgentInPlan, type EntryPart, invalidChange, newEntry, system } from "./new-entry.ts"
import { createPublisher, noPublisher, type Publisher } from "./publisher.ts"
import type { Renumbered } from "./renumbered.ts"

export type PlanLogOptions = Pick<LogSoFarOptions, "listener" | "onProblem"> & {
  store: Store
  key: PlanKey
  /** Recorded with the first entry. */
  opened: AgentInPlan | undefined
  now: () => Date
  newId: () => string
  /** Queues an action: only one at a time may read or write the log. */
  inOrder: <Result>(action: () => Promise<Result>) => Promise<Result>
}

/** Except for `fold` and `key`, all methods must be called in order. */
export type PlanLog = {
  readonly key: PlanKey
  readonly fold: Fold
  /** The number of entries that are only in memory because the store is full. */
  readonly unwritten: number
  readonly renumbered: Renumbered
  /** Reads what others have written since. */
  catchUp(): Promise<void>
  /** The same before an entry is written, at less cost. */
  catchUpQuickly(): Promise<void>
  /** Writes an entry, reads it back and returns its effect. */
  commit(part: EntryPart): Promise<PlanEvent[]>
  /**
   * Decides on the plan with everything that others have written, and writes what was decided, if anything. `catchUp` says
   * how to read it. Where the store can tell whether anything is new, nothing is read first: the decision is made on the
   * plan as it is known here, and again if others were faster.
   */
  change(decide: () => EntryPart | undefined, catchUp?: () => Promise<void>): Promise<PlanEvent[]>
  /** All entries ever written, in log order. */
  entries(): Promise<Entry[]>
  /** Switches to another plan. */
  switchTo(key: PlanKey): Promise<void>
  /** Publishes what is not published yet. */
  flush(): Promise<void>
}

const mostAttempts = 5

export const openPlanLog = async (options: PlanLogOptions): Promise<PlanLog> => {
  const { store, now, newId, onProblem } = options
  let key = options.key
  const soFar = createLogSoFar({
    ...options,
    onEvents: (revision, events) => publisher.saw(revision, events),
    onRestart: () => publisher.reset(),
  })

  const catchUp = async (): Promise<void> => soFar.take(await store.load(key, soFar.cursor))

  /** For a burst of calls: each ends with an append, which checks the log more closely. */
  const catchUpQuickly = async (): Promise<void> =>
    soFar.cursor && store.hasMore?.(key, soFar.cursor) === false ? undefined : catchUp()

  const publisher: Publisher = store.publish
    ? createPublisher({
        current: () => soFar.fold.plan,
        publish: async (plan, change) => store.publish?.(key, plan, change),
        catchUp: catchUpQuickly,
        inOrder: options.inOrder,
        onProblem,
      })
    : noPublisher

  const begin = async (): Promise<void> => {
    soFar.begin(await store.readSnapshot?.(key))
    await catchUp()
    publisher.reset()
    if (soFar.fold.ledger.entries > 0) publisher.check()
    else await adopt()
  }

  /** A list that exists before the plan has a log is imported, so that it is shown and never overwritten. */
  const adopt = async (): Promise<void> => {
    if (!store.readList) return
    try {
      const found = await store.readList(key)
      // A process that published the list wrote its log first. If several import it at once, only one import counts.
      await catchUp()
      if (found.length === 0 || soFar.fold.ledger.entries > 0) return
      const via = { dialect: "published", tool: "list", callId: "published-list" }
      await commit({ by: system, via, events: diff(soFar.fold.plan, found).events })
    } catch (cause) {
      onProblem(warning("not-adopted", `The existing list could not be imported: ${messageOf(cause)}`))
    }
  }

  const commit = async (part: EntryPart): Promise<PlanEvent[]> => {
    // An entry may end up on a line that a crash left unfinished, or its log may be removed at the same time. It is
    // then written again on its own line.
    const events = await write(part, (entry) => store.append(key, entry, soFar.cursor), mostAttempts)
    if (events) return events
    throw new HeadwayError("not-acknowledged", `The change was written to ${store.name} but could not be read back.`)
  }

  const change: PlanLog["change"] = async (decide, catchUpFirst = catchUp) => {
    const early = await decideEarly(decide)
    if (early.events) return early.events
    if (!early.isRead) await catchUpFirst()
    const part = decide()
    return part ? commit(part) : []
  }

  /** What was written on the plan as it is known here; otherwise whether the entries of others have been read by now. */
  const decideEarly = async (
    decide: () => EntryPart | undefined,
  ): Promise<{ events?: PlanEvent[] | undefined; isRead: boolean }> => {
    const { appendNext } = store
    if (!appendNext) return { isRead: false }
    let part: EntryPart | undefined
    try {
      part = decide()
    } catch {
      // What it is about may be among the entries of others. Otherwise it throws again.
    }
    // Nothing may be all there is to do, or what there is to do is not known yet.
    if (!part) return { isRead: false }
    try {
      return { events: await write(part, (entry) => appendNext.call(store, key, entry, soFar.cursor), 1), isRead: true }
    } catch (cause) {
      if (isHeadwayError(cause) && cause.code === invalidChange) return { isRead: false }
      throw cause
    }
  }

  /** Returns the effect of the entry once it was read back, and undefined if it never was. */
  const write = async (
    part: EntryPart,
    append: (entry: Entry) => Promise<Loaded>,
    attempts: number,
  ): Promise<PlanEvent[] | undefined> => {
    const { id = newId(), at = now().toISOString() } = part
    const effect = soFar.expect(id)
    try {
      await publisher.changing()
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        // Another process may have copied it from the other log.
        if (part.id !== undefined && soFar.fold.has(id)) return []
        const entry = newEntry({ ...part, id, at }, { key, fold: soFar.fold, opened: options.opened })
        const loaded = await append(entry)
        soFar.take(loaded)
        if (effect.events) {
          await publisher.changed()
          await keepDerived({ store, key, fold: soFar.fold, cursor: soFar.cursor }, onProblem)
          return effect.events.filter(({ type }) => type !== "plan-opened")
        }
        // It was already there before the part that was read, as an entry from another log may be.
        if (loaded.hadEntry) return []
      }
    } finally {
      soFar.forget(id)
    }
    return undefined
  }

  await begin()

  return {
    get key() {
      return key
    },
    get fold() {
      return soFar.fold
    },
    get unwritten() {
      return soFar.unwritten
    },
    renumbered: soFar.renumbered,
    catchUp,
    catchUpQuickly,
    commit,
    change,
    entries: async () => (await store.load(key)).entries,
    async switchTo(other) {
      if (soFar.unwritten > 0) await catchUp()
      if (soFar.unwritten > 0)
        throw new HeadwayError("store-full", `The plan cannot move: ${store.name} has no room for all of it.`)
      await publisher.flush()
      key = other
      soFar.renumbered.clear()
      await begin()
    },
    async flush() {
      // The last chance to write entries that the store only has in memory.
      if (soFar.unwritten > 0) await catchUp()
      await publisher.flush()
    },
  }
}
