/** Where what was read of the agents' sessions is kept for the next time: in the cache of Headway's home. */
import { join } from "node:path"
import { foreignTextIn } from "../home/foreign-file.ts"
import { replaceFile } from "../home/write-file.ts"
import type { IndexFile } from "./session-index.ts"

export const indexFileIn = (home: string): IndexFile => fileIn(home, "sessions.index", longestIndex)

/** Which files were searched for the calls of servers that were killed. */
export const searchedFileIn = (home: string): IndexFile => fileIn(home, "searched.json", longestSearched)

/** What people typed in all sessions, and what stands in their lists. */
export const textFileIn = (home: string): IndexFile => fileIn(home, "texts.index", longestIndex)

/** In bytes. Anything longer is not an index of ours, or belongs to a home that is better read again. */
const longestIndex = 256 << 20
const longestSearched = 8 << 20

const fileIn = (home: string, name: string, longest: number): IndexFile => {
  const path = join(home, "cache", name)
  return {
    load: () => foreignTextIn(path, longest),
    save: (text) => void replaceFile(path, text, join(home, "tmp")),
  }
}
