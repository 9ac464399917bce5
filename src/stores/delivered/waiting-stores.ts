/** The remote stores for which changes wait in a home, also those that are no longer used. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { readNote } from "./connection/note.ts"
import { deliveryState } from "./delivery-state.ts"
import { foldersIn } from "./folder.ts"

export type WaitingStore = {
  /** Where the changes are. */
  folder: string
  /** The name of the store; absent if it was never noted. */
  store?: string
  undelivered: number
  /** When the oldest of them was written. */
  since?: string
}

export const waitingStores = async (home: string): Promise<WaitingStore[]> => {
  const found: WaitingStore[] = []
  for (const path of foldersAt(join(home, "stores"))) {
    const folder = foldersIn(path)
    const { undelivered, since } = await deliveryState(folder)
    if (undelivered === 0) continue
    const { name } = readNote(folder)
    found.push({
      folder: path,
      ...(name === undefined ? {} : { store: name }),
      undelivered,
      ...(since === undefined ? {} : { since }),
    })
  }
  return found
}

export const waitingText = ({ folder, store, undelivered }: WaitingStore): string =>
  `${undelivered === 1 ? "1 change" : `${undelivered} changes`} for ${store ?? "a store that is not used now"} in ${folder}`

const foldersAt = (path: string): string[] => {
  try {
    const found = readdirSync(path, { withFileTypes: true })
    return found.filter((one) => one.isDirectory()).map(({ name }) => join(path, name))
  } catch {
    return []
  }
}
