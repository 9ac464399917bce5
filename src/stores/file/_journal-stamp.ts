/** The identity, size and time of a file, so that a second check shows whether it was changed. */
import { lstatSync, type Stats } from "node:fs"

/** `seen` is when it was read, `names` how many names the file has. */
export type JournalStamp = { device: number; id: number; size: number; time: number; names: number; seen: number }

export const noFile: JournalStamp = { device: 0, id: 0, size: 0, time: 0, names: 0, seen: 0 }

/** The state of the file at a path, which may be a link by now. */
export const stampAt = (path: string): JournalStamp | undefined => {
  const seen = Date.now()
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found && stampOf(found, seen)
}

export const stampOf = ({ dev, ino, size, ctimeMs, nlink }: Stats, seen: number): JournalStamp => ({
  device: dev,
  id: ino,
  size,
  time: ctimeMs,
  names: nlink,
  seen,
})

export const isSameFile = (one: JournalStamp, other: JournalStamp): boolean =>
  one.id === other.id && one.device === other.device

export const isSameStamp = (one: JournalStamp | undefined, other: JournalStamp): one is JournalStamp =>
  one !== undefined && one.size === other.size && one.time === other.time && isSameFile(one, other)

const timeStep = 50

/** File times have a resolution of some milliseconds: a file may be written again within it. */
export const isYoung = ({ seen, time }: JournalStamp): boolean => seen - time <= timeStep
