/** Reads Gemini CLI's state from its hooks, which use one notification for everything that the person must confirm. */
import type { ReadAgentState } from "../../bridges/hooks/hook.ts"
import { fieldsOf, textOf } from "../../streams/line.ts"
import { asAgentState } from "../hook-agent-state.ts"
import { questionFrom, withText } from "../questions.ts"

export const readAgentState: ReadAgentState = ({ hook_event_name, notification_type, message, details }) => {
  if (hook_event_name === "SessionEnd") return { kind: "ended" }
  if (hook_event_name !== "Notification" || notification_type !== "ToolPermission") return undefined
  const { type, title, command, fileName, toolName, prompt } = fieldsOf(details)
  if (type === "ask_user") return asAgentState(questionFrom({ question: textOf(title) }))
  const subject = textOf(command) ?? textOf(fileName) ?? textOf(toolName) ?? textOf(prompt)
  const words = [title, subject].flatMap((word) => textOf(word) ?? [])
  return asAgentState(withText("permission", words.length > 0 ? words.join(" ") : (textOf(message) ?? "")))
}
