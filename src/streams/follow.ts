/** Follows a file as it grows: through truncation, through rotation, and before it exists. */
import { type FSWatcher, watch } from "node:fs"
import { type FileHandle, open, stat } from "node:fs/promises"
import { basename, dirname } from "node:path"

export type FollowOptions = {
  path: string
  /** The next bytes. The chunk is used again: what is to be kept must be copied. */
  onBytes: (chunk: Uint8Array) => void
  /** What comes next is another stream: the file was cut short, written anew, or another stands in its place. */
  onRestart: () => void
  signal: AbortSignal
  /** How often to look, in milliseconds, beside being told by the system. @default 500 */
  interval?: number
}

type Opened = {
  handle: FileHandle
  position: number
  /** The last bytes read: when others stand there, the file was written anew. */
  tail: Buffer
}

const chunkSize = 128 << 10
const tailLength = 64

/** Resolves when the signal is aborted, or when a pipe given as a file has ended. */
export const follow = async ({ path, onBytes, onRestart, signal, interval = 500 }: FollowOptions): Promise<void> => {
  const chunk = Buffer.allocUnsafe(chunkSize)
  const alarm = createAlarm(path, interval, signal)
  let opened: Opened | undefined
  let isFirst = true

  const begin = (handle: FileHandle): Opened => {
    if (!isFirst) onRestart()
    isFirst = false
    return { handle, position: 0, tail: Buffer.alloc(0) }
  }

  /** Answers whether a pipe has ended; a file never does. */
  const drain = async (file: Opened): Promise<boolean> => {
    const isFile = (await file.handle.stat()).isFile()
    while (!signal.aborted) {
      const { bytesRead } = await file.handle.read(chunk, 0, chunkSize, isFile ? file.position : null)
      if (bytesRead === 0) return !isFile
      const read = chunk.subarray(0, bytesRead)
      file.position += bytesRead
      file.tail = Buffer.concat([file.tail, read.subarray(-tailLength)]).subarray(-tailLength)
      onBytes(read)
    }
    return false
  }

  try {
    while (!signal.aborted) {
      const handle = opened?.handle ?? (await openIfThere(path))
      if (handle) {
        opened ??= begin(handle)
        if (await wasWrittenAnew(opened)) opened = begin(handle)
        if (await drain(opened)) return
        if (await isReplaced(handle, path)) {
          // What was written between the last look and the renaming belongs to the old file.
          await drain(opened)
          opened = undefined
          await handle.close()
          continue
        }
      }
      await alarm.rings()
    }
  } finally {
    alarm.end()
    await opened?.handle.close()
  }
}

const openIfThere = (path: string): Promise<FileHandle | undefined> => open(path).catch(unlessMissing)

const unlessMissing = (cause: NodeJS.ErrnoException): undefined => {
  if (cause.code !== "ENOENT") throw cause
}

/** Shorter than what was read, or other bytes where the last ones stood: it may have grown again since it was cut. */
const wasWrittenAnew = async ({ handle, position, tail }: Opened): Promise<boolean> => {
  if (tail.length === 0) return false
  const about = await handle.stat()
  if (!about.isFile()) return false
  if (about.size < position) return true
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(tail.length), 0, tail.length, position - tail.length)
  return !buffer.subarray(0, bytesRead).equals(tail)
}

/** Whether another file stands at the path. While there is none, the one that was renamed is still read. */
const isReplaced = async (handle: FileHandle, path: string): Promise<boolean> => {
  const there = await stat(path, { bigint: true }).catch(unlessMissing)
  if (!there) return false
  const own = await handle.stat({ bigint: true })
  return there.ino !== own.ino || there.dev !== own.dev
}

/** Rings when the system tells of a change, at each interval, and when the signal is aborted. */
const createAlarm = (path: string, interval: number, signal: AbortSignal) => {
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
    rings: async (): Promise<void> => {
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
