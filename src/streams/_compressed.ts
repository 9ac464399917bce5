/** Reads a session file that its agent has compressed with Zstandard, piece by piece. */
import { closeSync, openSync, readSync } from "node:fs"
import { Decompress } from "fzstd"
import { createLateObserver, type LateObserver } from "./_late-observer.ts"
import { createLineSplitter } from "./lines.ts"
import type { Stream } from "./stream.ts"

const pieceSize = 64 << 10

/** Cold files are small and never change: all their lines are read. Throws when the bytes are damaged. */
export const observeCompressed = (path: string, stream: Stream, isTimed: boolean): LateObserver => {
  const observer = createLateObserver(undefined, isTimed)
  const reader = stream.open()
  const splitter = createLineSplitter({
    onLine: (line) => {
      for (const signal of reader.read(line)) observer.take(signal)
    },
  })
  const unpacking = new Decompress((chunk) => splitter.push(chunk))
  const file = openSync(path, "r")
  try {
    for (;;) {
      // Decompression keeps what it was given.
      const piece = new Uint8Array(pieceSize)
      const count = readSync(file, piece, 0, pieceSize, null)
      unpacking.push(piece.subarray(0, count), count === 0)
      if (count === 0) break
    }
  } finally {
    closeSync(file)
  }
  splitter.end()
  return observer
}
