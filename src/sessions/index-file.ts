/** Where the indexes of agents' sessions are kept: in the cache of Headway's home. */
import { join } from "node:path"
import { type ForeignFile, foreignTextIn, withForeignFile } from "../home/reading/foreign-file.ts"
import { replaceFile, stampOf } from "../home/writing/write-file.ts"
import type { IndexBytes, IndexFile, PartedIndexFile } from "./session-index.ts"

/** The session index. It is opened for each read, so that a waiting process keeps no file open. */
export const indexFileIn = (home: string): PartedIndexFile => {
  const path = join(home, "cache", "sessions.index")
  return {
    load: () => bytesIn(path),
    save: (content) => void replaceFile(path, content, join(home, "tmp")),
  }
}

/** Which files were searched for the calls of servers that were killed. */
export const searchedFileIn = (home: string): IndexFile => fileIn(home, "searched.json", longestSearched)

/** The prompts of all sessions, and the texts of their lists. */
export const textFileIn = (home: string): IndexFile => fileIn(home, "texts.index", longestIndex)

/** In bytes. A longer file is not an index of ours, or is so large that reading the sessions again is better. */
const longestIndex = 256 << 20
const longestSearched = 8 << 20
const longestSessions = 1 << 30

const fileIn = (home: string, name: string, longest: number): IndexFile => {
  const path = join(home, "cache", name)
  return {
    load: () => foreignTextIn(path, longest),
    save: (text) => void replaceFile(path, text, join(home, "tmp")),
  }
}

const bytesIn = (path: string): IndexBytes | undefined => {
  const opened = <Result>(use: (file: ForeignFile) => Result): Result | undefined => {
    try {
      return withForeignFile(path, use)
    } catch {
      return undefined
    }
  }
  const found = opened(({ stats }) => stampOf(stats))
  if (!found || found.size > longestSessions) return undefined
  return {
    size: found.size,
    read: (start, length, into) =>
      opened(({ stats, read }) => {
        const { id, size, time } = stampOf(stats)
        if (id !== found.id || size !== found.size || time !== found.time) return undefined
        const bytes = into ?? Buffer.allocUnsafe(length)
        return bytes.subarray(0, read(bytes, 0, length, start))
      }),
  }
}
