/** The public functions of this room: the table of stores, and the position of a plan without opening its store. */
import { resolve } from "node:path"
import type { PlanKey } from "../plan/index.ts"
import type { DeliveryState } from "./delivered/delivery-state.ts"
import type { WaitingStore } from "./delivered/waiting-stores.ts"
import { journalInHome, journalPosition } from "./file/position.ts"
import { folderIn, isElsewhere, nameIn } from "./open-store.ts"
import { shownUrl } from "./shown-url.ts"
import type { Store } from "./store.ts"

/** Identifies the location of a store, so that two commands can tell whether they use the same one. */
export const placeIn = ({ url, home }: { url: string; home: string }): string =>
  nameIn(url) === "file" ? resolve(folderIn(url) || home) : shownUrl(url)

/** What is kept in a home for a store elsewhere, and not delivered to it yet. */
export const deliveryOf = async (url: string, home: string): Promise<DeliveryState> =>
  (await import("./delivered/open-delivered.ts")).deliveryOf(url, home)

/** A store elsewhere was reached: no command waits for the time of the next attempt any more. */
export const noteReached = async (url: string, home: string): Promise<void> =>
  (await import("./delivered/open-delivered.ts")).noteReached(url, home)

/** The other stores elsewhere than the one of this URL for which changes wait in a home. */
export const waitingForOthers = async (url: string, home: string): Promise<WaitingStore[]> => {
  const { waitingStores } = await import("./delivered/waiting-stores.ts")
  const own = isElsewhere(url) ? (await import("./delivered/open-delivered.ts")).folderOf(url, home).path : ""
  return (await waitingStores(home)).filter(({ folder }) => folder !== own)
}

type Asked = { url: string; home: string; person: string; now: Date; key: PlanKey }

/** Fast ways to get a position without opening the store; undefined if the store must be opened. */
const quickPositions: Partial<
  Record<string, (asked: Asked) => MaybePromise<{ position: string | undefined } | undefined>>
> = {
  file: ({ url, home, key }) => ({ position: journalPosition(journalInHome(folderIn(url) || home, key)) }),
  postgres: async ({ url, person, now, key }) =>
    (await import("./_delivered-position.ts")).quickPosition({ url, home: person, now }, key),
}

type MaybePromise<Value> = Value | Promise<Value>

/** The position of a plan, as `Store.position` says it. The store is opened only where there is no quicker way. */
export const positionIn = async (asked: Asked, open: () => Promise<Store>): Promise<string | undefined> => {
  const quick = await quickPositions[nameIn(asked.url)]?.(asked)
  return quick ? quick.position : (await open()).position(asked.key)
}

/** The file of a plan's journal, or where it will be; undefined for a store that does not keep it in the home. */
export const journalIn = ({ url, home, key }: { url: string; home: string; key: PlanKey }): string | undefined =>
  url === "file:" ? journalInHome(home, key) : undefined

export { createErrorSink, type ErrorSink, type ErrorSinkOptions } from "../home/error-log.ts"
export { defaultSettings, loadSettings, offersList, type Settings, saveSettings } from "../home/settings.ts"
export {
  type DeliveryOptions,
  type HoldOptions,
  holdInMemory,
  isElsewhere,
  type OpenOptions,
  openStore,
  type StoreName,
  stores,
} from "./open-store.ts"
export { shownUrl } from "./shown-url.ts"
export type { Cursor, Loaded, PlanFilter, PlanKey, PlanSummary, Snapshot, Store } from "./store.ts"
export { selectPlans, summarise } from "./store.ts"
