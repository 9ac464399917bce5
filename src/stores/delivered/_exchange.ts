/** Exchanges one plan's entries: delivers waiting entries in order, and reads those of others into the mirror. */
import { createFold, type Entry, HeadwayError, isHeadwayError, type Problem } from "../../plan/index.ts"
import { keyText } from "../../plan/plan-key.ts"
import type { FileStore } from "../file.ts"
import { type Cursor, type Loaded, type PlanKey, type PlanSummary, type Store, summarise } from "../store.ts"
import type { Outbox } from "./_outbox.ts"
import type { Unmirrored } from "./_unmirrored.ts"
import type { Answered } from "./_within.ts"
import type { Marks } from "./marks.ts"
import type { OwnEntries } from "./own-entries.ts"

export type ExchangeOptions = {
  /** A home of files. */
  mirror: FileStore
  outbox: Outbox
  marks: Marks
  unmirrored: Unmirrored
  own: Pick<OwnEntries, "withEvents">
  /** Receives an entry that the remote store permanently rejects. */
  refuse: (key: PlanKey, entry: Entry, why: string) => Promise<void>
}

/** What arrived for a plan: entries of others, or a replaced log. */
export type Exchanged = {
  delivered: number
  read: number
  isRestarted: boolean
  /** Why nothing was delivered, where this user may read the plan and not change it. */
  forbidden?: Error
}

/**
 * A claim counts at once or never: its agent is told that it failed when its time is over (`performance.now()`), unless
 * it is `decided` by then, and only has to be read back.
 */
export type Claim = { entry: Entry; until: number; decided: () => void }

export type Exchange = {
  /** Delivers the waiting entries of a plan, then claims, and reads what is new. */
  plan(remote: Store, key: PlanKey, claims: readonly Claim[]): Promise<Exchanged>
  /** Sends the summaries of plans with delivered entries, so that listing there need not fold them, until a time (`performance.now()`). */
  handOver(remote: Store, answered: Answered, until?: number): Promise<void>
  /** The plan was removed here. */
  forget(key: PlanKey): void
}

/** Errors about a single entry: the following entries may still be accepted. */
const refusals = ["entry-too-long", "entry-refused"]

/**
 * Only one process at a time should do this for a plan. If two do, they deliver the same entries in the same order: the
 * remote store accepts each once, and duplicates in the mirror count once.
 */
export const createExchange = ({ mirror, outbox, marks, unmirrored, own, refuse }: ExchangeOptions): Exchange => {
  /** If cursors cannot be saved, they are valid in this process until another one reads. */
  const cursors = new Map<string, Cursor>()
  const reader = Math.random().toString(36).slice(2)
  const mirrored = new Map<string, Cursor>()
  /** Plans that this process has exchanged: what an earlier Headway could not read may be readable for this one. */
  const reread = new Set<string>()
  const toSum = new Map<string, { key: PlanKey; cursor: Cursor }>()

  const append = async (remote: Store, key: PlanKey, entries: readonly Entry[], from?: Cursor): Promise<Loaded> => {
    const read: Entry[] = []
    let last: Loaded | undefined
    let again: Pick<Loaded, "restarted" | "isReplaced"> = {}
    for (const part of remote.appendAll ? chunksOf(entries) : entries.map((entry) => [entry])) {
      const cursor: Cursor | undefined = last?.cursor ?? from
      const [first] = part
      if (!first) continue
      last = remote.appendAll ? await remote.appendAll(key, part, cursor) : await remote.append(key, first, cursor)
      if (last.restarted) {
        read.length = 0
        again = { restarted: true, ...(again.isReplaced || last.isReplaced ? { isReplaced: true } : {}) }
      }
      read.push(...last.entries)
      // Those after it would come before it.
      if (!hasAll(last.entries, part)) break
    }
    const loaded = last ?? (await remote.load(key, from))
    return { ...loaded, entries: last ? read : loaded.entries, ...again }
  }

  /** Entry by entry after one was rejected, so that the others are still delivered. */
  const appendSingly = async (remote: Store, key: PlanKey, entries: readonly Entry[]): Promise<void> => {
    for (const entry of entries) {
      try {
        await append(remote, key, [entry])
      } catch (cause) {
        if (!isRefusal(cause)) throw cause
        await refuse(key, entry, cause.message)
      }
    }
  }

  /** Returns the log after the cursor, or the whole log, marked as such. */
  const deliver = async (
    remote: Store,
    key: PlanKey,
    entries: readonly Entry[],
    from: Cursor | undefined,
  ): Promise<{ loaded: Loaded; isWhole: boolean }> => {
    try {
      const loaded = await append(remote, key, entries, from)
      if (hasAll(loaded.entries, entries)) return { loaded, isWhole: from === undefined || loaded.restarted === true }
    } catch (cause) {
      if (!isRefusal(cause)) throw cause
      await appendSingly(remote, key, entries)
      return { loaded: await remote.load(key), isWhole: true }
    }
    // They are already there, before the cursor; or the log was removed, and acknowledged entries start it again.
    const there = await remote.load(key)
    const ids = new Set(there.entries.map(({ id }) => id))
    const missing = entries.filter(({ id }) => !ids.has(id))
    if (missing.length > 0)
      await append(remote, key, there.entries.length === 0 ? await opened(key, missing) : missing, there.cursor)
    const loaded = await remote.load(key)
    // It reports them as present but does not return them: another entry may have the same id.
    const shown = new Set(loaded.entries.map(({ id }) => id))
    for (const entry of missing) if (!shown.has(entry.id)) await refuse(key, entry, "It was not taken.")
    return { loaded, isWhole: true }
  }

  /** A plan that is started again repeats whose it is. */
  const opened = async (key: PlanKey, [first, ...others]: readonly Entry[]): Promise<Entry[]> => {
    if (!first) return []
    if (first.events.some(({ type }) => type === "plan-opened")) return [first, ...others]
    const known = (await mirror.load(key)).entries.flatMap(({ events }) => events)
    const before = known.find(({ type }) => type === "plan-opened") ?? { type: "plan-opened" as const, ...key }
    return [own.withEvents(key, first, [before, ...first.events]), ...others]
  }

  const mirrorCursor = async (key: PlanKey): Promise<Cursor> =>
    mirrored.get(keyText(key)) ?? (await mirror.load(key, (await mirror.readSnapshot?.(key))?.cursor)).cursor

  /** Returns how many entries were new here; undefined if the mirror was replaced. */
  const takeIn = async (key: PlanKey, loaded: Loaded, isWhole: boolean): Promise<Taken | undefined> => {
    const { entries, isReplaced = false } = loaded
    if (!isWhole) {
      if (entries.length === 0) return { read: 0, isRestarted: false }
      const isTaken = await addToMirror(key, entries, await mirrorCursor(key))
      return isTaken ? { read: entries.length, isRestarted: false } : undefined
    }
    const known = await mirror.load(key)
    const [here, there] = [onceEach(known.entries), onceEach(entries)]
    // Another process may have read more by now. Of a log that is gone nothing is left there.
    const both = isReplaced || there.length === 0 ? here.length : Math.min(here.length, there.length)
    const isReadable = known.problems.length === 0
    const isSame = isReadable && here.slice(0, both).every(({ id }, index) => there[index]?.id === id)
    if (!isSame) {
      if (isReplaced) await keepLost(key, here, there)
      await mirror.remove(key)
    }
    const fresh = isSame ? there.slice(here.length) : there
    const isTaken = fresh.length === 0 || (await addToMirror(key, fresh, isSame ? known.cursor : undefined))
    return isTaken ? { read: fresh.length, isRestarted: !isSame } : undefined
  }

  /** Entries that were delivered and are missing there: this may be the only remaining copy. */
  const keepLost = async (key: PlanKey, here: readonly Entry[], there: readonly Entry[]): Promise<void> => {
    const ids = new Set(there.map(({ id }) => id))
    for (const entry of here) if (!ids.has(entry.id)) await refuse(key, entry, "It no longer exists.")
  }

  const takeAll = async (remote: Store, key: PlanKey): Promise<{ loaded: Loaded; taken: Taken }> => {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      mirrored.delete(keyText(key))
      const loaded = await remote.load(key)
      const taken = await takeIn(key, loaded, true)
      if (taken) return { loaded, taken: { ...taken, isRestarted: true } }
    }
    throw new HeadwayError("store-failed", `A plan from ${remote.name} could not be written to ${mirror.name}.`)
  }

  const addToMirror = async (key: PlanKey, entries: readonly Entry[], from: Cursor | undefined): Promise<boolean> => {
    let cursor = from
    for (const part of chunksOf(entries)) {
      const loaded = await mirror.appendLines(key, part, cursor)
      cursor = loaded.cursor
      mirrored.set(keyText(key), cursor)
      if (!hasAll(loaded.entries, part)) return false
    }
    return true
  }

  const summaryOf = async (key: PlanKey): Promise<PlanSummary> => {
    const snapshot = await mirror.readSnapshot?.(key)
    const fold = createFold(snapshot?.state)
    for (const entry of (await mirror.load(key, snapshot?.cursor)).entries) fold.add(entry)
    return summarise(key, fold)
  }

  /** A plan is read where nothing can be written here, as plans in files are. */
  const readWithoutKeeping = async (remote: Store, key: PlanKey): Promise<{ loaded: Loaded; taken: Taken }> => {
    mirrored.delete(keyText(key))
    const loaded = await remote.load(key)
    unmirrored.keep(key, loaded.entries)
    return { loaded, taken: { read: loaded.entries.length, isRestarted: true } }
  }

  const exchange = async (store: Store, key: PlanKey, asking: readonly Claim[]): Promise<Exchanged> => {
    const inTime = asking.filter(({ until }) => until > performance.now())
    const claims = inTime.map(({ entry }) => entry)
    const remote = claims.length === 0 ? store : untilOver(store, inTime)
    const mark = marks.read(key)
    const from = remote.hasPlainCursors ? mark?.cursor : mark?.reader === reader ? cursors.get(keyText(key)) : undefined
    const waiting = await outbox.waiting(key)
    const toDeliver = [...waiting.entries, ...claims]
    let forbidden: Error | undefined
    const load = async () => {
      const loaded = await remote.load(key, from)
      return { loaded, isWhole: !from || loaded.restarted === true }
    }
    const isIntact =
      mark !== undefined && mark.mirror === (await mirror.position(key)) && (!mark.skipped || reread.has(keyText(key)))
    const asked =
      toDeliver.length === 0
        ? await load()
        : await deliver(remote, key, toDeliver, from).catch((cause: unknown) => {
            // Entries go on waiting, and the plan is read all the same. A claim is refused.
            if (!isForbidden(cause) || claims.length > 0) throw cause
            forbidden = cause
            return load()
          })
    for (const { decided } of inTime) decided()
    // What follows a cursor makes no log of a copy that lacks something before it.
    const answer = isIntact || asked.isWhole ? asked : { loaded: await remote.load(key), isWhole: true }
    const skipped = onceEachText([...((!answer.isWhole && mark?.skipped) || []), ...answer.loaded.problems])
    reread.add(keyText(key))
    const delivered = forbidden ? [] : waiting.entries
    const begun = waiting.before > 0 ? mark?.delivered?.first : delivered[0]?.id
    const count = waiting.before + delivered.length
    const keepHere = async (): Promise<{ loaded: Loaded; taken: Taken }> => {
      const first = await takeIn(key, answer.loaded, answer.isWhole)
      const { loaded, taken } = first ? { loaded: answer.loaded, taken: first } : await takeAll(remote, key)
      cursors.set(keyText(key), loaded.cursor)
      marks.write({
        key,
        ...(remote.hasPlainCursors ? { cursor: loaded.cursor } : { reader }),
        mirror: await mirror.position(key),
        ...(skipped.length === 0 ? {} : { skipped }),
        ...(begun === undefined ? {} : { delivered: { first: begun, count } }),
      })
      unmirrored.forget(key)
      return { loaded, taken }
    }
    let isKept = true
    const { loaded, taken } = await keepHere().catch(async () => {
      isKept = false
      return readWithoutKeeping(remote, key)
    })
    if (forbidden) return { delivered: 0, ...taken, forbidden }
    // Without a mark they are delivered again, and the remote store has each once.
    if (!isKept) return { delivered: toDeliver.length, ...taken }
    if (count > 0) await outbox.delivered(key, waiting)
    if (toDeliver.length > 0) toSum.set(keyText(key), { key, cursor: loaded.cursor })
    return { delivered: toDeliver.length, ...taken }
  }

  return {
    plan: exchange,
    async handOver(remote, answered, until = Number.POSITIVE_INFINITY) {
      for (const [name, { key, cursor }] of [...toSum]) {
        if (performance.now() > until) return
        toSum.delete(name)
        await remote.keepSummary?.(key, await summaryOf(key), cursor)
        answered()
      }
    },
    forget(key) {
      toSum.delete(keyText(key))
      cursors.delete(keyText(key))
      mirrored.delete(keyText(key))
    },
  }
}

type Taken = Pick<Exchanged, "read" | "isRestarted">

const mostAttempts = 3

const mostAtOnce = 200

const chunksOf = (entries: readonly Entry[]): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / mostAtOnce) }, (_, index) =>
    entries.slice(index * mostAtOnce, (index + 1) * mostAtOnce),
  )

/** Something of the time is left for the answer. */
const shareOfWait = 0.8

/** The store, which writes nothing any more when the time of one of the claims is over. */
const untilOver = (store: Store, claims: readonly Claim[]): Store => {
  const { appendAll } = store
  if (!appendAll) return store
  const left = (): number => Math.min(...claims.map(({ until }) => until)) - performance.now()
  return { ...store, appendAll: (key, entries, from) => appendAll(key, entries, from, left() * shareOfWait) }
}

/** An entry may be in a log twice; its first position counts. */
const onceEach = (entries: readonly Entry[]): Entry[] =>
  [...new Map(entries.toReversed().map((entry) => [entry.id, entry])).values()].toReversed()

/** The last ones, because anyone who writes there can make any number of them. */
const onceEachText = (problems: readonly Problem[]): Problem[] =>
  [...new Map(problems.map((problem) => [problem.message, problem])).values()].slice(-mostProblems)

const mostProblems = 10

const hasAll = (entries: readonly Entry[], wanted: readonly Entry[]): boolean => {
  const ids = new Set(entries.map(({ id }) => id))
  return wanted.every(({ id }) => ids.has(id))
}

/** Whether something is wrong with the log of one plan there, and others can be delivered all the same. */
export const isOfOnePlan = (cause: unknown): boolean => isHeadwayError(cause) && cause.code === "plan-stuck"

/** Whether this user has no right to it there. */
export const isForbidden = (cause: unknown): cause is Error => isHeadwayError(cause) && cause.code === "read-only"

/** Whether the remote store was reached, and only did not take something. */
export const wasReached = (cause: unknown): boolean => isOfOnePlan(cause) || isForbidden(cause)

const isRefusal = (cause: unknown): cause is Error => isHeadwayError(cause) && refusals.includes(cause.code)
