/** Recognises failed calls in the hook events of Gemini CLI and its forks. */
import { isRecord } from "../../plan/log/shape.ts"

/** Whether the result has an `error`: because of wrong parameters, a refusal by the person, or any other reason. */
export const hasError = (event: Readonly<Record<string, unknown>>): boolean => {
  const { tool_response: result } = event
  return isRecord(result) && result.error !== undefined && result.error !== null
}
