/** Opens files written by other programs: regular files only, without blocking, and only up to a size limit. */
import { closeSync, constants, createReadStream, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { HeadwayError } from "../../plan/headway-error.ts"

export type ForeignFile = {
  /** As it was when the file was opened. */
  stats: Stats
  /** Returns how many bytes were read. */
  read(target: Uint8Array, start: number, length: number, position: number): number
  close(): void
}

/**
 * Opening a pipe would block, and opening a terminal could make it our controlling terminal. Not every system has these
 * flags.
 */
const neverWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

/**
 * Throws file system errors, and `not-a-regular-file` for anything but a file. Links are followed. The type is checked
 * before opening, because opening a device may have side effects, and again afterwards, because the file may have been
 * replaced.
 */
export const openForeignFile = (path: string): ForeignFile => {
  checkRegular(statSync(path))
  const file = openSync(path, neverWaiting)
  try {
    const stats = fstatSync(file)
    checkRegular(stats)
    return {
      stats,
      read: (target, start, length, position) => readSync(file, target, start, length, position),
      close: () => closeSync(file),
    }
  } catch (cause) {
    closeSync(file)
    throw cause
  }
}

/** Opens a file for the duration of a callback. */
export const withForeignFile = <Result>(path: string, use: (file: ForeignFile) => Result): Result => {
  const file = openForeignFile(path)
  try {
    return use(file)
  } finally {
    file.close()
  }
}

/** In bytes. Longer than any list, table or setting that a program would write for another. */
const usualLimit = 16 << 20

export type ForeignContent = { bytes: Buffer; stats: Stats }

/** Reads a whole file. Throws `file-too-large` if it is, or grows, longer than the limit. */
export const readForeignFile = (path: string, limit: number = usualLimit): ForeignContent =>
  withForeignFile(path, ({ stats, read }) => {
    if (stats.size > limit) throw tooLarge(limit)
    // A file may grow during the read, and some files report size 0 although they have content.
    let bytes = Buffer.allocUnsafe(Math.min(stats.size, limit) + 1)
    let length = 0
    for (;;) {
      const count = read(bytes, length, bytes.length - length, length)
      if (count === 0) return { bytes: bytes.subarray(0, length), stats }
      length += count
      if (length > limit) throw tooLarge(limit)
      if (length === bytes.length) bytes = Buffer.concat([bytes], Math.min(length * 2, limit) + 1)
    }
  })

/** The same as text. */
export const readForeignText = (path: string, limit?: number): string =>
  readForeignFile(path, limit).bytes.toString("utf8")

/** The same text, or undefined if the file is missing or unreadable. */
export const foreignTextIn = (path: string, limit?: number): string | undefined => {
  try {
    return readForeignText(path, limit)
  } catch {
    return undefined
  }
}

export type ForeignHandle = { handle: FileHandle; kind: "file" | "pipe" }

/**
 * Opens a file that is read as it grows. Pipes are allowed, because a person may name one; reading an empty pipe gives
 * `EAGAIN`. Throws like `openForeignFile`.
 */
export const openForeign = async (path: string): Promise<ForeignHandle> => {
  const before = statSync(path)
  if (!before.isFIFO()) checkRegular(before)
  // Loaded on demand, because frequently called commands never need it.
  const { open } = await import("node:fs/promises")
  const handle = await open(path, neverWaiting)
  try {
    const stats = await handle.stat()
    if (stats.isFIFO()) return { handle, kind: "pipe" }
    checkRegular(stats)
    return { handle, kind: "file" }
  } catch (cause) {
    await handle.close()
    throw cause
  }
}

const chunkSize = 128 << 10

/**
 * All bytes of what a person names, a file or a pipe, in chunks. A pipe is waited for as by any other program: a person who
 * reads one this way must not hold back the signals that end it. Of a file, `from` leaves out so many bytes at its beginning.
 * Throws as `openForeignFile` does.
 */
export async function* foreignChunks(path: string, from = 0): AsyncGenerator<Uint8Array> {
  if (statSync(path).isFIFO()) {
    yield* createReadStream(path, { highWaterMark: chunkSize })
    return
  }
  const { handle } = await openForeign(path)
  try {
    for (let position = from; ; ) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(chunkSize), 0, chunkSize, position)
      if (bytesRead === 0) return
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

const checkRegular = (stats: Stats): void => {
  if (!stats.isFile()) throw new HeadwayError("not-a-regular-file", `it is ${kindOf(stats)} and not a regular file`)
}

const kindOf = (stats: Stats): string => {
  if (stats.isDirectory()) return "a folder"
  if (stats.isFIFO()) return "a pipe"
  return stats.isSocket() ? "a socket" : "a device"
}

const tooLarge = (limit: number): HeadwayError =>
  new HeadwayError("file-too-large", `it is larger than ${sizeText(limit)}, the most that is read`)

const sizeText = (bytes: number): string =>
  bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.ceil(bytes / (1 << 20))} MiB`
