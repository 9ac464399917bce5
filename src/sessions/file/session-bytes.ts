/** The bytes of a session's file: never more of them than a real session has, and none that come while it is read. */
import { withForeignFile } from "../../home/foreign-file.ts"
import { HeadwayError } from "../../plan/index.ts"
import type { Bytes } from "./found-lines.ts"

/** In bytes. */
const [largestFile, largestHole] = [4 * 2 ** 30, 64 << 20]

/** Of a file of any length only so much is parsed, a few seconds' work: the longest sessions need a tenth of it. */
const [mostLines, mostText] = [1_000_000, 512 << 20]

type BytesOptions = {
  /** Called with the length of every read, in bytes. */
  onRead?: ((bytes: number) => void) | undefined
}

/** Throws what the system reports, and where it is not a session's file. */
export const withSessionBytes = <Result>(
  path: string,
  { onRead }: BytesOptions,
  use: (file: Required<Bytes>) => Result,
): Result =>
  withForeignFile(path, (file) => {
    const { size, blocks } = file.stats
    if (size > largestFile) throw new HeadwayError("too-large", "it is larger than 4 GiB, the most that is read")
    // Reading nothing takes as long as reading something; a hole of any size costs its maker nothing.
    if (size > largestHole && blocks * 512 < size / 64)
      throw new HeadwayError("too-large", "nearly all of it is a hole, as in no real session")
    const read: Bytes["read"] = (target, start, length, position) => {
      // What is written during the scan is left for the next one, so that a file that keeps growing has an end too.
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
