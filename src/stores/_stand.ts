/** The identity, size and time of a file, so that a second check shows whether it was changed. */
import { lstatSync, type Stats } from "node:fs"

/** `seen` is when it was looked at, `names` how many names the file has. */
export type Stand = { device: number; id: number; size: number; time: number; names: number; seen: number }

export const noFile: Stand = { device: 0, id: 0, size: 0, time: 0, names: 0, seen: 0 }

/** The state of the file at a path, which may be a link by now. */
export const lookAt = (path: string): Stand | undefined => {
  const seen = Date.now()
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found && standOf(found, seen)
}

export const standOf = ({ dev, ino, size, ctimeMs, nlink }: Stats, seen: number): Stand => ({
  device: dev,
  id: ino,
  size,
  time: ctimeMs,
  names: nlink,
  seen,
})

export const isSameFile = (one: Stand, other: Stand): boolean => one.id === other.id && one.device === other.device

export const isStand = (one: Stand | undefined, other: Stand): one is Stand =>
  one !== undefined && one.size === other.size && one.time === other.time && isSameFile(one, other)

const timeStep = 50

/** File times have a resolution of some milliseconds: a file may be written again within it. */
export const isYoung = ({ seen, time }: Stand): boolean => seen - time <= timeStep
