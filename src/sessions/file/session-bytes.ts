/** Reads the bytes of a session file: never more than a real session has, and nothing added during the read. */
import { withForeignFile } from "../../home/reading/foreign-file.ts"
import { HeadwayError } from "../../plan/index.ts"
import type { Bytes } from "./found-lines.ts"

/** In bytes. */
const [largestFile, largestHole] = [4 * 2 ** 30, 64 << 20]

/** The most that is parsed of any file, a few seconds' work: the longest sessions need a tenth of it. */
const [mostLines, mostText] = [1_000_000, 512 << 20]

type BytesOptions = {
  /** Called with the length of every read, in bytes. */
  onRead?: ((bytes: number) => void) | undefined
}

/** Throws file system errors, and an error if it is not a session file. */
export const withSessionBytes = <Result>(
  path: string,
  { onRead }: BytesOptions,
  use: (file: Required<Bytes>) => Result,
): Result =>
  withForeignFile(path, (file) => {
    const { size, blocks } = file.stats
    if (size > largestFile) throw new HeadwayError("too-large", "it is larger than 4 GiB, the most that is read")
    // Reading a hole takes as long as reading data, and a hole of any size is free to create.
    if (size > largestHole && blocks * 512 < size / 64)
      throw new HeadwayError("too-large", "it is a sparse file with almost no data, which no real session is")
    const read: Bytes["read"] = (target, start, length, position) => {
      // Data written during the scan is left for the next one, so that a growing file has an end too.
      const count = position < size ? file.read(target, start, Math.min(length, size - position), position) : 0
      onRead?.(count)
      return count
    }
    let [lines, length] = [0, 0]
    const spend = (more: number): void => {
      lines += 1
      length += more
      if (lines > mostLines || length > mostText)
        throw new HeadwayError("too-large", "it has more lines about lists than Headway reads")
    }
    return use({ read, size, spend })
  })

const beforeLength = 32

/** The bytes just before a place: when others are there later, the file is another one. */
export const textBefore = ({ read }: Pick<Bytes, "read">, offset: number): string => {
  const bytes = Buffer.allocUnsafe(Math.min(beforeLength, offset))
  return bytes.toString("latin1", 0, read(bytes, 0, bytes.length, offset - bytes.length))
}
