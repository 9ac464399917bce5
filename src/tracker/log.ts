/** The log under one plan: reads on where it stopped, commits entries, keeps snapshots, and takes over a list found on disk. */
import {
  type Actor,
  createFold,
  diff,
  type Entry,
  entryVersion,
  type Fold,
  HeadwayError,
  isHeadwayError,
  messageOf,
  type PlanEvent,
  type PlanOpened,
  type Problem,
  referencesIn,
  type Settle,
  warning,
  wrongIn,
} from "../plan/index.ts"
import { type Cursor, type Loaded, type PlanKey, type Store, summarise } from "../stores/store.ts"
import { createPublisher, noPublisher } from "./publisher.ts"
import { createRenumbered, type Renumbered } from "./renumbered.ts"

export type PlanLogOptions = {
  store: Store
  key: PlanKey
  /** What is known about the agent, recorded with the first entry. */
  opened: Pick<PlanOpened, "agentType" | "project" | "parent" | "title"> | undefined
  now: () => Date
  newId: () => string
  /**
   * The current listener, if any. It is called with the entries that were read together and their effects, once all of
   * them are in the plan. Without a listener nothing is collected.
   */
  listener: () => ((happened: readonly Happened[]) => void) | undefined
  onProblem: (problem: Problem) => void
  /** Queues an action: only one at a time may read or write the log. */
  inOrder: <Result>(action: () => Promise<Result>) => Promise<Result>
}

export type Happened = { entry: Entry; events: PlanEvent[] }

/**
 * The part of an entry that its writer decides; the log adds the rest. An entry from another log keeps its id and time.
 */
export type EntryPart = Pick<Entry, "by" | "events"> &
  Partial<Pick<Entry, "id" | "at">> & { via?: Entry["via"]; settle?: Settle; undoes?: string }

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

export const system: Actor = { kind: "system", id: "headway" }

const mostAttempts = 5

const invalidChange = "invalid-change"

export const openPlanLog = async (options: PlanLogOptions): Promise<PlanLog> => {
  const { store, now, newId, listener, onProblem, inOrder } = options
  /** The effects of our own entries, between writing and reading them back. */
  const acknowledged = new Map<string, PlanEvent[]>()
  let key = options.key
  let fold: Fold = createFold()
  let cursor: Cursor | undefined
  let unwritten = 0
  const renumbered = createRenumbered()

  /** Folds the entries that have not been read yet, from all writers, in log order. */
  const catchUp = async (): Promise<void> => take(await store.load(key, cursor))

  /** The same for a burst of calls: each ends with an append, which checks the log more closely. */
  const catchUpQuickly = async (): Promise<void> =>
    cursor && store.hasMore?.(key, cursor) === false ? undefined : catchUp()

  const take = (loaded: Loaded): void => {
    const told = loaded.isReordered ? fold : undefined
    unwritten = loaded.unwritten ?? 0
    if (loaded.restarted) {
      fold = createFold()
      publisher.reset()
    }
    cursor = loaded.cursor
    for (const problem of loaded.problems) onProblem(problem)
    const onEntries = listener()
    const happened: Happened[] = []
    for (const entry of loaded.entries) {
      const isOurs = acknowledged.has(entry.id) && !fold.has(entry.id)
      const from = fold.revision
      const events = fold.add(entry)
      publisher.saw(from, events)
      if (isOurs) acknowledged.set(entry.id, events)
      if (onEntries && !told?.has(entry.id)) happened.push({ entry, events })
    }
    if (told) renumbered.compare(told.ledger, fold.ledger)
    onEntries?.(happened)
  }

  const publisher = store.publish
    ? createPublisher({
        current: () => fold.plan,
        publish: async (plan, change) => store.publish?.(key, plan, change),
        catchUp: catchUpQuickly,
        inOrder,
        onProblem,
      })
    : noPublisher

  /** Starts from the snapshot if there is a valid one, otherwise from the first entry. */
  const begin = async (): Promise<void> => {
    const snapshot = await store.readSnapshot?.(key)
    try {
      fold = createFold(snapshot?.state)
      cursor = snapshot?.cursor
      for (const problem of snapshot?.problems ?? []) onProblem(problem)
    } catch {
      fold = createFold()
      cursor = undefined
    }
    await catchUp()
    publisher.reset()
    if (fold.ledger.entries > 0) publisher.check()
    else await adopt()
  }

  /** A list that exists before the plan has a log is imported, so that it is shown and never overwritten. */
  const adopt = async (): Promise<void> => {
    if (!store.readList) return
    try {
      const found = await store.readList(key)
      // A process that published the list wrote its log first. If several import it at once, only one import counts.
      await catchUp()
      if (found.length === 0 || fold.ledger.entries > 0) return
      const via = { dialect: "published", tool: "list", callId: "published-list" }
      await commit({ by: system, via, events: diff(fold.plan, found).events })
    } catch (cause) {
      onProblem(warning("not-adopted", `The existing list could not be imported: ${messageOf(cause)}`))
    }
  }

  /** Rejects an entry that could not be read back unchanged, before anything is written. */
  const entryOf = ({ by, via, settle = {}, undoes, events }: EntryPart, id: string, at: string): Entry => {
    const opening: PlanEvent[] = fold.ledger.opened ? [] : [{ type: "plan-opened", ...key, ...options.opened }]
    const entry: Entry = {
      v: entryVersion,
      id,
      at,
      by,
      ...(via ? { via } : {}),
      events: [...opening, ...events],
      ...(Object.keys(settle).length > 0 ? { settle } : {}),
      ...(undoes === undefined ? {} : { undoes }),
    }
    const wrong = fold.has(id) ? `the plan already has an entry "${id}"` : wrongIn(entry)
    if (wrong === undefined) return { ...entry, ...referencesIn(events, by, fold) }
    throw new HeadwayError(invalidChange, `The change was not written: ${wrong}.`)
  }

  const commit = async (part: EntryPart): Promise<PlanEvent[]> => {
    // An entry may end up on a line that a crash left unfinished, or its log may be removed at the same time. It is
    // then written again on its own line.
    const events = await write(part, (entry) => store.append(key, entry, cursor), mostAttempts)
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
      return { events: await write(part, (entry) => appendNext.call(store, key, entry, cursor), 1), isRead: true }
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
    const unseen: PlanEvent[] = []
    acknowledged.set(id, unseen)
    try {
      await publisher.changing()
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        // Another process may have copied it from the other log.
        if (part.id !== undefined && fold.has(id)) return []
        const loaded = await append(entryOf(part, id, at))
        take(loaded)
        const events = acknowledged.get(id)
        if (events === undefined || events === unseen) {
          // It was already there before the part that was read, as an entry from another log may be.
          if (loaded.hadEntry) return []
          continue
        }
        await publisher.changed()
        await handOverSummary()
        if (cursor && store.wantsSnapshot?.(key, cursor)) await saveSnapshot()
        return events.filter(({ type }) => type !== "plan-opened")
      }
    } finally {
      acknowledged.delete(id)
    }
    return undefined
  }

  /** If this fails, only listing gets slower. */
  const handOverSummary = async (): Promise<void> => {
    try {
      if (cursor) await store.keepSummary?.(key, summarise(key, fold), cursor)
    } catch (cause) {
      onProblem(warning("no-summary", messageOf(cause)))
    }
  }

  /** If this fails, only opening gets slower. */
  const saveSnapshot = async (): Promise<void> => {
    try {
      if (cursor) await store.writeSnapshot?.(key, { cursor, state: fold.snapshot() })
    } catch (cause) {
      onProblem(warning("no-snapshot", messageOf(cause)))
    }
  }

  await begin()

  return {
    get key() {
      return key
    },
    get fold() {
      return fold
    },
    get unwritten() {
      return unwritten
    },
    renumbered,
    catchUp,
    catchUpQuickly,
    commit,
    change,
    entries: async () => (await store.load(key)).entries,
    async switchTo(other) {
      if (unwritten > 0) await catchUp()
      if (unwritten > 0)
        throw new HeadwayError("store-full", `The plan cannot move: ${store.name} has no room for all of it.`)
      await publisher.flush()
      key = other
      renumbered.clear()
      await begin()
    },
    async flush() {
      // The last chance to write entries that the store only has in memory.
      if (unwritten > 0) await catchUp()
      await publisher.flush()
    },
  }
}
