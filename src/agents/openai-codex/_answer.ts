/** Whether Codex accepted a call of a list tool, by the output of that call: for its session files and its hooks. */
// Loaded by every hook, so it imports as little as it can.
import { isRecord } from "../../plan/log/shape.ts"

/** The result that the model received, which has several forms. */
export const answerText = (output: unknown): string => {
  if (typeof output === "string") return output
  const parts = isRecord(output) ? output.content : output
  if (typeof parts === "string") return parts
  const texts = Array.isArray(parts) ? parts.map((part: unknown) => (isRecord(part) ? part.text : "")) : []
  return texts.filter((text) => typeof text === "string" && text !== "").join("\n")
}

const refusals =
  /unsupported call|failed to parse|not allowed|unknown variant|missing field|blocked|denied|rejected|aborted/i

/** How our own tool ends a reply to a call it took, which may well name a todo that is blocked. */
const isOwnReply = /(?:^|\n)\d+\/\d+ done(?:,|\.)|"progress":\{/

/** Success is said in a fixed sentence; other words may be a hook's, so only those of a refusal take the call back. */
export const isAccepted = (output: unknown, text = answerText(output)): boolean => {
  if (isRecord(output) && typeof output.success === "boolean") return output.success
  return /^Plan updated|^Script completed/.test(text) || isOwnReply.test(text) || !refusals.test(text)
}
