/**
 * A long-running process delivers and reads for all others on this machine: it watches both sides, and announces that.
 */
import { rmSync } from "node:fs"
import { replaceFile } from "../../../home/writing/write-file.ts"
import type { PlanKey, PlanSummary, Store } from "../../store.ts"
import { wasReached } from "../connection/errors.ts"
import type { Exchanged } from "../exchange/exchange.ts"
import type { DeliveryFolder } from "../folder.ts"
import { createDuePlans } from "./_due-plans.ts"
import { createLiveListing } from "./_live-listing.ts"

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

/** After this many looks it is said again that this process carries. */
const beatsToSay = 5

export const createCarrier = (options: CarrierOptions): Carrier => {
  const { folder, opened, exchange, hasWaiting, dirtyKeys, handOver, recentKeys, isKnown, mayTry, found, lost } =
    options
  const listeners = new Set<(key?: PlanKey) => void>()
  const notify = (key?: PlanKey): void => {
    for (const listener of listeners) listener(key)
  }
  const due = createDuePlans()
  const listing = createLiveListing({ opened, notify })
  let stopWatching: (() => Promise<void>) | undefined
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined
  let isEnded = false
  let isAway = false

  const onRemoteChange = (key?: PlanKey): void => {
    listing.changed(key)
    if (!key) for (const one of recentKeys()) due.add(one)
    else if (isKnown(key)) due.add(key)
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

  const exchangeOne = async (key: PlanKey): Promise<void> => {
    try {
      const { read, isRestarted, forbidden } = await exchange(key)
      if (forbidden) due.holdBack(key)
      if (forbidden) notify()
      else if (read > 0 || isRestarted) notify(key)
    } catch (cause) {
      if (!wasReached(cause)) {
        due.add(key)
        throw cause
      }
      due.pause(key)
      notify()
    }
  }

  const once = async (): Promise<void> => {
    await watchRemote()
    for (const key of await dirtyKeys()) due.addUndelivered(key)
    for (const key of due.take()) await exchangeOne(key)
    await listing.refresh()
    // After a burst, because it takes longer than everything else.
    if (due.isEmpty() && (due.isAnyPaused() || !hasWaiting())) await handOver()
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
        if (!isEnded && stopWatching && (!due.isEmpty() || listing.hasChanged())) work()
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
    listing.drop()
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
      due.add(key)
      work()
    },
    changed(key) {
      listing.changed(key)
      if (timer) work()
    },
    listing: () => (stopWatching ? listing.plans() : undefined),
    keepListing(plans) {
      if (timer) listing.keep(plans)
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
