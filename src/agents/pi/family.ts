/** Distinguishes the lines of pi from those of its fork oh-my-pi: most of them fit both. */
import { type Fields, fieldsOf } from "../../streams/line.ts"

/** Whether a line has something that only pi writes. */
export const isPis = ({ type, modelId, message, result }: Fields): boolean => {
  if (type === "model_change") return modelId !== undefined
  // Each part of a message comes with all of it so far.
  if (type === "message_update") return message !== undefined
  return [fieldsOf(message), fieldsOf(result)].some(({ details }) => Array.isArray(fieldsOf(details).todos))
}

/** Whether a line has something that only oh-my-pi writes. */
export const isOhMyPis = (line: Fields): boolean => {
  const { type, intent, isTerminal, model, configured, customType, result } = line
  if (intent !== undefined || isTerminal !== undefined || configured !== undefined) return true
  if (type === "model_change") return model !== undefined
  if (type === "custom") return ["tool_execution_start", "session_exit", "user_todo_edit"].includes(String(customType))
  const message = fieldsOf(line.message)
  if ([message.attribution, message.duration, message.ttft].some((field) => field !== undefined)) return true
  return [message, fieldsOf(result)].some(({ details }) => Array.isArray(fieldsOf(details).phases))
}
