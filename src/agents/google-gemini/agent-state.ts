/** Reads Gemini CLI's state from its hooks: one notification for everything a person has to confirm. */
import type { ReadAgentState } from "../../bridges/hooks/hook.ts"
import { fieldsOf, textOf } from "../../streams/line.ts"
import { forReply, withText } from "../asked.ts"
import { asAgentState } from "../hook-agent-state.ts"

export const readAgentState: ReadAgentState = ({ hook_event_name, notification_type, message, details }) => {
  if (hook_event_name === "SessionEnd") return { kind: "ended" }
  if (hook_event_name !== "Notification" || notification_type !== "ToolPermission") return undefined
  const { type, title, command, fileName, toolName, prompt } = fieldsOf(details)
  if (type === "ask_user") return asAgentState(forReply({ question: textOf(title) }))
  const subject = textOf(command) ?? textOf(fileName) ?? textOf(toolName) ?? textOf(prompt)
  const words = [title, subject].flatMap((word) => textOf(word) ?? [])
  return asAgentState(withText("permission", words.length > 0 ? words.join(" ") : (textOf(message) ?? "")))
}
