/** The calls of an agent's list tool around one of them, in the order in which the file of its session has them. */
import { loadStreams } from "../../agents/index.ts"
import type { Signal, Stream } from "../../streams/stream.ts"
import { lastLinesOf } from "./session-end.ts"

/** A call by the id that the file has for it. */
export type ListCall = Extract<Signal, { type: "call" }>["call"]

export type ListCalls = {
  /** Those of the same agent in the same vocabulary. */
  calls: readonly ListCall[]
  /** The place of the call that was looked for. */
  place: number
  /** By their ids, the results of those calls that the agent's own tool has accepted. */
  resultsOf(calls: readonly ListCall[]): ReadonlyMap<string, { result?: unknown }>
}

/**
 * Undefined if the file is not one of lines, cannot be read, or does not have the call near its end. An id that is used again means
 * the last call.
 */
export const listCallsIn = async (
  path: string,
  { agentType, callId, tools }: { agentType: string; callId: string; tools: readonly string[] },
): Promise<ListCalls | undefined> => {
  try {
    const lines = lastLinesOf(path)
    if (!lines.some((line) => line.includes(callId))) return undefined
    const needles = [callId, ...tools.map((tool) => `"${tool}"`)]
    for (const stream of await loadStreams(agentType)) {
      const found = callsAround(callId, signalsIn(lines, stream, needles))
      if (found) return { ...found, resultsOf: (calls) => resultsIn(lines, stream, calls) }
    }
  } catch {}
  return undefined
}

const callsAround = (callId: string, signals: readonly Signal[]): Omit<ListCalls, "resultsOf"> | undefined => {
  const made = signals.flatMap((signal) => (signal.type === "call" ? [signal] : []))
  const own = made.findLast(({ call }) => call.callId === callId)
  if (!own) return undefined
  const same = made.filter(({ agent, dialect }) => agent === own.agent && dialect === own.dialect)
  return { calls: same.map(({ call }) => call), place: same.indexOf(own) }
}

const resultsIn = (lines: readonly string[], stream: Stream, calls: readonly ListCall[]) => {
  const ids = calls.map(({ callId }) => callId)
  return new Map(
    signalsIn(lines, stream, ids).flatMap((signal) =>
      signal.type === "result" && signal.ok ? [[signal.callId, { result: signal.result }] as const] : [],
    ),
  )
}

const signalsIn = (lines: readonly string[], stream: Stream, needles: readonly string[]): Signal[] => {
  if (stream.isDocument || needles.length === 0) return []
  const reader = stream.open()
  return lines.flatMap((line) => (needles.some((needle) => line.includes(needle)) ? reader.read(line) : []))
}
