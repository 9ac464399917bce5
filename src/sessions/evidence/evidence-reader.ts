/** Reads the evidence for todos from the bytes of a stream or session file. */
import type { Evidence } from "../../evidence/index.ts"
import { createDetector } from "../../streams/detect.ts"
import { createLineSplitter } from "../../streams/lines.ts"
import type { Signal, Stream } from "../../streams/stream.ts"
import { createEvidenceTaker } from "./evidence-taker.ts"

export type EvidenceReader = {
  push(chunk: Uint8Array): void
  /** Signals from a source without lines: each event counts as one line. */
  take(signals: readonly Signal[]): void
  /** Ends this file; another file of the same session may follow. */
  end(): void
  evidence(): Evidence
  /** The format, once it is known. */
  readonly stream: Stream | undefined
  /** Whether a todo list was seen. */
  readonly hasList: boolean
}

/** Reads the files of one session, one after the other: its own first, then those of its sub-agents. */
export const createEvidenceReader = (candidates: readonly Stream[]): EvidenceReader => {
  const taker = createEvidenceTaker()
  let detector = createDetector(candidates, { work: true })
  let stream: Stream | undefined
  let line = 0

  /** Of what has no lines each thing that happened counts as one. */
  const takeCounted = (signals: readonly Signal[]): void => {
    for (const signal of signals) {
      if (signal.type === "work" || signal.type === "call" || signal.type === "snapshot") line += 1
      taker.take(signal, line)
    }
  }

  const take = (signals: readonly Signal[]): void => {
    if (detector.stream?.isDocument) {
      line = 0
      takeCounted(signals)
    } else for (const signal of signals) taker.take(signal, line)
  }

  const splitter = createLineSplitter({
    // An empty line has no meaning, but counts as a line.
    keepsEmpty: true,
    onLine: (text) => {
      line += 1
      if (text === "") return
      take(detector.read(text))
    },
    onSkipped: () => {
      line += 1
    },
  })

  return {
    push: splitter.push,
    take: takeCounted,
    end() {
      splitter.end()
      take(detector.end())
      stream ??= detector.stream
      detector = createDetector(stream ? [stream] : candidates, { work: true })
      line = 0
    },
    evidence: taker.evidence,
    get stream() {
      return detector.stream ?? stream
    },
    get hasList() {
      return taker.hasList
    },
  }
}
