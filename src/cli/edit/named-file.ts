/** Writes a file a person named: whole or not at all, so that a full disk leaves what was there. */
import { lstatSync, readlinkSync, realpathSync, type Stats, statSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { replaceFile } from "../../home/write-file.ts"
import { HeadwayError, messageOf } from "../../plan/index.ts"

export const writeNamedFile = (path: string, text: string): void => {
  try {
    if (ownStreams.test(path)) writeFileSync(path, text)
    else write(targetOf(path), text)
  } catch (cause) {
    const why = messageOf(cause)
    throw new HeadwayError("unwritable", `${path} could not be written and was left as it was: ${why}.`, { cause })
  }
}

/**
 * `/dev/stdout` is what it leads to only while this process runs: another file must not take that one's place. All else in
 * `/dev` is a device or, as in `/dev/shm`, a file like any other.
 */
const ownStreams = /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)$|proc\/)/

const write = (target: string, text: string): void => {
  const old = statSync(target, { throwIfNoEntry: false })
  if (old && !old.isFile()) {
    // A pipe or a device takes what is written to it, and must stay what it is.
    writeFileSync(target, text)
    return
  }
  // A folder that is not there is more likely a mistake than a wish.
  const folder = dirname(target)
  statSync(folder)
  const mode = old ? old.mode & 0o777 : 0o666 & ~process.umask()
  replaceFile(target, text, folder, { mode })
}

/** Where a link leads, also when nothing is there yet: the person named the link, not its place. */
const targetOf = (path: string, links = 0): string => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found?.isSymbolicLink() || links > 40) return path
  assertNotLaidOut(path, found)
  return targetOf(resolve(realpathSync(dirname(path)), readlinkSync(path)), links + 1)
}

/** In a folder that everyone may write to, another user can put a link to one of the person's files. */
const assertNotLaidOut = (path: string, { uid }: Stats): void => {
  const folder = statSync(dirname(path))
  const isEveryones = (folder.mode & 0o002) !== 0
  if (!isEveryones || [process.geteuid?.(), folder.uid].includes(uid)) return
  throw new HeadwayError("link-refused", `${path} is a link of another user in a folder that everyone may write to`)
}
