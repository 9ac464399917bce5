/** Opens files that a repository or another program may have put in place: plain files only, and without waiting for any. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs"
import { HeadwayError } from "../plan/headway-error.ts"

/** Links are not followed, and a pipe or a device is refused before it can block. */
export const openPlainFile = (path: string): number => {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
  let file: number
  try {
    file = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ELOOP") throw notPlain(path)
    throw cause
  }
  if (fstatSync(file).isFile()) return file
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
  new HeadwayError("not-a-file", `${path} is a link or not a file at all, so it is not read.`)
