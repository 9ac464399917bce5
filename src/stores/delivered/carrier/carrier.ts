/**
 * A long-running process delivers and reads for all others on this machine: it watches both sides, and announces that.
 */
import { rmSync } from "node:fs"
import { replaceFile } from "../../../home/write-file.ts"
import { keyText } from "../../../plan/plan-key.ts"
import type { PlanKey, PlanSummary, Store } from "../../store.ts"
import { type Exchanged, wasReached } from "../exchange/exchange.ts"
import type { DeliveryFolder } from "../folder.ts"

export type CarrierOptions = {
  folder: DeliveryFolder
  opened: () => Promise<Store>
  exchange: (key: PlanKey) => Promise<Exchanged>
  /** Whether anything may wait, at the cost of one look. */
  hasWaiting: () => boolean
  dirtyKeys: () => Promise<PlanKey[]>
  /** Sends the remote store the summaries of plans with delivered entries. */
  handOver: () => Promise<void>
  /** The plans that were recently used here. */
  recentKeys: () => PlanKey[]
  /** Whether a plan was ever used here. */
  isKnown: (key: PlanKey) => boolean
  mayTry: () => boolean
  found: () => void
  lost: (cause: unknown) => void
}

export type Carrier = {
  begin(): void
  /** Whether every change of the remote store is noticed now. */
  isWatching(): boolean
  /** Calls the listener when a plan may have changed, and without a key also when the remote store went away, came back, or refuses a plan. */
  listen(listener: (key?: PlanKey) => void): () => Promise<void>
  /** A plan was written here. */
  wrote(key: PlanKey): void
  /** A plan may be another one now. */
  changed(key?: PlanKey): void
  /** All plans of the remote store, while it is watched. */
  listing(): PlanSummary[] | undefined
  keepListing(plans: readonly PlanSummary[]): void
  end(): Promise<void>
}

/** Milliseconds between two checks for undelivered entries of other processes. */
const beat = 200

/** Milliseconds for which nothing is delivered to a plan that takes nothing. */
const pauseOfOne = 30_000

/** Sessions that are listed one by one: with more of them, all are listed at once. */
const mostSessions = 50

/** After this many looks it is said again that this process carries. */
const beatsToSay = 5

export const createCarrier = (options: CarrierOptions): Carrier => {
  const { folder, opened, exchange, hasWaiting, dirtyKeys, handOver, recentKeys, isKnown, mayTry, found, lost } =
    options
  const listeners = new Set<(key?: PlanKey) => void>()
  const toExchange = new Map<string, PlanKey>()
  const toList = new Set<string>()
  /** Plans whose log takes nothing there, and until when they are left alone. */
  const paused = new Map<string, number>()
  /** Plans with entries that this user may not deliver, and until when that is not tried again. They are read all the same. */
  const undeliverable = new Map<string, number>()
  let stopWatching: (() => Promise<void>) | undefined
  let listing: Map<string, PlanSummary> | undefined
  let isListingOld = false
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined
  let isEnded = false
  let isAway = false

  const notify = (key?: PlanKey): void => {
    for (const listener of listeners) listener(key)
  }

  const onRemoteChange = (key?: PlanKey): void => {
    if (key) {
      // A user who may only read can send notifications as well, and name any number of plans in them.
      if (toList.size < mostSessions) toList.add(key.session)
      else isListingOld = true
      if (isKnown(key)) toExchange.set(keyText(key), key)
    } else {
      isListingOld = true
      for (const one of recentKeys()) toExchange.set(keyText(one), one)
    }
    work()
  }

  const watchRemote = async (): Promise<void> => {
    if (stopWatching || isEnded) return
    const remote = await opened()
    stopWatching = await remote.watch(onRemoteChange, (problem) => {
      void unwatch()
      loseRemote(problem)
    })
    // Catches up with changes made before watching began.
    onRemoteChange()
  }

  /** The summaries of the sessions that changed, or all of them. */
  const listAgain = async (): Promise<void> => {
    if (toList.size === 0 && !isListingOld) return
    if (!listing) {
      toList.clear()
      isListingOld = false
      return notify()
    }
    const remote = await opened()
    if (isListingOld) {
      isListingOld = false
      toList.clear()
      listing = byName((await remote.list()).plans)
      return notify()
    }
    for (const session of [...toList]) {
      toList.delete(session)
      const { plans } = await remote.list({ session })
      for (const [name, plan] of listing) if (plan.session === session) listing.delete(name)
      for (const plan of plans) listing.set(keyText(plan), plan)
      for (const plan of plans) notify({ session, agent: plan.agent })
      if (plans.length === 0) notify()
    }
  }

  const once = async (): Promise<void> => {
    await watchRemote()
    for (const key of await dirtyKeys())
      if (!isAhead(undeliverable.get(keyText(key)))) toExchange.set(keyText(key), key)
    for (const [name, key] of [...toExchange]) {
      toExchange.delete(name)
      if (isAhead(paused.get(name))) continue
      paused.delete(name)
      undeliverable.delete(name)
      try {
        const { read, isRestarted, forbidden } = await exchange(key)
        if (forbidden) undeliverable.set(name, performance.now() + pauseOfOne)
        if (forbidden) notify()
        else if (read > 0 || isRestarted) notify(key)
      } catch (cause) {
        if (!wasReached(cause)) {
          toExchange.set(name, key)
          throw cause
        }
        paused.set(name, performance.now() + pauseOfOne)
        notify()
      }
    }
    await listAgain()
    // After a burst, because it takes longer than everything else.
    if (toExchange.size === 0 && (paused.size > 0 || !hasWaiting())) await handOver()
  }

  const work = (): void => {
    if (isEnded || working || !mayTry()) return
    working = once()
      .then(findRemote, async (cause: unknown) => {
        await unwatch()
        loseRemote(cause)
      })
      .finally(() => {
        working = undefined
        if (!isEnded && stopWatching && (toExchange.size > 0 || toList.size > 0)) work()
      })
  }

  const findRemote = (): void => {
    found()
    if (isAway) notify()
    isAway = false
  }

  const loseRemote = (cause: unknown): void => {
    if (isEnded) return
    lost(cause)
    if (!isAway) notify()
    isAway = true
  }

  const unwatch = async (): Promise<void> => {
    const stop = stopWatching
    stopWatching = undefined
    listing = undefined
    await stop?.().catch(() => {})
  }

  const sayHere = (): void => {
    if (!stopWatching) return
    try {
      replaceFile(folder.carrier, String(process.pid), folder.temporary)
    } catch {}
  }

  return {
    begin() {
      if (timer || isEnded) return
      let beats = 0
      timer = setInterval(() => {
        if (!stopWatching || hasWaiting()) work()
        if (beats % beatsToSay === 0) sayHere()
        beats += 1
      }, beat)
      timer.unref()
      work()
    },
    isWatching: () => stopWatching !== undefined,
    listen(listener) {
      listeners.add(listener)
      return async () => void listeners.delete(listener)
    },
    wrote(key) {
      if (!timer) return
      toExchange.set(keyText(key), key)
      work()
    },
    changed(key) {
      if (key) toList.add(key.session)
      else isListingOld = true
      if (timer) work()
    },
    listing: () => (stopWatching && listing ? [...listing.values()] : undefined),
    keepListing(plans) {
      if (timer) listing = byName(plans)
    },
    async end() {
      if (isEnded) return
      isEnded = true
      clearInterval(timer)
      if (stopWatching) rmSync(folder.carrier, { force: true })
      listeners.clear()
      await working?.catch(() => {})
      await unwatch()
    },
  }
}

const isAhead = (time: number | undefined): boolean => time !== undefined && performance.now() < time

const byName = (plans: readonly PlanSummary[]): Map<string, PlanSummary> =>
  new Map(plans.map((plan) => [keyText(plan), plan]))
