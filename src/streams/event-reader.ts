/** Turns bytes in any of several formats into unified events. */
import type { Problem } from "../plan/index.ts"
import { createDetector } from "./detect.ts"
import type { StreamEvent } from "./events.ts"
import { createLineSplitter, longLine } from "./lines.ts"
import type { ObservedAgent } from "./observe.ts"
import type { Signal, Stream } from "./stream.ts"
import { createUnifier } from "./unify.ts"

export type EventReaderOptions = {
  /** The formats it may be. */
  candidates: readonly Stream[]
  now: () => Date
  onEvent: (event: StreamEvent) => void
  /** What the agent is called in a run of several; every event names it. */
  member?: string | undefined
  /** Tells a list when the results of its calls are in. @default false */
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
  /** No more bytes come: reads what stands behind the last line end. */
  end(): void
  /** The format, once it is known. */
  readonly stream: Stream | undefined
  /** Whether a line of the format was seen. */
  readonly isRecognised: boolean
  /** What could not be read, once per kind with a count. */
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
