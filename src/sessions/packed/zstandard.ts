/** Unpacks a Zstandard file piece by piece, as long as the output stays in proportion. */
import { Decompress } from "fzstd"
import { type ForeignFile, openForeignFile } from "../../home/reading/foreign-file.ts"
import { HeadwayError } from "../../plan/headway-error.ts"

/** A transcript shrinks to a tenth or a twentieth; a much smaller file is a decompression bomb. */
const mostGrowth = 256

/** In bytes: what any file may grow to, and what none may. */
const [freeSize, mostSize] = [16 << 20, 1 << 30]

/** In bytes. What is unpacked is kept so far back; no usual compression asks for more. */
const mostMemory = 32 << 20

const pieceSize = 64 << 10

/** Throws when the bytes are damaged, and when they ask for too much. Some damage keeps it busy for ever. */
export function* decompressed(path: string): Generator<Uint8Array> {
  const file = openForeignFile(path)
  try {
    const most = Math.min(mostSize, freeSize + mostGrowth * file.stats.size)
    checkFrames(file, most)
    let size = 0
    let waiting: Uint8Array[] = []
    const unpacking = new Decompress((chunk) => {
      size += chunk.length
      if (size > most) throw tooMuch(most)
      waiting.push(chunk)
    })
    for (let position = 0, isOver = false; !isOver; ) {
      // Decompression keeps what it was given.
      const piece = new Uint8Array(pieceSize)
      const count = file.read(piece, 0, pieceSize, position)
      position += count
      isOver = count === 0
      unpacking.push(piece.subarray(0, count), isOver)
      if (waiting.length > 0) yield Buffer.concat(waiting)
      waiting = []
    }
  } finally {
    file.close()
  }
}

/** The header is enough to reject a file before anything is unpacked. */
const checkFrames = (file: ForeignFile, most: number): void => {
  const bytesAt = createBytes(file)
  let size = 0
  for (let at = 0; at < file.stats.size; ) {
    const magic = bytesAt(at, 4)
    if (magic >= skippable && magic < skippable + 16) {
      at += 8 + bytesAt(at + 4, 4)
      continue
    }
    if (magic !== frame) return
    const flags = bytesAt(at + 4, 1)
    const isOneSegment = (flags & 32) !== 0
    at += 5
    let memory = windowSize(bytesAt(at, 1))
    if (!isOneSegment) at += 1
    at += [0, 1, 2, 4][flags & 3] ?? 0
    const contentLength = [isOneSegment ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0
    if (isOneSegment) memory = bytesAt(at, contentLength)
    if (memory > mostMemory) throw new HeadwayError("too-large", `it asks for ${megabytes(memory)} of memory at once`)
    at += contentLength
    for (let isLast = false; !isLast; ) {
      const block = bytesAt(at, 3)
      const length = block >> 3
      const isCompressed = (block & 6) === 4
      isLast = (block & 1) === 1 || at >= file.stats.size
      // For other block types the length is the output size; a repeated byte is stored once.
      if (!isCompressed) size += length
      if (size > most) throw tooMuch(most)
      at += 3 + ((block & 6) === 2 ? 1 : length)
    }
    if ((flags & 4) !== 0) at += 4
  }
}

const [frame, skippable] = [0xfd2fb528, 0x184d2a50]

const windowSize = (descriptor: number): number => 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8)

/** Numbers as they are in a file, the lowest byte first; what follows its end counts as 0. */
const createBytes = ({ read }: ForeignFile): ((at: number, length: number) => number) => {
  const buffer = Buffer.alloc(pieceSize)
  let [start, end] = [0, 0]
  return (at, length) => {
    if (at < start || at + length > end) {
      start = at
      end = at + read(buffer, 0, pieceSize, at)
      buffer.fill(0, end - start)
    }
    let number = 0
    for (let index = length - 1; index >= 0; index -= 1) number = number * 256 + (buffer[at - start + index] ?? 0)
    return number
  }
}

const tooMuch = (most: number): HeadwayError =>
  new HeadwayError("too-large", `it would unpack to more than ${megabytes(most)}, the most that is read`)

const megabytes = (bytes: number): string => `${Math.ceil(bytes / (1 << 20))} MiB`
