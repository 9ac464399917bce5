/** Opens files that a repository or another program may have replaced: plain files only, never a link, and without waiting. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs"
import { HeadwayError } from "../plan/headway-error.ts"

/** Windows has neither: it asks for a privilege before it lets anyone make a link, and has no pipes in folders. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** A link is not followed, and a pipe or a device is refused before it can block. */
export const openPlainFile = (path: string, flags = constants.O_RDONLY, mode = 0o600): number =>
  openWithStats(path, flags, mode).file

/** The same, and what it found: a caller that needs the file's state need not ask a second time. */
export const openWithStats = (
  path: string,
  flags = constants.O_RDONLY,
  mode = 0o600,
): { file: number; stats: Stats } => {
  let file: number
  try {
    file = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, mode)
  } catch (cause) {
    // What the system says about a link, and of a pipe without a reader.
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
  new HeadwayError("not-a-file", `${path} is a link or not a file at all, so it is neither read nor written.`)
