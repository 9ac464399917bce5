/** Turns bytes in any of several formats into unified events. */
import type { Problem } from "../plan/index.ts"
import { createDetector } from "./detect.ts"
import type { StreamEvent } from "./events.ts"
import { createLineSplitter, longLine } from "./lines.ts"
import type { ObservedAgent } from "./observe.ts"
import type { Signal, Stream } from "./stream.ts"
import { createUnifier } from "./unify.ts"

export type EventReaderOptions = {
  /** The possible formats. */
  candidates: readonly Stream[]
  now: () => Date
  onEvent: (event: StreamEvent) => void
  /** The agent's name in a run of several agents; every event contains it. */
  member?: string | undefined
  /** Reports a list only when the results of its calls have arrived. @default false */
  confirmed?: boolean | undefined
  /** In bytes. @default 64 MiB */
  maxLength?: number | undefined
  /** Receives all signals, so that every list has evidence for its todos. */
  evidence?: EvidenceTaker | undefined
}

/** Collects the work, and returns one word of evidence for each todo of an agent. */
export type EvidenceTaker = {
  take(signal: Signal, line: number): void
  wordsOf(agent: string): ReadonlyMap<string, string>
}

export type EventReader = {
  push(chunk: Uint8Array): void
  /** Ends the input: reads the text after the last line break. */
  end(): void
  /** The format, once it is known. */
  readonly stream: Stream | undefined
  /** Whether a line of the format was recognised. */
  readonly isRecognised: boolean
  /** What could not be read: the first problem of each kind, with a count. */
  readonly problems: ReadonlyMap<string, { problem: Problem; count: number }>
  /** What is known of the agents. */
  readonly agents: ReadonlyMap<string, ObservedAgent>
}

export const createEventReader = ({ candidates, maxLength, evidence, ...options }: EventReaderOptions): EventReader => {
  const detector = createDetector(candidates, { work: evidence !== undefined })
  const unifier = createUnifier({ ...options, evidenceOf: evidence?.wordsOf })
  let line = 0

  const take = (signals: readonly Signal[]): void => {
    line += 1
    if (evidence) for (const signal of signals) evidence.take(signal, line)
    unifier.take(signals, detector.stream?.agentType ?? "")
  }

  const splitter = createLineSplitter({
    onLine: (line) => take(detector.read(line)),
    onSkipped: (length) => take([{ type: "problem", problem: longLine(length) }]),
    ...(maxLength === undefined ? {} : { maxLength }),
  })

  return {
    push: splitter.push,
    end() {
      splitter.end()
      take(detector.end())
      unifier.end(detector.stream?.agentType ?? "")
    },
    get stream() {
      return detector.stream
    },
    get isRecognised() {
      return detector.isRecognised
    },
    get problems() {
      return unifier.observer.problems
    },
    agents: unifier.observer.agents,
  }
}
