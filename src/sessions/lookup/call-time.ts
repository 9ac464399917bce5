/** When an agent called one of its list tools, as the file of its session says. */
import { loadStreams } from "../../agents/index.ts"
import type { Stream } from "../../streams/stream.ts"
import { lastLinesOf } from "./session-end.ts"

/**
 * Undefined if the file is not one of lines, cannot be read, or does not have the call near its end. An id that is used again means
 * the last call.
 */
export const callTimeIn = async (path: string, agentType: string, callId: string): Promise<string | undefined> => {
  try {
    const own = lastLinesOf(path)
      .filter((line) => line.includes(callId))
      .reverse()
    const streams = own.length > 0 ? await loadStreams(agentType) : []
    for (const line of own) {
      const at = streams.map((stream) => timeIn(line, stream, callId)).find((time) => time !== undefined)
      if (at !== undefined) return at
    }
  } catch {}
  return undefined
}

const timeIn = (line: string, stream: Stream, callId: string): string | undefined => {
  const signals = stream.isDocument ? [] : stream.open().read(line)
  return signals.flatMap((signal) => (signal.type === "call" && signal.call.callId === callId ? signal.call.at : []))[0]
}
