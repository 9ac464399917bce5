/** Text files for a model: regular files only, no binaries, limited in size, and written atomically. */
import { createHash, randomUUID } from "node:crypto"
import { constants } from "node:fs"
import { mkdir, open, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type Place, sayMissing } from "./paths.ts"
import type { ToolContext } from "./tool.ts"

export type TextFile = {
  text: string
  /** In bytes, of the whole file. */
  size: number
  /** Only the first part was read. */
  isCut: boolean
  /** Not all of it is UTF-8: writing `text` back would change the rest. */
  isDamaged: boolean
}

export type Unreadable = { problem: string; isMissing?: boolean }

/** Never waits on a pipe or a device, and never follows a link: a place is where links have led already. */
export const readTextFile = async (
  place: Pick<Place, "real" | "shown">,
  { limits }: Pick<ToolContext, "limits">,
): Promise<TextFile | Unreadable> => {
  const found = await stat(place.real).catch((cause: NodeJS.ErrnoException) => cause)
  if (found instanceof Error) {
    if (found.code === "ENOENT") return { problem: await sayMissing(place), isMissing: true }
    throw found
  }
  if (found.isDirectory()) return { problem: `${place.shown} is a folder. Glob lists what is in it.` }
  if (!found.isFile()) return { problem: `${place.shown} is not a regular file, so it was not read.` }
  const bytes = await readStart(place.real, limits.fileSize)
  if (bytes.subarray(0, 8192).includes(0)) {
    return { problem: `${place.shown} is a binary file (${sayBytes(found.size)}), so it cannot be shown as text.` }
  }
  const isCut = found.size > bytes.length
  return { text: bytes.toString("utf8"), size: found.size, isCut, isDamaged: !isCut && !isUtf8(bytes) }
}

const readStart = async (path: string, most: number): Promise<Buffer> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  try {
    const buffer = Buffer.alloc(Math.min(most, Math.max((await file.stat()).size, 65_536)))
    let length = 0
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return buffer.subarray(0, length)
  } finally {
    await file.close()
  }
}

const isUtf8 = (bytes: Buffer): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

export const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64")

/** The text of a file that may be changed, or why it may not: unseen, changed since, too large, not all text. */
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
 * Writes a temporary file beside it and renames that, so that half of the text is never seen. Keeps the permissions of the file,
 * but not its set-uid and set-gid bits: the new file may have another owner.
 */
export const writeTextFile = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  const mode = await stat(path).then(
    (found) => found.mode & 0o777,
    () => undefined,
  )
  const temporary = join(dirname(path), `.headway-${randomUUID().slice(0, 12)}.tmp`)
  try {
    await createFile(temporary, text, mode)
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cause
  }
}

/** Changes the mode of the open file, never of its name: another user of the folder may put a link there in the meantime. */
const createFile = async (path: string, text: string, mode: number | undefined): Promise<void> => {
  // Private until it has the permissions of the old file, which may hold a secret.
  const file = await open(path, "wx", mode === undefined ? undefined : 0o600)
  try {
    await file.writeFile(text)
    if (mode !== undefined) await file.chmod(mode)
  } finally {
    await file.close()
  }
}

export const sayBytes = (size: number): string => {
  if (size < 1000) return `${size} bytes`
  return size < 1_000_000 ? `${Math.round(size / 1000)} KB` : `${(size / 1_000_000).toFixed(1)} MB`
}
