/** Holds a folder itself, not its name: others who may write above it can put another folder or a link in its place. */
import { closeSync, constants, openSync, readlinkSync } from "node:fs"
import { HeadwayError } from "../../plan/headway-error.ts"

/** Linux alone: it opens a folder without reading it, so that one that may only be written to can be held too. */
const namesOnly = 0o10000000

/**
 * `use` is given a path that leads into the folder whatever becomes of its name. The path to hold has no links in it, as far as
 * the caller has seen; where one leads elsewhere by now, this throws. Only Linux can do this; elsewhere `use` is given the
 * path as it is.
 */
export const inHeldFolder = <Result>(path: string, use: (folder: string) => Result): Result => {
  if (process.platform !== "linux") return use(path)
  const file = openSync(path, namesOnly | constants.O_DIRECTORY)
  try {
    const held = `/proc/self/fd/${file}`
    const real = whereIs(held)
    if (real === undefined) return use(path)
    if (folded(real) !== folded(path))
      throw new HeadwayError("folder-swapped", `${path} was just replaced and leads to ${real} now`)
    return use(held)
  } finally {
    closeSync(file)
  }
}

/** Undefined where the system shows no open files. */
const whereIs = (held: string): string | undefined => {
  try {
    return readlinkSync(held)
  } catch {
    return undefined
  }
}

/** Some disks take one name for another that differs in case, or in how its accents are written. */
const folded = (path: string): string => path.normalize("NFC").toLowerCase()
