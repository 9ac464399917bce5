/** Grok's notes next to a session's updates: titles, sub-agents' tasks, and permission requests. */
import { parseJson } from "../../plan/json.ts"
import type { ReadDocument } from "../../sessions/source.ts"
import { activity, type Fields, fieldsOf, known, nameIn, subAgentNamed, textOf, waits } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import { permissionFor } from "../asked.ts"

/** `summary.json`. Of a sub-agent it only repeats the prompt, and its parent's note says more. */
export const summaryFile: ReadDocument = ({ text }) => {
  const { generated_title: title, session_kind: kind } = fieldsOf(parseJson(text))
  const about = known({
    title: kind === "subagent" ? undefined : nameIn(title),
    isOneShot: kind === "headless" ? true : undefined,
  })
  return Object.keys(about).length > 0 ? [{ type: "session", ...about }] : []
}

/** `subagents/<id>/meta.json`, in the folder of the session it works for. */
export const subAgentFile: ReadDocument = ({ text }) => {
  const { subagent_id: id, description, subagent_type: type } = fieldsOf(parseJson(text))
  const agent = textOf(id)
  const about = known({ title: nameIn(description), role: nameIn(type) })
  return agent === undefined
    ? []
    : [{ type: "session", agent: subAgentNamed(agent), parent: { agent: "main" }, ...about }]
}

/** `events.jsonl`, the only place that says that a permission is asked for; the updates say better how turns end. */
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
