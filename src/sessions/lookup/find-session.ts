/** Reads one session by id from the agent's own files: its list, and what it was forked from. */
import type { Plan } from "../../plan/index.ts"
import { known } from "../../streams/line.ts"
import { createScanObserver } from "../../streams/observe.ts"
import type { SessionSignal, Signal } from "../../streams/stream.ts"
import { fingerprintOf } from "../fingerprint.ts"
import { createUnpacker } from "../packed/unpack.ts"
import type { Found } from "../walk.ts"
import { filesOf, mayHold, type SessionPlaces, sessionOf, signalsIn } from "./session-signals.ts"

export type { SessionPlaces } from "./session-signals.ts"

export type FoundSession = {
  /** Its list, when it was written, and a fingerprint. */
  plan?: Plan
  planned?: string
  fingerprint?: string
  /** The folder it works in. */
  project?: string
  forkedFrom?: NonNullable<SessionSignal["forkedFrom"]>
  /** The calls about its list that were answered, in their order. */
  calls: { callId: string; input: unknown }[]
}

/** Undefined if its files do not have the session, or take too long to read. */
export const findSession = async (
  wanted: { session: string; agent: string },
  places: SessionPlaces,
): Promise<FoundSession | undefined> => {
  const unpacker = createUnpacker(timeLimit)
  try {
    const candidates = filesOf(places).filter((found) => mayHold(found, wanted.session))
    for (const found of candidates.slice(0, mostFiles)) {
      const lists = await signalsIn(found, unpacker, mostBytes).catch((): Signal[][] => [])
      for (const signals of lists) {
        const seen = sessionIn(signals, found, wanted)
        if (seen) return seen
      }
    }
    return undefined
  } finally {
    unpacker.close()
  }
}

/** A session is in one file; a few may have the beginning of its id in their names. */
const mostFiles = 8

/** More than the longest of days leaves. */
const mostBytes = 64 << 20

/** In milliseconds; a model waits for it. */
const timeLimit = 2_000

const sessionIn = (
  signals: readonly Signal[],
  file: Found,
  { session, agent }: { session: string; agent: string },
): FoundSession | undefined => {
  const observer = createScanObserver({ readsAll: true })
  const answered = new Set(signals.flatMap((signal) => (signal.type === "result" ? [signal.callId] : [])))
  for (const signal of signals) {
    // A call without a result is the one we are serving right now.
    if (signal.type !== "call" || answered.has(signal.call.callId)) observer.take(signal)
  }
  const found = observer.agents().find((one) => {
    const speaker = one.agent === "main" ? (file.whose.agent ?? one.agent) : one.agent
    return sessionOf(file, one.about.session) === session && speaker === agent
  })
  if (!found) return undefined
  const { plan, updated: planned, about } = found
  const calls = signals.flatMap((signal) => {
    if (signal.type !== "call" || signal.agent !== found.agent || !answered.has(signal.call.callId)) return []
    const { callId, input } = signal.call
    return [{ callId, input }]
  })
  const { project, forkedFrom } = about
  return { calls, ...known({ plan, planned, fingerprint: plan && fingerprintOf(plan), project, forkedFrom }) }
}
