/** The log under one plan: reads on where it stopped, commits entries, keeps snapshots, and takes over a list found on disk. */
import {
  type Actor,
  createFold,
  diff,
  type Entry,
  entryVersion,
  type Fold,
  HeadwayError,
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
import { createPublisher } from "./publisher.ts"

export type PlanLogOptions = {
  store: Store
  key: PlanKey
  /** What is known about the agent, written down with the first entry. */
  opened: Pick<PlanOpened, "agentType" | "project" | "parent" | "title"> | undefined
  now: () => Date
  newId: () => string
  /**
   * The listener of the moment, if there is one: it is called with the entries that were read together, and what each really did,
   * when all of them are in the plan. Without one nothing is kept for it, however long the log.
   */
  listener: () => ((happened: readonly Happened[]) => void) | undefined
  onProblem: (problem: Problem) => void
  /** Runs an action when those before it are done: only one at a time may read or write the log. */
  inOrder: <Result>(action: () => Promise<Result>) => Promise<Result>
}

export type Happened = { entry: Entry; events: PlanEvent[] }

/** What a writer decides about an entry; the log adds the rest. One that comes from another log keeps its id and its time. */
export type EntryPart = Pick<Entry, "by" | "events"> &
  Partial<Pick<Entry, "id" | "at">> & { via?: Entry["via"]; settle?: Settle; undoes?: string }

/** Except for `fold` and `key`, everything is to be called in order. */
export type PlanLog = {
  readonly key: PlanKey
  readonly fold: Fold
  /** How many entries are only in memory, because the store has no room. */
  readonly unwritten: number
  /** Reads what others have written since. */
  catchUp(): Promise<void>
  /** The same before an entry is written, at less cost. */
  catchUpQuickly(): Promise<void>
  /** Writes an entry and returns what it really did, once it was read back. */
  commit(part: EntryPart): Promise<PlanEvent[]>
  /** Every entry that was ever written, in log order. */
  entries(): Promise<Entry[]>
  /** Goes on with another plan. */
  switchTo(key: PlanKey): Promise<void>
  /** Publishes what is not published yet. */
  flush(): Promise<void>
}

export const system: Actor = { kind: "system", id: "headway" }

const mostAttempts = 5

export const openPlanLog = async (options: PlanLogOptions): Promise<PlanLog> => {
  const { store, now, newId, listener, onProblem, inOrder } = options
  /** What entries of ours did, from their writing until they were read back. */
  const acknowledged = new Map<string, PlanEvent[]>()
  let key = options.key
  let fold: Fold = createFold()
  let cursor: Cursor | undefined
  let unwritten = 0

  /** Folds what the log holds beyond what was read: the entries of all writers, in the one order of the log. */
  const catchUp = async (): Promise<void> => take(await store.load(key, cursor))

  /** The same for a burst of calls: each of them ends with an append, which looks at the log more closely. */
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
    onEntries?.(happened)
  }

  const publisher = createPublisher({
    current: () => fold.plan,
    publish: async (plan, change) => store.publish?.(key, plan, change),
    catchUp: catchUpQuickly,
    inOrder,
    onProblem,
  })

  /** Starts from the snapshot where there is one, and from the first entry where it is wrong. */
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

  /** A list that is there before the plan has a log is taken over, so that it is shown and never overwritten. */
  const adopt = async (): Promise<void> => {
    try {
      const found = (await store.readList?.(key)) ?? []
      // A process that published it from a log wrote that log first. Of several that take it over at once, only one counts.
      await catchUp()
      if (found.length === 0 || fold.ledger.entries > 0) return
      const via = { dialect: "published", tool: "list", callId: "published-list" }
      await commit({ by: system, via, events: diff(fold.plan, found).events })
    } catch (cause) {
      onProblem(warning("not-adopted", `The list that is already there could not be taken over: ${messageOf(cause)}`))
    }
  }

  /** Refuses what would not be read back as it is, before anything is written. */
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
    const wrong = fold.has(id) ? `the plan has an entry "${id}" already` : wrongIn(entry)
    if (wrong === undefined) return { ...entry, ...referencesIn(events, by, fold) }
    throw new HeadwayError("invalid-change", `The change was not written: ${wrong}.`)
  }

  const commit = async (part: EntryPart): Promise<PlanEvent[]> => {
    const { id = newId(), at = now().toISOString() } = part
    const unseen: PlanEvent[] = []
    acknowledged.set(id, unseen)
    try {
      await publisher.changing()
      // An entry may be glued to a line that a crash left open, or its log may be removed under it. Then it is written
      // once more, on a line of its own.
      for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
        // Another process may have brought it from the other log.
        if (part.id !== undefined && fold.has(id)) return []
        const loaded = await store.append(key, entryOf(part, id, at), cursor)
        take(loaded)
        const events = acknowledged.get(id)
        if (events === undefined || events === unseen) {
          // It was there before what was read, as one that came from another log may be.
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
    throw new HeadwayError("not-acknowledged", `The change was written to ${store.name} but could not be read back.`)
  }

  /** Without it listing is slower, and nothing else. */
  const handOverSummary = async (): Promise<void> => {
    try {
      if (cursor) await store.keepSummary?.(key, summarise(key, fold), cursor)
    } catch (cause) {
      onProblem(warning("no-summary", messageOf(cause)))
    }
  }

  /** Without it opening is slower, and nothing else. */
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
    catchUp,
    catchUpQuickly,
    commit,
    entries: async () => (await store.load(key)).entries,
    async switchTo(other) {
      if (unwritten > 0) await catchUp()
      if (unwritten > 0)
        throw new HeadwayError("store-full", `The plan cannot move: ${store.name} has no room for all of it.`)
      await publisher.flush()
      key = other
      await begin()
    },
    async flush() {
      // The last chance to write what the store only holds in memory.
      if (unwritten > 0) await catchUp()
      await publisher.flush()
    },
  }
}
