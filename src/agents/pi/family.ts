/** Distinguishes lines of pi from lines of its fork oh-my-pi. Most lines may be from either. */
import { type Fields, fieldsOf } from "../../streams/line.ts"

/** Whether only pi writes such a line. */
export const isPis = ({ type, modelId, message, result }: Fields): boolean => {
  if (type === "model_change") return modelId !== undefined
  // In pi, each part of a message comes with the whole message so far.
  if (type === "message_update") return message !== undefined
  return [fieldsOf(message), fieldsOf(result)].some(({ details }) => Array.isArray(fieldsOf(details).todos))
}

/** Whether only oh-my-pi writes such a line. */
export const isOhMyPis = (line: Fields): boolean => {
  const { type, intent, isTerminal, model, configured, customType, result } = line
  if (intent !== undefined || isTerminal !== undefined || configured !== undefined) return true
  if (type === "model_change") return model !== undefined
  if (type === "custom") return ["tool_execution_start", "session_exit", "user_todo_edit"].includes(String(customType))
  const message = fieldsOf(line.message)
  if ([message.attribution, message.duration, message.ttft].some((field) => field !== undefined)) return true
  return [message, fieldsOf(result)].some(({ details }) => Array.isArray(fieldsOf(details).phases))
}
