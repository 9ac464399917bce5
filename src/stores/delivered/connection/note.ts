/** What is known about the connection to a remote store: since when it is down, why, and when to try again. */
import { statSync } from "node:fs"
import { foreignTextIn } from "../../../home/reading/foreign-file.ts"
import { replaceFile } from "../../../home/writing/write-file.ts"
import { parseJson } from "../../../plan/json.ts"
import { isRecord } from "../../../plan/log/shape.ts"
import type { DeliveryFolder } from "../folder.ts"

export type DeliveryNote = {
  /** The name of the store, which the name of its folder does not tell in full. */
  name?: string
  /** Absent while it is reachable. */
  away?: Away
  /** The role in the URL may read plans but not change them. */
  isReadOnly?: boolean
  /** Why the log of a plan takes nothing there, while others are delivered. */
  stuck?: string
  /** Which database it was when it was last opened. */
  identity?: string
  /** When another one was first found in its place (ISO 8601). */
  replaced?: string
}

export type Away = {
  /** When it was first found unreachable (ISO 8601). */
  since: string
  why: string
  /** The number of attempts since. */
  attempts: number
  /** No connection is tried before this time. */
  next: string
}

/** In milliseconds: twice as long after each attempt. */
const firstPause = 2_000
const longestPause = 60_000

export const readNote = ({ note }: Pick<DeliveryFolder, "note">): DeliveryNote => {
  const read = parseJson(foreignTextIn(note) ?? "{}")
  if (!isRecord(read)) return {}
  const { name, away, isReadOnly, stuck, identity, replaced } = read
  return {
    ...(typeof name === "string" ? { name } : {}),
    ...(isAway(away) ? { away } : {}),
    ...(isReadOnly === true ? { isReadOnly } : {}),
    ...(typeof stuck === "string" ? { stuck } : {}),
    ...(typeof identity === "string" ? { identity } : {}),
    ...(typeof replaced === "string" ? { replaced } : {}),
  }
}

const isAway = (value: unknown): value is Away =>
  isRecord(value) &&
  [value.since, value.next].every((time) => typeof time === "string" && !Number.isNaN(Date.parse(time))) &&
  typeof value.why === "string" &&
  typeof value.attempts === "number"

export const writeNote = ({ note, temporary }: DeliveryFolder, next: DeliveryNote): void =>
  void replaceFile(note, JSON.stringify(next), temporary)

/**
 * Whether a connection may be tried now. No pause is longer than the longest: a time further ahead was noted by a clock that was
 * ahead, and does not keep it closed.
 */
export const mayTry = ({ away }: DeliveryNote, now: Date): boolean => {
  const left = away ? Date.parse(away.next) - now.getTime() : 0
  return left <= 0 || left > longestPause
}

/** Records another failed attempt. One that ends during a pause began before it, in another process, and makes it no longer. */
export const awayAfter = ({ away }: DeliveryNote, why: string, now: Date): Away => {
  if (away && !mayTry({ away }, now)) return { ...away, why }
  const attempts = (away?.attempts ?? 0) + 1
  const pause = Math.min(firstPause * 2 ** Math.min(attempts - 1, 10), longestPause)
  const next = new Date(now.getTime() + pause).toISOString()
  return { since: away?.since ?? now.toISOString(), why, attempts, next }
}

/** In milliseconds: a process that keeps everything up to date says so more often than this. */
const carriedFor = 5_000

/** Whether a long-running process delivers and reads for all others, by one stat. */
export const isCarried = ({ carrier }: Pick<DeliveryFolder, "carrier">): boolean => {
  const time = statSync(carrier, { throwIfNoEntry: false })?.mtimeMs
  return time !== undefined && Math.abs(Date.now() - time) < carriedFor
}
