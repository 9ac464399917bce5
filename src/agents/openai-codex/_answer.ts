/** Decides from a call's output whether Codex accepted the call of a list tool. Used for session files and hooks. */
// Loaded by every hook, so it imports as little as it can.
import { isRecord } from "../../plan/log/shape.ts"

/** The text of the result that the model received, which has several forms. */
export const answerText = (output: unknown): string => {
  if (typeof output === "string") return output
  const parts = isRecord(output) ? output.content : output
  if (typeof parts === "string") return parts
  const texts = Array.isArray(parts) ? parts.map((part: unknown) => (isRecord(part) ? part.text : "")) : []
  return texts.filter((text) => typeof text === "string" && text !== "").join("\n")
}

const refusals =
  /unsupported call|failed to parse|not allowed|unknown variant|missing field|blocked|denied|rejected|aborted/i

/**
 * The end of our own tool's reply to an accepted call. The reply may contain words of a refusal, such as in a todo's
 * text.
 */
const isOwnReply = /(?:^|\n)\d+\/\d+ done(?:,|\.)|"progress":\{/

/** Success is a fixed sentence. Other texts may come from a hook, so only the words of a refusal reject the call. */
export const isAccepted = (output: unknown, text = answerText(output)): boolean => {
  if (isRecord(output) && typeof output.success === "boolean") return output.success
  return /^Plan updated|^Script completed/.test(text) || isOwnReply.test(text) || !refusals.test(text)
}
