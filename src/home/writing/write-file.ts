/** The only place that writes Headway's own files: a whole file at once or a line at the end, and never through a link. */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs"
import { dirname, join, sep } from "node:path"
import { HeadwayError } from "../../plan/headway-error.ts"
import { openPlainFile } from "../reading/plain-file.ts"

/** Identifies a file until it is written again. */
export type FileStamp = { id: number; size: number; time: number }

export const stampOf = ({ ino, size, mtimeMs }: Stats): FileStamp => ({ id: ino, size, time: mtimeMs })

const ownersOnly = 0o600

export type ReplaceOptions = {
  /** @default for its owner alone */
  mode?: number
  /** Durable: survives a system crash, for data that cannot be recreated. Waits for the disk. @default false */
  isDurable?: boolean
}

/**
 * Replaces a file atomically: readers see the old or the new content. Writes a temporary file that names its process
 * and renames it, or writes directly if renaming does not work. The temporary folder is in Headway's home; no folder
 * between the home and the file may be a link. Returns the identity of the written file, if known for sure.
 */
export const replaceFile = (
  path: string,
  content: string | Buffer,
  temporaryFolder: string,
  { mode = ownersOnly, isDurable = false }: ReplaceOptions = {},
): FileStamp | undefined => {
  const made = [...makeFolder(temporaryFolder), ...makeFolder(dirname(path))]
  for (const place of [temporaryFolder, ...foldersBetween(dirname(temporaryFolder), path), path]) assertNoLink(place)
  return putInPlace(path, content, temporaryName(temporaryFolder), { mode, isDurable, made })
}

/** The same for a file that a person named, in an existing folder: the temporary file is next to it. */
export const replaceNamedFile = (path: string, content: string, mode: number): void => {
  putInPlace(path, content, temporaryName(dirname(path)), { mode, isDurable: false, made: [] })
}

type Placing = Required<ReplaceOptions> & {
  /** Folders that were made for it. */
  made: readonly string[]
}

const putInPlace = (
  path: string,
  content: string | Buffer,
  temporary: string,
  { mode, isDurable, made }: Placing,
): FileStamp | undefined => {
  let isRenamed = false
  try {
    const stamp = writeWhole(openSync(temporary, "wx", ownersOnly), content, { mode, isDurable })
    isRenamed = renameWithRetry(temporary, path)
    if (!isRenamed) {
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC
      writeWhole(openPlainFile(path, flags, mode), content, { isDurable })
    }
    if (isDurable) for (const one of [...made, path]) syncFolder(dirname(one))
    return isRenamed ? stamp : undefined
  } catch (cause) {
    throw naming(path, cause)
  } finally {
    if (!isRenamed) rmSync(temporary, { force: true })
  }
}

/**
 * Creates a complete, durable file atomically. Returns false if the name is taken: of several processes, the first
 * creates it for all. For an instant the file has a second name in the temporary folder.
 */
export const createFile = (path: string, content: string | Buffer, temporaryFolder: string): boolean => {
  const made = [...makeFolder(temporaryFolder), ...makeFolder(dirname(path))]
  assertNoLink(temporaryFolder)
  const temporary = temporaryName(temporaryFolder)
  try {
    writeWhole(openSync(temporary, "wx", ownersOnly), content, { isDurable: true })
    if (!takesName(temporary, path)) return false
    for (const one of [...made, path]) syncFolder(dirname(one))
    return true
  } catch (cause) {
    throw naming(path, cause)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/**
 * Links a file to a second name, and returns whether that was free. A rename would replace an existing file.
 */
export const takesName = (file: string, path: string): boolean => {
  try {
    linkSync(file, path)
    return true
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException
    if (code === "EEXIST") return false
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(code)) throw cause
  }
  // Some disks give a file only one name.
  if (lstatSync(path, { throwIfNoEntry: false })) return false
  renameSync(file, path)
  return true
}

/** Names the process, so that others can tell when it no longer runs. */
const temporaryName = (folder: string): string =>
  join(folder, `${process.pid}-${Math.random().toString(36).slice(2)}.tmp`)

/** The mode is that of the open file, never of its name: another user may have put a link there in the meantime. */
const writeWhole = (file: number, content: string | Buffer, { mode = ownersOnly, isDurable }: Writing): FileStamp => {
  try {
    writeFileSync(file, content)
    if (mode !== ownersOnly) fchmodSync(file, mode)
    if (isDurable) fsyncSync(file)
    return stampOf(fstatSync(file))
  } finally {
    closeSync(file)
  }
}

type Writing = { mode?: number; isDurable: boolean }

export const appendToFile = (
  path: string,
  text: string,
  { isDurable = false }: Pick<ReplaceOptions, "isDurable"> = {},
): void => {
  const file = openPlainFile(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, ownersOnly)
  try {
    // Writes everything or throws: a full disk may accept only a part without an error.
    writeFileSync(file, text)
    if (isDurable) fsyncSync(file)
  } catch (cause) {
    throw naming(path, cause)
  } finally {
    closeSync(file)
  }
}

/** The system names a temporary file, or none. People are told which file of theirs could not be written. */
const naming = (path: string, cause: unknown): unknown =>
  cause instanceof Error && "syscall" in cause ? Object.assign(cause, { path }) : cause

/**
 * Creates a folder and its parents, private to its owner. Node's recursive mkdir loops forever if a folder is reported
 * missing although its parent exists, as under /proc. Returns the created folders, whose names may have to be synced.
 */
export const makeFolder = (path: string): string[] => {
  if (isFolder(path)) return []
  try {
    return makeOneFolder(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== "ENOENT" || dirname(path) === path) throw cause
    const above = makeFolder(dirname(path))
    return [...above, ...makeOneFolder(path)]
  }
}

/** Another process may create it at the same moment. */
const makeOneFolder = (path: string): string[] => {
  try {
    mkdirSync(path, { mode: 0o700 })
    return [path]
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
    if (!isFolder(path)) throw noFolder(path)
    return []
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

const noFolder = (path: string): HeadwayError =>
  new HeadwayError(
    "no-folder",
    `${path} is ${isLink(path) ? "a link that leads to no folder" : "not a folder"}, and Headway needs a folder there. Move it away.`,
  )

/** Creates a folder inside a home. A link in its place could lead anywhere, so it is refused. */
export const makeFolderInside = (path: string): void => {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  makeFolder(path)
  assertNoLink(path)
}

/** Makes the names in a folder durable: a new file that is synced itself may still lose its name. */
export const syncFolder = (path: string): void => {
  try {
    const folder = openSync(path, "r")
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch {
    // Some systems cannot open a folder, and keep its names durable by themselves.
  }
}

/** Moves an unreadable file aside, so that a person can examine it. Returns its new path. */
export const keepAside = (path: string): string => {
  const chance = Math.random().toString(36).slice(2, 6)
  const aside = `${path}.bad-${Date.now().toString(36)}${chance}`
  renameSync(path, aside)
  return aside
}

/** Writes a temporary file and removes it: throws if nothing of this length can be written. */
export const tryWriting = (temporaryFolder: string, length: number): void => {
  makeFolder(temporaryFolder)
  assertNoLink(temporaryFolder)
  const temporary = temporaryName(temporaryFolder)
  try {
    writeWhole(openSync(temporary, "wx", ownersOnly), Buffer.alloc(length), { isDurable: true })
  } catch (cause) {
    throw naming(temporaryFolder, cause)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Removes the temporary files of processes that no longer run. */
export const removeOrphans = (temporaryFolder: string): void => {
  let names: string[]
  try {
    if (isLink(temporaryFolder)) return
    names = readdirSync(temporaryFolder)
  } catch {
    return
  }
  for (const name of names) {
    const pid = Number(/^(\d+)-\w+\.tmp$/.exec(name)?.[1])
    if (!(pid > 0) || pid === process.pid || isRunning(pid)) continue
    try {
      rmSync(join(temporaryFolder, name), { force: true })
    } catch {
      // The disk may be read-only, which does not prevent reading.
    }
  }
}

export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code !== "ESRCH"
  }
}

/** The folders below the home that lead to the file; none for a file elsewhere. */
const foldersBetween = (home: string, path: string): string[] => {
  const folders: string[] = []
  for (let at = dirname(path); at.startsWith(`${home}${sep}`); at = dirname(at)) folders.push(at)
  return folders
}

export const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

/** Throws if one of our paths is a link, because it could lead anywhere. */
export const assertNoLink = (path: string): void => {
  if (isLink(path)) throw linkRefused(path)
}

export const linkRefused = (path: string): HeadwayError =>
  new HeadwayError(
    "link-refused",
    `${path} is a link, and Headway does not follow links inside its home. Replace it with what it points to.`,
  )

/** Virus scanners and indexers briefly lock files on some systems. */
const retryDelays = [10, 20, 40, 80, 160]

export const renameWithRetry = (from: string, to: string): boolean => {
  for (const wait of [...retryDelays, 0]) {
    try {
      renameSync(from, to)
      return true
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code ?? ""
      if (!["EPERM", "EBUSY", "EACCES"].includes(code)) {
        if (code === "EXDEV") return false
        throw cause
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait)
    }
  }
  return false
}
