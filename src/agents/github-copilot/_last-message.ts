/**
 * Reads the main agent's last message from the end of its session's events, which are written slightly after its hooks
 * run.
 */
import { setTimeout as setTimeoutAsync } from "node:timers/promises"
import { withForeignFile } from "../../home/reading/foreign-file.ts"
import { parseJson } from "../../plan/json.ts"
import { type Fields, fieldsOf, textOf } from "../../streams/line.ts"

/** In bytes. */
const tailSize = 256 << 10

/** The pauses before each try, in milliseconds. The agent waits for its hook meanwhile. */
const pauses = [0, 50, 50, 100, 100, 200]

/** Undefined if the file cannot be read, or does not show that the agent is stopping. */
export const lastMessageIn = async (path: string): Promise<string | undefined> => {
  for (const pause of pauses) {
    if (pause > 0) await setTimeoutAsync(pause)
    const events = tailOf(path)
    if (events.some(isStopping)) return textOf(fieldsOf(events.findLast(isMessage)?.data).content)
  }
  return undefined
}

const isMessage = ({ type, agentId }: Fields): boolean => type === "assistant.message" && agentId === undefined

/** Whether an event is the start of the hook for stopping, whose end is not written yet. */
const isStopping = ({ type, agentId, data }: Fields, index: number, events: readonly Fields[]): boolean => {
  const { hookType, hookInvocationId: id } = fieldsOf(data)
  if (type !== "hook.start" || hookType !== "agentStop" || agentId !== undefined) return false
  return !events.slice(index).some((other) => other.type === "hook.end" && fieldsOf(other.data).hookInvocationId === id)
}

/** The relevant events near the end of a file. */
const tailOf = (path: string): Fields[] => {
  try {
    const text = withForeignFile(path, ({ stats, read }) => {
      const start = Math.max(0, stats.size - tailSize)
      const bytes = Buffer.allocUnsafe(stats.size - start)
      return bytes.subarray(0, read(bytes, 0, bytes.length, start)).toString("utf8")
    })
    return text
      .split("\n")
      .filter((line) => /"(?:assistant\.message|agentStop)"/.test(line))
      .map((line) => fieldsOf(parseJson(line)))
  } catch {
    return []
  }
}
