/** Plans of a remote store that are always available: changes are kept here first, and delivered when it is reachable. */
import { type Entry, messageOf, type Problem, type Writer, warning } from "../../plan/index.ts"
import { keyText } from "../../plan/plan-key.ts"
import { createFileStore } from "../file.ts"
import { type Loaded, type PlanKey, type PlanSummary, type Store, selectPlans } from "../store.ts"
import { createCarrier } from "./_carrier.ts"
import { createExchange, isForbidden, isOfOnePlan, wasReached } from "./_exchange.ts"
import { type JoinedLog, joinLogs, placeOf, snapshotPlace } from "./_joined-log.ts"
import { openListing } from "./_listing.ts"
import { openOutbox } from "./_outbox.ts"
import { createExchangeQueue } from "./_queue.ts"
import { awayError, readOnly } from "./_refusals.ts"
import { createUnmirrored } from "./_unmirrored.ts"
import { type Answered, within } from "./_within.ts"
import { type DeliveryState, deliveryState, replacedText, undeliveredText } from "./delivery-state.ts"
import type { DeliveryFolder } from "./folder.ts"
import { openMarks } from "./marks.ts"
import { awayAfter, isCarried, mayTry, readNote, writeNote } from "./note.ts"
import { ownEntriesIn } from "./own-entries.ts"

export type DeliveredOptions = {
  /** The name of the remote store, without a password. */
  name: string
  folder: DeliveryFolder
  /** The home of the person, where the launcher looks. */
  person: string
  /** Opens the remote store. Called on demand, and again after a failure. */
  open: () => Promise<Store>
  now?: () => Date
  /** The writer, recorded with each entry. @default not recorded */
  writer?: Writer | (() => Promise<Writer>)
  /**
   * The process is long-running: it watches the remote store, and delivers at once. @default false, until it is watched
   */
  stays?: boolean
  /** The same, once it has run for this many milliseconds. */
  staysAfter?: number
  /**
   * Data read some seconds ago is fresh enough, for frequently called commands. @default false: the first read asks the
   * store
   */
  isGlance?: boolean
  /** Milliseconds after which a long-running process that is not watching asks again. @default 2000 */
  againAfter?: number
  /** The most milliseconds to wait for the remote store before continuing without it. @default 2000 */
  timeout?: number
}

export type DeliveredStore = Store & {
  /**
   * Delivers all waiting entries and reads what is new in those plans. Rejects if the remote store cannot be reached.
   */
  deliver(): Promise<void>
  state(): Promise<DeliveryState>
}

export const createDeliveredStore = (options: DeliveredOptions): DeliveredStore => {
  const { name, folder, person, now = () => new Date(), writer } = options
  const freshFor = options.isGlance ? glance : 0
  const { againAfter = 2_000, timeout = 2_000 } = options
  const mirror = createFileStore({ home: folder.mirror, person })
  const marks = openMarks(folder)
  const outbox = openOutbox(folder, person, marks)
  const own = ownEntriesIn(person, name)
  const unmirrored = createUnmirrored()
  const joined = joinLogs(unmirrored.over(mirror), outbox, marks)
  const log: JoinedLog = {
    ...joined,
    async load(key, from) {
      const loaded = await joined.load(key, from)
      return { ...loaded, entries: own.attributed(key, loaded.entries) }
    },
  }
  const refused = (): Store => createFileStore({ home: folder.refused })
  const position = async (key: PlanKey): Promise<string | undefined> => {
    const [here, waiting] = [await mirror.position(key), await outbox.store.position(key)]
    return here === undefined && waiting === undefined ? undefined : `${here ?? ""}+${waiting ?? ""}`
  }
  const listing = openListing({ folder, mirror, outbox, log, position })
  const exchanging = createExchange({
    mirror,
    outbox,
    marks,
    unmirrored,
    own,
    refuse: async (key, entry) => void (await refused().append(key, entry)),
  })
  /** When this process last asked for a plan, by a clock that is never set. */
  const asked = new Map<string, number>()
  let opening: Promise<Store> | undefined
  let isClosed = false

  const opened = (): Promise<Store> => {
    opening ??= open().catch((cause: unknown) => {
      opening = undefined
      throw cause
    })
    return opening
  }

  const open = async (): Promise<Store> => {
    const remote = await options.open()
    try {
      const [mayWrite, identity] = await Promise.all([remote.mayWrite?.(), remote.identity?.()])
      if (mayWrite !== undefined) mayChange(mayWrite)
      keepIdentity(identity)
      return remote
    } catch (cause) {
      // The next attempt opens another one.
      remote.close().catch(ignore)
      throw cause
    }
  }

  /** If the database was replaced, plans that the new one lacks are no longer shown, and the person must be told so. */
  const keepIdentity = (identity: string | undefined): void => {
    const note = readNote(folder)
    if (identity === undefined || identity === note.identity) return
    keepNote({ ...note, identity, ...(note.identity === undefined ? {} : { replaced: now().toISOString() }) })
  }

  const mayChange = (mayWrite: boolean): void => {
    const { isReadOnly = false, ...note } = readNote(folder)
    if (isReadOnly === mayWrite) keepNote({ ...note, ...(mayWrite ? {} : { isReadOnly: true }) })
  }

  const queue = createExchangeQueue({
    folder,
    async exchange(key, claims, inTurn) {
      const remote = await opened()
      try {
        const exchanged = await inTurn(() => exchanging.plan(remote, key, claims))
        if (exchanged.delivered > 0 || exchanged.forbidden) mayChange(!exchanged.forbidden)
        if (exchanged.delivered > 0 && outbox.isEmpty()) keepStuck(undefined)
        return exchanged
      } catch (cause) {
        if (isOfOnePlan(cause)) keepStuck(messageOf(cause))
        throw cause
      }
    },
  })

  /** Runs a request to the remote store within the time limit. Rejects if it cannot be reached. */
  const ask = async <Result>(action: (answered: Answered) => Promise<Result>, wait: number): Promise<Result> => {
    try {
      const result = await within(wait, action, name)
      found()
      return result
    } catch (cause) {
      if (isForbidden(cause)) mayChange(false)
      if (wasReached(cause)) found()
      // What only waited for another process says nothing of the store, which that process is asking.
      else if (!queue.isWaiting()) lost(cause)
      throw cause
    }
  }

  /** The same, unless the store is known to be unreachable, which gives undefined. */
  const tryTo = async <Result>(action: (answered: Answered) => Promise<Result>): Promise<Result | undefined> => {
    if (isClosed || !mayTry(readNote(folder), now())) return undefined
    return ask(action, timeout).catch(() => undefined)
  }

  const found = (): void => {
    const note = readNote(folder)
    const { away, ...rest } = note
    if (away) keepNote(rest)
  }

  /** Why the log of a plan takes nothing there. */
  const keepStuck = (why: string | undefined): void => {
    const { stuck, ...note } = readNote(folder)
    if (stuck !== why) keepNote({ ...note, ...(why === undefined ? {} : { stuck: why }) })
  }

  const lost = (cause: unknown): void => {
    const note = readNote(folder)
    keepNote({ ...note, away: awayAfter(note, messageOf(cause), now()) })
  }

  /** If the note cannot be saved, the next attempt only comes sooner. */
  const keepNote = (note: Parameters<typeof writeNote>[1]): void => {
    try {
      writeNote(folder, { ...note, name })
    } catch {}
  }

  /** Whether the copy here is another one than was written last: it was removed, truncated or damaged. */
  const isCopyOther = async (key: PlanKey): Promise<boolean> => {
    if (queue.isUnderWay(key)) return false
    const mark = marks.read(key)
    return mark ? mark.mirror !== (await mirror.position(key)) : marks.age(key) !== undefined
  }

  const isFresh = (key: PlanKey): boolean => {
    const last = asked.get(keyText(key))
    if (last !== undefined && (carrier.isWatching() || performance.now() - last < againAfter)) return true
    const age = marks.age(key)
    return age !== undefined && (age < freshFor || isCarried(folder))
  }

  /** Reads what others wrote, unless it is known to be fresh. */
  const refresh = async (key: PlanKey): Promise<void> => {
    if (isFresh(key) && !(await isCopyOther(key))) return
    asked.set(keyText(key), performance.now())
    await tryTo(() => queue.add(key))
  }

  const dirtyKeys = async (): Promise<PlanKey[]> => (outbox.isEmpty() ? [] : outbox.keys())

  /** Plan by plan: with many of them, a store that answers each is not one that does not answer. */
  const deliverAll = async (answered: Answered, until = Number.POSITIVE_INFINITY): Promise<void> => {
    let failure: unknown
    for (const key of await dirtyKeys()) {
      if (performance.now() > until) break
      try {
        const { forbidden } = await queue.add(key)
        failure ??= forbidden
      } catch (cause) {
        if (!wasReached(cause)) throw cause
        failure ??= cause
      }
      answered()
    }
    if (failure !== undefined) throw failure
  }

  const handOver = async (answered = ignore, until?: number): Promise<void> =>
    exchanging.handOver(await opened(), answered, until)

  const carrier = createCarrier({
    folder,
    opened,
    exchange: queue.add,
    hasWaiting: () => !outbox.isEmpty(),
    handOver,
    dirtyKeys,
    recentKeys: () => marks.recent(aWeek),
    isKnown: (key) => marks.age(key) !== undefined,
    mayTry: () => mayTry(readNote(folder), now()),
    found,
    lost: (cause) => {
      opening = undefined
      lost(cause)
    },
  })
  if (options.stays) carrier.begin()
  const { staysAfter } = options
  const staying = staysAfter === undefined ? undefined : setTimeout(carrier.begin, staysAfter).unref()

  /** The right may have been given meanwhile, while the process that carries is connected since before. */
  const assertWritable = async (): Promise<void> => {
    if (!readNote(folder).isReadOnly) return
    if (await tryTo(async () => (await opened()).mayWrite?.())) mayChange(true)
    else throw readOnly(name)
  }

  const reachable = async <Result>(
    action: (remote: Store, answered: Answered) => Promise<Result>,
    what: string,
  ): Promise<Result> => {
    const { away } = readNote(folder)
    if (away && !mayTry({ away }, now())) throw awayError(name, away.since, what)
    return ask(async (answered) => action(await opened(), answered), timeout * requestTimeouts)
  }

  /** Others could claim the same todo in the meantime, so a claim counts only in the shared log. */
  const claim = async (key: PlanKey, entry: Entry, from: object | undefined): Promise<Loaded> => {
    const until = performance.now() + timeout * requestTimeouts
    await reachable((_, decided) => queue.add(key, { entry, until, decided }), "a todo cannot be claimed")
    return log.load(key, from)
  }

  const stamped = async (key: PlanKey, entry: Entry): Promise<Entry> => {
    if (!writer || entry.from) return own.sealed(key, entry)
    return own.sealed(key, { ...entry, from: typeof writer === "function" ? await writer() : writer })
  }

  const listElsewhere = async (): Promise<PlanSummary[] | undefined> => {
    const age = listing.age()
    if (age !== undefined && age < freshFor) return undefined
    const listed = await tryTo(async () => (await opened()).list())
    if (listed) {
      listing.keep(listed.plans)
      carrier.keepListing(listed.plans)
    }
    return listed?.plans
  }

  const dropHere = async (key: PlanKey): Promise<void> => {
    await mirror.remove(key)
    await outbox.store.remove(key)
    forget(key)
  }

  const forget = (key: PlanKey): void => {
    marks.remove(key)
    exchanging.forget(key)
    carrier.changed(key)
  }

  /** The condition of a sweep, which is told the positions of plans as they are known here. */
  const withPositions = async (condition: Condition, answered: Answered): Promise<Condition> => {
    const here = new Map<string, string | undefined>()
    for (const plan of (await mirror.list()).plans) here.set(keyText(plan), await position(plan))
    const there = new Map<string, string | undefined>()
    return (plan, now) => {
      answered()
      const name = keyText(plan)
      if (!there.has(name)) there.set(name, now)
      // Changed while it was swept, and then its position is another one than any that was told here.
      return condition(plan, there.get(name) === now ? (here.get(name) ?? now) : now)
    }
  }

  return {
    name,
    home: person,
    isPersistent: true,
    away: async () => (await problems()).find(({ code }) => code === "store-away"),
    async load(key, from) {
      await refresh(key)
      return log.load(key, from)
    },
    hasMore: log.hasMore,
    async append(key, given, from) {
      await assertWritable()
      await refresh(key)
      const entry = await stamped(key, given)
      if (placeOf(from).isBegun && (await position(key)) === undefined) return log.load(key, from)
      if (entry.events.some(({ type }) => type === "todo-claimed")) return claim(key, entry, from)
      await outbox.add(key, entry)
      carrier.wrote(key)
      return log.load(key, from)
    },
    async list(filter) {
      const live = carrier.listing()
      const fresh = live ? undefined : await listElsewhere()
      const known = fresh ?? live ?? listing.known() ?? []
      const plans = await listing.asHere(known, !fresh)
      return { plans: selectPlans(plans, filter), problems: await problems() }
    },
    async position(key) {
      await refresh(key)
      return position(key)
    },
    async keepSummary(key, summary) {
      listing.keepSummary(key, summary, await position(key))
    },
    readSnapshot: async (key) => {
      const snapshot = await mirror.readSnapshot?.(key)
      const problems = [...(snapshot?.problems ?? []), ...(marks.read(key)?.skipped ?? [])]
      return snapshot && { ...snapshot, cursor: snapshotPlace(snapshot.cursor), problems }
    },
    wantsSnapshot: (key, cursor) => {
      const { under, waiting } = placeOf(cursor)
      return under !== undefined && waiting.length === 0 && (mirror.wantsSnapshot?.(key, under) ?? false)
    },
    async writeSnapshot(key, { cursor, state }) {
      const { under, waiting } = placeOf(cursor)
      if (under && waiting.length === 0) await mirror.writeSnapshot?.(key, { cursor: under, state })
    },
    async watch(listener, onProblem) {
      const stops = [await mirror.watch(listener, onProblem), await outbox.store.watch(listener, onProblem)]
      stops.push(carrier.listen(listener))
      carrier.begin()
      return async () => {
        for (const stop of stops) await stop()
      }
    },
    async remove(key) {
      await assertWritable()
      await reachable((remote) => remote.remove(key), "a plan cannot be removed")
      await dropHere(key)
    },
    async sweep(condition) {
      await assertWritable()
      const swept = await reachable(async (remote, answered) => {
        await deliverAll(answered)
        return remote.sweep(await withPositions(condition, answered))
      }, "plans cannot be removed")
      // Entries written here in the meantime start the plan again. A copy that cannot be removed is found to be old.
      for (const plan of swept.removed) await mirror.remove(plan).then(() => forget(plan), ignore)
      return swept
    },
    async deliver() {
      await ask(deliverAll, timeout * 10)
      await handOver()
    },
    state: () => deliveryState(folder),
    async close() {
      if (isClosed) return
      clearTimeout(staying)
      const isOthers = !carrier.isWatching() && isCarried(folder)
      // One that does not answer is not waited for, least of all where it was waited for already.
      const wait = readNote(folder).away ? 0 : timeout
      const answers = await within(wait, carrier.end(), name).then(
        () => true,
        () => false,
      )
      // What takes longer is left to the next command.
      const until = performance.now() + timeout
      if (answers && !isOthers && !outbox.isEmpty()) await tryTo((answered) => deliverAll(answered, until))
      if (answers && opening) await tryTo((answered) => handOver(answered, until))
      isClosed = true
      await mirror.close()
      await outbox.store.close()
      const closing = opening?.then((remote) => remote.close())
      if (closing) await within(answers ? timeout : 0, closing, name).catch(() => {})
    },
  }

  async function problems(): Promise<Problem[]> {
    const { away, stuck, replaced, isReadOnly } = readNote(folder)
    const isOther = replaced !== undefined && Math.abs(now().getTime() - Date.parse(replaced)) < aWeek
    const isHeldBack = stuck !== undefined || (isReadOnly && !outbox.isEmpty())
    const text = away || isHeldBack ? undeliveredText(name, await deliveryState(folder, outbox)) : ""
    return [
      ...(isOther ? [warning("other-database", replacedText(name, replaced))] : []),
      ...(text === "" ? [] : [warning(away ? "store-away" : "undelivered", text)]),
    ]
  }
}

type Condition = Parameters<Store["sweep"]>[0]

const ignore = (): void => {}

/** In milliseconds. */
const glance = 5_000

/** What cannot do without the remote store waits longer for it. */
const requestTimeouts = 5

const aWeek = 7 * 24 * 60 * 60_000
