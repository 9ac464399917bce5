/** The end of a session file, where the calls are that an agent has just made. */
import { withForeignFile } from "../../home/reading/foreign-file.ts"

/** In bytes. */
const longest = 1 << 20

/** Its lines; the first one may be cut off. Throws if the file cannot be read. */
export const lastLinesOf = (path: string): string[] =>
  withForeignFile(path, ({ stats: { size }, read }) => {
    const bytes = Buffer.alloc(Math.min(size, longest))
    return bytes.toString("utf8", 0, read(bytes, 0, bytes.length, size - bytes.length)).split("\n")
  })
