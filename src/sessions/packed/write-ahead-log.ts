/** Whether a database has a log beside it that SQLite can read without writing to its shared memory. */
import { statSync } from "node:fs"
import { withForeignFile } from "../../home/reading/foreign-file.ts"

/**
 * The shared memory is made by the writer of the log, and is needed. A log with a damaged header holds nothing: read
 * without writing, SQLite would wait for its writer for ten seconds.
 */
export const hasReadableLog = (path: string): boolean => {
  if (!isFile(`${path}-wal`) || !isFile(`${path}-shm`)) return false
  try {
    const header = Buffer.alloc(headerLength)
    const length = withForeignFile(`${path}-wal`, (file) => file.read(header, 0, headerLength, 0))
    return length === headerLength && isHeader(header)
  } catch {
    return false
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

const headerLength = 32

/** The last bit of the first number says in which order the bytes of numbers are summed. */
const firstNumbers: readonly number[] = [0x377f0682, 0x377f0683]

/** Its sums, in the last eight bytes, are those of the numbers before them. */
const isHeader = (header: Buffer): boolean => {
  const first = header.readUInt32BE(0)
  if (!firstNumbers.includes(first)) return false
  const numberAt = (at: number): number => (first & 1 ? header.readUInt32BE(at) : header.readUInt32LE(at))
  let [one, other] = [0, 0]
  for (let at = 0; at < 24; at += 8) {
    one = (one + numberAt(at) + other) >>> 0
    other = (other + numberAt(at + 4) + one) >>> 0
  }
  return header.readUInt32BE(24) === one && header.readUInt32BE(28) === other
}
