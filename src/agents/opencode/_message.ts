/** What a stored or exported opencode message says about its turn. */
import { isRecord } from "../../plan/log/shape.ts"
import { activity, type Fields, failedTurn, fieldsOf } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import { reasonOf } from "./_error.ts"

/** `updated` is when it was last written, if that is stored next to it. */
export const activityOf = ({ role, finish, time, error }: Fields, agent: string, updated?: unknown): Signal[] => {
  const { created, completed } = fieldsOf(time)
  if (role === "user") return [activity(agent, "prompt", { at: created })]
  if (role !== "assistant") return []
  const at = completed ?? updated ?? created
  if (isRecord(error)) return [failedTurn(agent, reasonOf(error), { at })]
  const hasEnded = completed !== undefined && typeof finish === "string" && !goesOn.includes(finish)
  return [activity(agent, hasEnded ? "turn-ended" : "tool", { at })]
}

/** The agent asks its model again after these. */
const goesOn = ["tool-calls", "unknown"]
