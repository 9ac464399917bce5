/** Writes a file a person named: whole or not at all, so that a full disk leaves what was there. */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { inHeldFolder } from "../../home/held-folder.ts"
import { replaceNamedFile } from "../../home/write-file.ts"
import { HeadwayError, messageOf } from "../../plan/index.ts"

export const writeNamedFile = (path: string, text: string): void => {
  try {
    if (ownStreams.test(path)) writeFileSync(path, text)
    else write(targetOf(path), text)
  } catch (cause) {
    if (!existsSync(dirname(path)))
      throw new HeadwayError("unwritable", `There is no folder ${dirname(path)}, so nothing was written.`, { cause })
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
  const folder = dirname(target)
  inHeldFolder(folder, (held) => {
    try {
      writeIn(held, basename(target), text)
    } catch (cause) {
      // The person knows the folder by its name.
      throw new HeadwayError("unwritable", messageOf(cause).replaceAll(held, folder), { cause })
    }
  })
}

const writeIn = (folder: string, name: string, text: string): void => {
  const target = join(folder, name)
  const old = lstatSync(target, { throwIfNoEntry: false })
  const isOthers = old !== undefined && isAnothers(old)
  if (old && !old.isFile()) {
    // Who laid a pipe there reads what is written to it, or lets it wait without end.
    if (isOthers) throw new HeadwayError("pipe-refused", "it belongs to another user and is not a file")
    writeInto(target, old, text)
    return
  }
  const isSticky = (statSync(folder).mode & 0o1000) !== 0
  // There it can only be filled, and whose it is stays theirs: they could change it afterwards.
  if (isOthers && isSticky) throw new HeadwayError("file-refused", "it belongs to another user, who would keep it")
  const mode = old && !isOthers ? old.mode & 0o777 : 0o666 & ~process.umask()
  replaceNamedFile(target, text, mode)
}

/** A pipe or a device takes what is written to it, and must stay what it is. A file that was put in its place is not written to. */
const writeInto = (path: string, { dev, ino }: Stats, text: string): void => {
  const file = openSync(path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    const found = fstatSync(file)
    if (found.dev !== dev || found.ino !== ino) throw new HeadwayError("pipe-refused", "it was just replaced")
    writeFileSync(file, text)
  } finally {
    closeSync(file)
  }
}

/** Where a path really leads, also when nothing is there yet: the person named the links on it, not their places. */
const targetOf = (path: string, way = { links: 0 }): string => {
  if (dirname(path) === path) return path
  const folder = targetOf(dirname(path), way)
  const here = join(folder, basename(path))
  const found = lstatSync(here, { throwIfNoEntry: false })
  if (!found?.isSymbolicLink()) return here
  assertNotLaidOut(here, found)
  way.links += 1
  if (way.links > mostLinks) throw new HeadwayError("link-refused", `${here} leads through too many links`)
  return targetOf(resolve(folder, readlinkSync(here)), way)
}

/** As many as the system itself follows. */
const mostLinks = 40

const systemUser = 0

/** Another user's link may lead to one of the person's own files, which that user could not write to. */
const assertNotLaidOut = (path: string, link: Stats): void => {
  if (isAnothers(link)) throw new HeadwayError("link-refused", `${path} is a link of another user`)
}

const isAnothers = ({ uid }: Stats): boolean =>
  process.geteuid !== undefined && ![process.geteuid(), systemUser].includes(uid)
