/** When an agent called one of its list tools, as the file of its session says. */
import { loadStreams } from "../../agents/index.ts"
import { withForeignFile } from "../../home/foreign-file.ts"
import type { Stream } from "../../streams/stream.ts"

/** The call is near the end. In bytes. */
const tailLength = 1 << 20

/**
 * Undefined if the file is not one of lines, cannot be read, or does not have the call near its end. An id that is used again means
 * the last call.
 */
export const callTimeIn = async (path: string, agentType: string, callId: string): Promise<string | undefined> => {
  try {
    const lines = endOf(path).split("\n")
    const own = lines.filter((line) => line.includes(callId)).reverse()
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

const endOf = (path: string): string =>
  withForeignFile(path, ({ stats: { size }, read }) => {
    const bytes = Buffer.alloc(Math.min(size, tailLength))
    return bytes.toString("utf8", 0, read(bytes, 0, bytes.length, size - bytes.length))
  })
