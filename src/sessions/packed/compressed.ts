/** Reads a session file that its agent has compressed, piece by piece. */

import { createLineSplitter, longLine } from "../../streams/lines.ts"
import type { ScanObserver } from "../../streams/observe.ts"
import type { Stream } from "../../streams/stream.ts"
import { createTitledObserver } from "../file/titled-observer.ts"
import type { Unpacker } from "./unpack.ts"

type ReadCompressed = { path: string; stream: Stream; unpacker: Unpacker }

/**
 * Compressed files never change, so all their lines are read. Throws if the bytes are damaged or expand out of
 * proportion.
 */
export const observeCompressed = async ({ path, stream, unpacker }: ReadCompressed): Promise<ScanObserver> => {
  const observer = createTitledObserver({ readsAll: true })
  const reader = stream.open()
  const splitter = createLineSplitter({
    onLine: (line) => {
      for (const signal of reader.read(line)) observer.take(signal)
    },
    onSkipped: (length) => observer.take({ type: "problem", problem: longLine(length) }),
  })
  await unpacker.bytes(path, splitter.push)
  splitter.end()
  return observer
}
