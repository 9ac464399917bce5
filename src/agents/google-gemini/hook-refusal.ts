/** How agents of the Gemini family tell a hook that the tool did not do what it was called for. */
import { isRecord } from "../../plan/log/shape.ts"

/** The result of such a call has an `error`, whatever the reason: wrong parameters, or a person who said no. */
export const hasError = (event: Readonly<Record<string, unknown>>): boolean => {
  const { tool_response: result } = event
  return isRecord(result) && result.error !== undefined && result.error !== null
}
