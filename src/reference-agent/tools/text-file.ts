/** Text files for a model: regular files only, no binaries, limited in size, and written atomically. */
import { createHash, randomUUID } from "node:crypto"
import {
  close,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstat,
  lstatSync,
  mkdirSync,
  openSync,
  read,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { promisify } from "node:util"
import { inHeldFolder } from "../../home/writing/held-folder.ts"
import { type Place, sayMissing } from "./paths.ts"
import type { ToolContext } from "./tool.ts"

export type TextFile = {
  text: string
  /** The size of the whole file in bytes. */
  size: number
  /** Whether only the first part was read. */
  isCut: boolean
  /** Whether some of it is not UTF-8, so that writing `text` back would damage it. */
  isDamaged: boolean
}

export type Unreadable = { problem: string; isMissing?: boolean }

/**
 * Never waits on a pipe or a device. Never follows a link, because all links of a place are already followed. Throws if
 * a folder on the path was replaced by a link since then.
 */
export const readTextFile = async (
  place: Pick<Place, "real" | "shown">,
  { limits }: Pick<ToolContext, "limits">,
): Promise<TextFile | Unreadable> => {
  const file = openToRead(place.real)
  if (file === "missing") return { problem: await sayMissing(place), isMissing: true }
  if (file === "folder") return { problem: `${place.shown} is a folder. Glob lists what is in it.` }
  const start = file === "other" ? undefined : await readStart(file, limits.fileSize)
  if (!start) return { problem: `${place.shown} is not a regular file, so it was not read.` }
  const { bytes, size } = start
  if (bytes.subarray(0, 8192).includes(0)) {
    return { problem: `${place.shown} is a binary file (${sayBytes(size)}), so it cannot be shown as text.` }
  }
  const isCut = size > bytes.length
  return { text: bytes.toString("utf8"), size, isCut, isDamaged: !isCut && !isUtf8(bytes) }
}

/** Opens a file. Does not open anything else, because just opening a device may have an effect. */
const openToRead = (path: string): number | "missing" | "folder" | "other" => {
  if (dirname(path) === path) return "folder"
  try {
    return inHeldFolder(dirname(path), (folder) => {
      const held = join(folder, basename(path))
      const found = lstatSync(held)
      if (found.isDirectory()) return "folder"
      if (!found.isFile() && !found.isSymbolicLink()) return "other"
      return openSync(held, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return "missing"
    throw naming(path, cause)
  }
}

const [statOpen, readOpen, closeOpen] = [promisify(fstat), promisify(read), promisify(close)]

/** Reads and closes the file. Undefined if it is not a file. Asynchronous, because a search reads very many files. */
const readStart = async (file: number, most: number): Promise<{ bytes: Buffer; size: number } | undefined> => {
  try {
    const found: Stats = await statOpen(file)
    if (!found.isFile()) return undefined
    const buffer = Buffer.alloc(Math.min(most, Math.max(found.size, 65_536)))
    let length = 0
    while (length < buffer.length) {
      const { bytesRead } = await readOpen(file, buffer, length, buffer.length - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return { bytes: buffer.subarray(0, length), size: found.size }
  } finally {
    await closeOpen(file)
  }
}

/** The error with the file's own path, because the system's error names a path that is meaningless to a model. */
const naming = (path: string, cause: unknown): unknown =>
  cause instanceof Error && "syscall" in cause ? Object.assign(cause, { path }) : cause

const isUtf8 = (bytes: Buffer): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

export const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64")

/**
 * The text of a file to change, or why it may not be changed: not read before, changed since, too large, or not all
 * text.
 */
export const readToChange = async (place: Place, context: ToolContext): Promise<{ text: string } | Unreadable> => {
  const file = await readTextFile(place, context)
  if ("problem" in file) return file
  const known = context.files.recall(place.real)
  if (file.isCut) return { problem: `${place.shown} is too large to change here (${sayBytes(file.size)}). Use Bash.` }
  if (file.isDamaged) return { problem: `${place.shown} is not all UTF-8; writing it would damage it. Use Bash.` }
  if (known === undefined) return { problem: `${place.shown} has not been read yet. Read it first, then change it.` }
  if (known !== digestOf(file.text)) {
    return { problem: `${place.shown} has changed since it was read. Read it again, then change it.` }
  }
  return { text: file.text }
}

/**
 * Writes a temporary file and renames it, so that a partial text is never visible. Keeps the file's permissions except
 * the set-uid and set-gid bits, because the new file may have another owner. Throws and writes nothing if a folder on
 * the path was replaced by a link since the path was resolved.
 */
export const writeTextFile = async (path: string, text: string): Promise<void> => {
  try {
    makeFolder(dirname(path))
    inHeldFolder(dirname(path), (folder) => replace(join(folder, basename(path)), text))
  } catch (cause) {
    throw naming(path, cause)
  }
}

/** Makes missing folders one by one, each in its parent, which is held open meanwhile. */
const makeFolder = (path: string): void => {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  inHeldFolder(dirname(path), (above) => {
    try {
      mkdirSync(join(above, basename(path)))
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
    }
  })
}

const replace = (path: string, text: string): void => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  const temporary = join(dirname(path), `.headway-${randomUUID().slice(0, 12)}.tmp`)
  try {
    createFile(temporary, text, found?.isFile() ? found.mode & 0o777 : undefined)
    renameSync(temporary, path)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  }
}

/**
 * Sets the mode through the open file, not by its name, because another user of the folder may replace the name with a
 * link.
 */
const createFile = (path: string, text: string, mode: number | undefined): void => {
  // Private until it has the permissions of the old file, because the text may be secret.
  const file = openSync(path, "wx", mode === undefined ? undefined : 0o600)
  try {
    writeFileSync(file, text)
    if (mode !== undefined) fchmodSync(file, mode)
  } finally {
    closeSync(file)
  }
}

export const sayBytes = (size: number): string => {
  if (size < 1000) return `${size} bytes`
  return size < 1_000_000 ? `${Math.round(size / 1000)} KB` : `${(size / 1_000_000).toFixed(1)} MB`
}
