/** The folder in the home for a remote store: its mirror, the outbox, and notes about both. */
import { join } from "node:path"

/** The places in the folder of one store. */
export type DeliveryFolder = {
  path: string
  /** A file store with the logs as they are in the remote store. */
  mirror: string
  /** A file store with the entries that are not delivered yet. */
  outbox: string
  /** A file store with the entries that the remote store rejected. */
  refused: string
  /** How far each plan was read and delivered. */
  marks: string
  /** Summaries of plans with undelivered entries. */
  summaries: string
  turns: string
  temporary: string
  note: string
  listing: string
  /** Its modification time is when a process last brought everything here up to date. */
  carrier: string
}

export const foldersIn = (path: string): DeliveryFolder => ({
  path,
  mirror: join(path, "mirror"),
  outbox: join(path, "outbox"),
  refused: join(path, "refused"),
  marks: join(path, "marks"),
  summaries: join(path, "summaries"),
  turns: join(path, "turns"),
  temporary: join(path, "tmp"),
  note: join(path, "note.json"),
  listing: join(path, "listing.json"),
  carrier: join(path, "carrier"),
})

/** FNV-1a. It only distinguishes a person's own databases, and a better hash would slow down every command. */
const codeOf = (text: string, seed: number): string => {
  let code = seed
  for (const byte of Buffer.from(text)) code = Math.imul(code ^ byte, 0x01000193) >>> 0
  return code.toString(16).padStart(8, "0")
}

/**
 * `name` is what the store is called in messages, without a password. The folder is named after it, for people, and told
 * from others by a hash.
 */
export const deliveryFolder = (home: string, name: string): DeliveryFolder => {
  const code = [0x811c9dc5, 0x9e3779b9].map((seed) => codeOf(name, seed)).join("")
  const readable = name
    .replace(/^\w+:\/\/(?:[^@/]*@)?/, "")
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[.-]+/, "")
  return foldersIn(join(home, "stores", `${readable.slice(0, 40)}-${code}`))
}
