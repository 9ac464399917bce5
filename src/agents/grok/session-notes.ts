/** Grok's files next to a session's updates: titles, sub-agents' tasks, and permission requests. */
import { parseJson } from "../../plan/json.ts"
import type { ReadDocument } from "../../sessions/source.ts"
import { activity, type Fields, fieldsOf, known, nameIn, subAgentNamed, textOf, waits } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import { permissionFor } from "../questions.ts"

/** `summary.json`. A sub-agent's only repeats the prompt, and the file in its parent's folder has more. */
export const summaryFile: ReadDocument = ({ text }) => {
  const { generated_title: title, session_kind: kind } = fieldsOf(parseJson(text))
  const about = known({
    title: kind === "subagent" ? undefined : nameIn(title),
    isOneShot: kind === "headless" ? true : undefined,
  })
  return Object.keys(about).length > 0 ? [{ type: "session", ...about }] : []
}

/** `subagents/<id>/meta.json`, in the folder of the parent's session. */
export const subAgentFile: ReadDocument = ({ text }) => {
  const { subagent_id: id, description, subagent_type: type } = fieldsOf(parseJson(text))
  const agent = textOf(id)
  const about = known({ title: nameIn(description), role: nameIn(type) })
  return agent === undefined
    ? []
    : [{ type: "session", agent: subAgentNamed(agent), parent: { agent: "main" }, ...about }]
}

/** `events.jsonl`, the only file with requests for permission. For the ends of turns, the updates are more precise. */
export const eventsFile: ReadDocument = ({ text }) => {
  const at = text.lastIndexOf('"type":"permission_re')
  const [line = ""] = at < 0 ? [] : text.slice(text.lastIndexOf("\n", at) + 1).split("\n", 1)
  return permissionIn(fieldsOf(parseJson(line)))
}

const permissionIn = ({ type, tool_name, ts: at }: Fields): Signal[] => {
  const tool = textOf(tool_name)
  if (type === "permission_requested") return [waits("main", permissionFor(tool, undefined), { tool, at })]
  return type === "permission_resolved" ? [activity("main", "tool", { tool, at })] : []
}
