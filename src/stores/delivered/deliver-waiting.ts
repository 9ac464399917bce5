/** Delivers the changes that wait in a folder when a person asks for it, without regard to the time of the next attempt. */
import { messageOf } from "../../plan/index.ts"
import { readNote } from "./connection/note.ts"
import { createDeliveredStore } from "./delivered-store.ts"
import { deliveryState } from "./delivery-state.ts"
import { foldersIn } from "./folder.ts"
import { folderOf, nameOf, timeoutIn } from "./open-delivered.ts"

export type DeliverOptions = { home: string; now: () => Date }

/** What was delivered, what still waits, and why. */
export type Delivered = { folder: string; delivered: number; undelivered: number; why?: string }

/**
 * Delivers to the database at an address. It may be another address than the one the changes were written for, if the person says that
 * the same database is there: it has a new host name, or the person a new role. A copy of a database cannot be told from it, but one that
 * was never a copy of it can.
 */
export const deliverWaiting = async (path: string, url: string, { home, now }: DeliverOptions): Promise<Delivered> => {
  const folder = foldersIn(path)
  const before = (await deliveryState(folder)).undelivered
  if (before === 0) return { folder: path, delivered: 0, undelivered: 0 }
  const { createPostgresStore } = await import("../postgres/index.ts")
  const isOwn = folderOf(url, home).path === path
  const { name = nameOf(url), identity } = readNote(folder)
  const open = async () => createPostgresStore({ url, mayCreate: isOwn })
  const mayBeSame = async (): Promise<boolean> => {
    const remote = await open()
    try {
      return identity === undefined || (await remote.identity?.()) === identity
    } finally {
      await remote.close()
    }
  }
  const deliver = async (): Promise<void> => {
    const store = createDeliveredStore({ name, folder, person: home, now, open, ...timeoutIn(url) })
    try {
      await store.deliver()
    } finally {
      await store.close()
    }
  }
  let why: string | undefined
  try {
    if (isOwn || (await mayBeSame())) await deliver()
    else why = `They were written for another database than ${nameOf(url)}.`
  } catch (cause) {
    why = messageOf(cause)
  }
  const { undelivered } = await deliveryState(folder)
  const delivered = Math.max(before - undelivered, 0)
  return { folder: path, delivered, undelivered, ...(why === undefined ? {} : { why }) }
}
