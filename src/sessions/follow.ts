/** Follows a file as it grows: through truncation, through rotation, and before it exists. */
import { type BigIntStats, type FSWatcher, statSync, watch } from "node:fs"
import { basename, dirname } from "node:path"
import { type ForeignHandle, openForeign } from "../home/reading/foreign-file.ts"
import { HeadwayError, isHeadwayError } from "../plan/index.ts"

export type FollowOptions = {
  path: string
  /** The next bytes. The chunk is reused: copy what must be kept. */
  onBytes: (chunk: Uint8Array) => void
  /** The next bytes start a new stream: the file was truncated, rewritten or replaced. */
  onRestart: () => void
  signal: AbortSignal
  /** How often to check, in milliseconds, besides notifications of the system. @default 500 */
  interval?: number
}

type Opened = ForeignHandle & {
  position: number
  /** The last bytes read: if they differ later, the file was rewritten. */
  tail: Buffer
}

const chunkSize = 128 << 10
const tailLength = 64

/** How often a pipe is checked, in milliseconds: not every system notifies about it. */
const pipeInterval = 50

/**
 * Resolves when the signal is aborted, or when a pipe given as a file has ended. Never blocks in a way that would delay
 * the signal. If the file is replaced, the new one is followed if it is a regular file.
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
   * Passes on new bytes. The bytes before them are read again in the same call: if they have changed, the file was
   * rewritten and the new bytes do not continue the old ones.
   */
  const drain = async (file: Opened): Promise<"drained" | "ended" | "written anew"> => {
    const isFile = file.kind === "file"
    while (!signal.aborted) {
      const overlap = isFile ? file.tail.length : 0
      const bytesRead = await file.handle
        .read(chunk, 0, chunkSize, isFile ? file.position - overlap : null)
        .then((read) => read.bytesRead, unlessNothingCame(path))
      if (isFile && !chunk.subarray(0, Math.min(bytesRead ?? 0, overlap)).equals(file.tail)) return "written anew"
      // A pipe that was never written to has not ended: its writer may still connect.
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
          // Bytes written between the last check and the renaming belong to the old file.
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

/**
 * Undefined if there is nothing to follow yet. Something that is not a file is the caller's mistake only at the start.
 */
const openIfThere = async (path: string, isFirst: boolean): Promise<ForeignHandle | undefined> => {
  try {
    return await openForeign(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT" || !isFirst) return undefined
    if (isHeadwayError(cause)) throw new HeadwayError(cause.code, `${path} cannot be followed: ${cause.message}.`)
    throw cause
  }
}

const unlessNothingCame =
  (path: string) =>
  (cause: NodeJS.ErrnoException): undefined => {
    if (cause.code !== "EAGAIN") throw Object.assign(cause, { path })
  }

/** Whether another file is at the path. While there is none, the renamed one is still read. */
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

/** Fires on a notification of the system, after each interval, and when the signal is aborted. */
const createAlarm = (path: string, signal: AbortSignal) => {
  let isRung = false
  let wake = (): void => {}
  const ring = (): void => {
    isRung = true
    wake()
  }
  let watcher: FSWatcher | undefined
  try {
    // The folder is watched, because the watcher of a file follows it when it is renamed.
    watcher = watch(dirname(path), (_, name) => {
      if (name === null || name === basename(path)) ring()
    })
    watcher.on("error", () => {})
  } catch {
    // Some folders cannot be watched, but all can be scanned.
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
