/** Opens a database with changes kept in the home first, as `--store postgres://…` does for every command. */
import { readAddress } from "../postgres/address.ts"
import type { Store } from "../store.ts"
import { readNote, writeNote } from "./connection/note.ts"
import { createDeliveredStore, type DeliveredOptions, type DeliveredStore } from "./delivered-store.ts"
import { type DeliveryState, deliveryState } from "./delivery-state.ts"
import { type DeliveryFolder, deliveryFolder } from "./folder.ts"

export type OpenDeliveredOptions = Omit<DeliveredOptions, "name" | "folder" | "open">

export const openDelivered = (
  url: string,
  open: () => Promise<Store>,
  options: OpenDeliveredOptions,
): DeliveredStore => {
  const [name, folder] = [nameOf(url), folderOf(url, options.person)]
  return createDeliveredStore({ ...options, ...timeoutIn(url), name, folder, open })
}

export const nameOf = (url: string): string => readAddress(url).name

/** The folder of a home for a database. */
export const folderOf = (url: string, home: string): DeliveryFolder => deliveryFolder(home, nameOf(url))

/** An explicit connection timeout is respected. */
export const timeoutIn = (url: string): Pick<DeliveredOptions, "timeout"> => {
  const seconds = Number(new URL(url).searchParams.get("connect_timeout") ?? process.env.PGCONNECT_TIMEOUT)
  return seconds > 0 ? { timeout: seconds * 1000 } : {}
}

/** What is kept in a home for a database, and not delivered to it yet. */
export const deliveryOf = (url: string, home: string): Promise<DeliveryState> => deliveryState(folderOf(url, home))

/** The database was reached: the next command tries it, whatever was noted before. */
export const noteReached = (url: string, home: string): void => {
  const folder = folderOf(url, home)
  const { away, ...rest } = readNote(folder)
  if (away) writeNote(folder, rest)
}
