/** Opens files that a repository or another program may have replaced: plain files only, no links, without blocking. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs"
import { HeadwayError } from "../../plan/headway-error.ts"

/** Windows has neither flag: links need a privilege there, and pipes are not in folders. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** A link is not followed, and a pipe or a device is refused before it can block. */
export const openPlainFile = (path: string, flags = constants.O_RDONLY, mode = 0o600): number =>
  openWithStats(path, flags, mode).file

/** The same, with the file's stat, so that the caller need not call it again. */
export const openWithStats = (
  path: string,
  flags = constants.O_RDONLY,
  mode = 0o600,
): { file: number; stats: Stats } => {
  let file: number
  try {
    file = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, mode)
  } catch (cause) {
    // The error codes for a link, and for a pipe without a reader.
    if (["ELOOP", "ENXIO"].includes((cause as NodeJS.ErrnoException).code ?? "")) throw notPlain(path)
    throw cause
  }
  const stats = fstatSync(file)
  if (stats.isFile()) return { file, stats }
  closeSync(file)
  throw notPlain(path)
}

export const readPlainFile = (path: string): Buffer => {
  const file = openPlainFile(path)
  try {
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

const notPlain = (path: string): HeadwayError =>
  new HeadwayError("not-a-file", `${path} is a link or not a regular file, so it is neither read nor written.`)
