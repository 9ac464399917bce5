/** Opens a database with changes kept in the home first, as `--store postgres://…` does for every command. */
import { readAddress } from "../postgres/address.ts"
import type { Store } from "../store.ts"
import { createDeliveredStore, type DeliveredOptions, type DeliveredStore } from "./delivered-store.ts"
import { type DeliveryState, deliveryState } from "./delivery-state.ts"
import { deliveryFolder } from "./folder.ts"
import { readNote, writeNote } from "./note.ts"

export type OpenDeliveredOptions = Omit<DeliveredOptions, "name" | "folder" | "open">

export const openDelivered = (
  url: string,
  open: () => Promise<Store>,
  options: OpenDeliveredOptions,
): DeliveredStore => {
  const { name } = readAddress(url)
  const folder = deliveryFolder(options.person, name)
  return createDeliveredStore({ ...options, ...timeoutIn(url), name, folder, open })
}

/** An explicit connection timeout is respected. */
const timeoutIn = (url: string): Pick<DeliveredOptions, "timeout"> => {
  const seconds = Number(new URL(url).searchParams.get("connect_timeout") ?? process.env.PGCONNECT_TIMEOUT)
  return seconds > 0 ? { timeout: seconds * 1000 } : {}
}

/** What is kept in a home for a database, and not delivered to it yet. */
export const deliveryOf = (url: string, home: string): Promise<DeliveryState> =>
  deliveryState(deliveryFolder(home, readAddress(url).name))

/** The database was reached: the next command tries it, whatever was noted before. */
export const noteReached = (url: string, home: string): void => {
  const folder = deliveryFolder(home, readAddress(url).name)
  const { away, ...rest } = readNote(folder)
  if (away) writeNote(folder, rest)
}
