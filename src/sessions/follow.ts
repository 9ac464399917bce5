/** Follows a file as it grows: through truncation, through rotation, and before it exists. */
import { type BigIntStats, type FSWatcher, statSync, watch } from "node:fs"
import { basename, dirname } from "node:path"
import { type ForeignHandle, openForeign } from "../home/foreign-file.ts"
import { HeadwayError, isHeadwayError } from "../plan/index.ts"

export type FollowOptions = {
  path: string
  /** The next bytes. The chunk is used again: what is to be kept must be copied. */
  onBytes: (chunk: Uint8Array) => void
  /** What comes next is another stream: the file was cut short, rewritten, or replaced by another. */
  onRestart: () => void
  signal: AbortSignal
  /** How often to look, in milliseconds, besides the system's notices. @default 500 */
  interval?: number
}

type Opened = ForeignHandle & {
  position: number
  /** The last bytes read: when the file has others there, it was rewritten. */
  tail: Buffer
}

const chunkSize = 128 << 10
const tailLength = 64

/** How often a pipe is looked at, in milliseconds: not every system tells of what comes through it. */
const pipeInterval = 50

/**
 * Resolves when the signal is aborted, or when a pipe given as a file has ended. Never waits where it could not notice the
 * signal. What comes to stand in the place of a file is followed if it is a file too; a pipe or a folder there is not.
 */
export const follow = async ({ path, onBytes, onRestart, signal, interval = 500 }: FollowOptions): Promise<void> => {
  const chunk = Buffer.allocUnsafe(chunkSize)
  const alarm = createAlarm(path, signal)
  let opened: Opened | undefined
  let isFirst = true

  const begin = (foreign: ForeignHandle): Opened => {
    if (!isFirst) onRestart()
    isFirst = false
    return { ...foreign, position: 0, tail: Buffer.alloc(0) }
  }

  const open = async (): Promise<Opened | undefined> => {
    const foreign = await openIfThere(path, isFirst)
    if (foreign && !isFirst && foreign.kind === "pipe") return foreign.handle.close().then(() => undefined)
    return foreign && begin(foreign)
  }

  /**
   * Hands on what is new. The bytes before it are read again with it, in one go: when they are others than before, the file was
   * written anew, and what follows them is not the continuation of what was read.
   */
  const drain = async (file: Opened): Promise<"drained" | "ended" | "written anew"> => {
    const isFile = file.kind === "file"
    while (!signal.aborted) {
      const overlap = isFile ? file.tail.length : 0
      const bytesRead = await file.handle
        .read(chunk, 0, chunkSize, isFile ? file.position - overlap : null)
        .then((read) => read.bytesRead, unlessNothingCame)
      if (isFile && !chunk.subarray(0, Math.min(bytesRead ?? 0, overlap)).equals(file.tail)) return "written anew"
      // A pipe that was never written to has not ended: its writer may still come.
      if (bytesRead === undefined || bytesRead === overlap)
        return !isFile && bytesRead === 0 && file.position > 0 ? "ended" : "drained"
      const read = chunk.subarray(overlap, bytesRead)
      file.position += read.length
      file.tail = Buffer.concat([file.tail, read.subarray(-tailLength)]).subarray(-tailLength)
      onBytes(read)
    }
    return "drained"
  }

  try {
    while (!signal.aborted) {
      opened ??= await open()
      if (opened) {
        const outcome = await drain(opened)
        if (outcome === "ended") return
        if (outcome === "written anew") {
          opened = begin(opened)
          continue
        }
        if (await isReplaced(opened, path)) {
          // What was written between the last look and the renaming belongs to the old file.
          await drain(opened)
          const { handle } = opened
          opened = undefined
          await handle.close()
          continue
        }
      }
      await alarm.rings(opened?.kind === "pipe" ? Math.min(pipeInterval, interval) : interval)
    }
  } finally {
    alarm.end()
    await opened?.handle.close()
  }
}

/** Undefined when there is nothing to follow yet. Something that is not a file is the caller's mistake only if it was there at first. */
const openIfThere = async (path: string, isFirst: boolean): Promise<ForeignHandle | undefined> => {
  try {
    return await openForeign(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT" || !isFirst) return undefined
    if (isHeadwayError(cause)) throw new HeadwayError(cause.code, `${path} cannot be followed: ${cause.message}.`)
    throw cause
  }
}

const unlessNothingCame = (cause: NodeJS.ErrnoException): undefined => {
  if (cause.code !== "EAGAIN") throw cause
}

/** Whether another file is at the path. While there is none, the one that was renamed is still read. */
const isReplaced = async ({ handle }: Opened, path: string): Promise<boolean> => {
  const there = statOf(path)
  if (!there?.isFile()) return false
  const own = await handle.stat({ bigint: true })
  return there.ino !== own.ino || there.dev !== own.dev
}

const statOf = (path: string): BigIntStats | undefined => {
  try {
    return statSync(path, { bigint: true })
  } catch {
    return undefined
  }
}

/** Rings when the system tells of a change, after each interval, and when the signal is aborted. */
const createAlarm = (path: string, signal: AbortSignal) => {
  let isRung = false
  let wake = (): void => {}
  const ring = (): void => {
    isRung = true
    wake()
  }
  let watcher: FSWatcher | undefined
  try {
    // The folder, because a watched file that is renamed away takes its watcher along.
    watcher = watch(dirname(path), (_, name) => {
      if (name === null || name === basename(path)) ring()
    })
    watcher.on("error", () => {})
  } catch {
    // Not everything can be watched; everything can be looked at.
  }
  signal.addEventListener("abort", ring)
  return {
    rings: async (interval: number): Promise<void> => {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, interval)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isRung = false
    },
    end: (): void => {
      watcher?.close()
      signal.removeEventListener("abort", ring)
    },
  }
}
