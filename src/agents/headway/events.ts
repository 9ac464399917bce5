/** Our own unified lines, as `headway events` prints them: one whole list a line, whichever agent it came from. */
import { fieldsOf, jsonLines, known, listOf, snapshot, textOf } from "../../streams/line.ts"
import type { Stream } from "../../streams/stream.ts"

export const headwayEvents = {
  id: "headway-events",
  agentType: "headway",
  title: "headway events",
  recognises: ({ type, agentId, items }) => type === "todo_list" && typeof agentId === "string" && Array.isArray(items),
  // The type of the only kind of line there is.
  needles: ["_list"],
  open: () => {
    const seen = new Set<string>()
    return jsonLines((line) => {
      if (line.type !== "todo_list" || !Array.isArray(line.items)) return []
      const agent = textOf(line.agentId) ?? "main"
      const todos = listOf(line.items).map((item) => {
        const { text, ...rest } = fieldsOf(item)
        return { content: text, ...rest }
      })
      const call = known({ callId: textOf(line.eventId), at: line.timestamp })
      const list = snapshot(agent, "headway", { tool: "todo", input: { todos, replace: true }, ...call })
      if (seen.has(agent)) return [list]
      seen.add(agent)
      return [{ type: "session", agent }, list]
    })
  },
} satisfies Stream
