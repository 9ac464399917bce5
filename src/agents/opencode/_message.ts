/** Reads the state of a turn from a stored or exported opencode message. */
import { isRecord } from "../../plan/log/shape.ts"
import { activity, type Fields, failedTurn, fieldsOf } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import { reasonOf } from "./_error.ts"

/** `updated` is when the message was last written, if that is stored. */
export const activityOf = ({ role, finish, time, error }: Fields, agent: string, updated?: unknown): Signal[] => {
  const { created, completed } = fieldsOf(time)
  if (role === "user") return [activity(agent, "prompt", { at: created })]
  if (role !== "assistant") return []
  const at = completed ?? updated ?? created
  if (isRecord(error)) return [failedTurn(agent, reasonOf(error), { at })]
  const hasEnded = completed !== undefined && typeof finish === "string" && !goesOn.includes(finish)
  return [activity(agent, hasEnded ? "turn-ended" : "tool", { at })]
}

/** The finish reasons after which the agent calls its model again. */
const goesOn = ["tool-calls", "unknown"]
