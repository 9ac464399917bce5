/** Plans of a remote store that are always available: changes are kept here first, and delivered when it is reachable. */
import { messageOf, type Writer } from "../../plan/index.ts"
import { createFileStore } from "../file/index.ts"
import { type PlanKey, type PlanSummary, type Store, selectPlans } from "../store.ts"
import { createChanges } from "./_changes.ts"
import { openCopyHere } from "./_copy-here.ts"
import { deliverAll, dirtyKeys } from "./_deliver-all.ts"
import { openListing } from "./_listing.ts"
import { mirrorSnapshots } from "./_mirror-snapshots.ts"
import { createRefresh } from "./_refresh.ts"
import { createRemoval } from "./_removal.ts"
import { createCarrier } from "./carrier/carrier.ts"
import { createConnection } from "./connection/connection.ts"
import { isOfOnePlan } from "./connection/errors.ts"
import { keepNote } from "./connection/kept-note.ts"
import { isCarried } from "./connection/note.ts"
import { type Answered, within } from "./connection/within.ts"
import { type DeliveryState, deliveryProblems, deliveryState } from "./delivery-state.ts"
import { createExchange } from "./exchange/exchange.ts"
import { createExchangeQueue } from "./exchange/queue.ts"
import type { DeliveryFolder } from "./folder.ts"

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
  const here = openCopyHere(name, folder, person)
  const { mirror, outbox, marks, log, position } = here
  const note = keepNote({ name, folder, now })
  const exchanging = createExchange({
    ...here,
    refuse: async (key, entry) => void (await createFileStore({ home: folder.refused }).append(key, entry)),
  })
  const queue = createExchangeQueue({
    folder,
    async exchange(key, claims, inTurn) {
      const remote = await connection.opened()
      try {
        const exchanged = await inTurn(() => exchanging.plan(remote, key, claims))
        if (exchanged.delivered > 0 || exchanged.forbidden) note.mayChange(!exchanged.forbidden)
        if (exchanged.delivered > 0 && outbox.isEmpty()) note.stuck(undefined)
        return exchanged
      } catch (cause) {
        if (isOfOnePlan(cause)) note.stuck(messageOf(cause))
        throw cause
      }
    },
  })
  const connection = createConnection({ name, note, open: options.open, timeout, isWaiting: queue.isWaiting })

  const deliverWaiting = (answered: Answered, until = Number.POSITIVE_INFINITY): Promise<void> =>
    deliverAll({ outbox, exchange: queue.add, answered, until })
  const handOver = async (answered: Answered = () => {}, until?: number): Promise<void> =>
    exchanging.handOver(await connection.opened(), answered, until)

  const carrier = createCarrier({
    folder,
    opened: connection.opened,
    exchange: queue.add,
    hasWaiting: () => !outbox.isEmpty(),
    handOver,
    dirtyKeys: () => dirtyKeys(outbox),
    recentKeys: () => marks.recent(aWeek),
    isKnown: (key) => marks.age(key) !== undefined,
    mayTry: () => note.paused() === undefined,
    found: note.reached,
    lost: connection.dropped,
  })
  if (options.stays) carrier.begin()
  const { staysAfter } = options
  const staying = staysAfter === undefined ? undefined : setTimeout(carrier.begin, staysAfter).unref()

  const refresh = createRefresh({
    folder,
    mirror,
    marks,
    isWatching: carrier.isWatching,
    isUnderWay: queue.isUnderWay,
    freshFor,
    againAfter,
    exchange: (key) => connection.tryTo(() => queue.add(key)),
  })
  const forget = (key: PlanKey): void => {
    marks.remove(key)
    exchanging.forget(key)
    carrier.changed(key)
  }
  const listing = openListing({ folder, mirror, outbox, log, position })
  const problems = () => deliveryProblems(name, folder, outbox, now())

  const listElsewhere = async (): Promise<PlanSummary[] | undefined> => {
    const age = listing.age()
    if (age !== undefined && age < freshFor) return undefined
    const listed = await connection.tryTo(async () => (await connection.opened()).list())
    if (listed) {
      listing.keep(listed.plans)
      carrier.keepListing(listed.plans)
    }
    return listed?.plans
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
    ...createChanges({ here, connection, queue, refresh, wrote: carrier.wrote, writer }),
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
    ...mirrorSnapshots(mirror, marks),
    async watch(listener, onProblem) {
      const stops = [await mirror.watch(listener, onProblem), await outbox.store.watch(listener, onProblem)]
      stops.push(carrier.listen(listener))
      carrier.begin()
      return async () => {
        for (const stop of stops) await stop()
      }
    },
    ...createRemoval({ connection, mirror, outbox, position, deliverAll: deliverWaiting, forget }),
    async deliver() {
      await connection.ask(deliverWaiting, timeout * 10)
      await handOver()
    },
    state: () => deliveryState(folder),
    async close() {
      if (connection.isStopped()) return
      clearTimeout(staying)
      const isOthers = !carrier.isWatching() && isCarried(folder)
      // One that does not answer is not waited for, least of all where it was waited for already.
      const wait = note.read().away ? 0 : timeout
      const answers = await within(wait, carrier.end(), name).then(
        () => true,
        () => false,
      )
      // What takes longer is left to the next command.
      const until = performance.now() + timeout
      if (answers && !isOthers && !outbox.isEmpty())
        await connection.tryTo((answered) => deliverWaiting(answered, until))
      if (answers && connection.isBegun()) await connection.tryTo((answered) => handOver(answered, until))
      connection.stop()
      await here.close()
      await connection.close(answers ? timeout : 0)
    },
  }
}

/** In milliseconds. */
const glance = 5_000

const aWeek = 7 * 24 * 60 * 60_000
