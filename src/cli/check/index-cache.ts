/** The index that git made for Headway when it last looked at a project: it shows which files have not changed since. */
import { utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readForeignFile } from "../../home/reading/foreign-file.ts"
import { replaceFile } from "../../home/writing/write-file.ts"

export type IndexCache = {
  /** Writes the kept index to this path. Returns the second in which git wrote it; undefined if there is none. */
  restoreTo(path: string): number | undefined
  /** Keeps the index at this path. Without it the next look takes longer, so a failure is not reported. */
  keep(path: string): void
}

/** `about` are the project's folder and all else that another index would follow from. */
export const indexCacheIn = (home: string, about: readonly string[]): IndexCache => {
  const { createHash } = process.getBuiltinModule("node:crypto")
  const name = createHash("sha256").update(JSON.stringify(about)).digest("hex").slice(0, 32)
  const kept = join(home, "cache", "trees", `${name}.index`)
  return {
    restoreTo(path) {
      try {
        const { bytes } = readForeignFile(kept, largestIndex)
        writeFileSync(path, bytes.subarray(timeLength))
        const seconds = bytes.readDoubleLE(0)
        utimesSync(path, seconds, seconds)
        return seconds
      } catch {
        return undefined
      }
    },
    keep(path) {
      try {
        const { bytes, stats } = readForeignFile(path, largestIndex)
        // Git reads files again that were changed in the second in which its index was written. Rounded down, that is no second fewer.
        const time = Buffer.alloc(timeLength)
        time.writeDoubleLE(Math.floor(stats.mtimeMs / 1000))
        replaceFile(kept, Buffer.concat([time, bytes]), join(home, "tmp"))
      } catch {}
    },
  }
}

/** In bytes. */
const timeLength = 8
const largestIndex = 1 << 30
