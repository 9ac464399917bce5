/** Where what was read of the agents' sessions is kept for the next time: in the cache of Headway's home. */
import { join } from "node:path"
import { foreignTextIn } from "../home/foreign-file.ts"
import { replaceFile } from "../home/write-file.ts"
import type { IndexFile } from "./_session-index.ts"

/** In bytes. Anything longer is not an index of ours, or belongs to a home that is better read again. */
const longestIndex = 256 << 20

export const indexFileIn = (home: string): IndexFile => {
  const path = join(home, "cache", "sessions.index")
  return {
    load: () => foreignTextIn(path, longestIndex),
    save: (text) => void replaceFile(path, text, join(home, "tmp")),
  }
}
