/** The Agent Client Protocol's `plan` update (Zed, JetBrains, many agents): the whole list, agent to editor. */
import { isRecord } from "../plan/log/shape.ts"
import { wholeListDialect } from "./_whole-list.ts"

/** The update may come bare, as `session/update` parameters, or as the draft's `plan_update` with a plan inside. */
const unwrap = (sent: unknown): unknown => {
  let value = sent
  for (const key of ["params", "update", "plan"]) if (isRecord(value) && isRecord(value[key])) value = value[key]
  if (!isRecord(value)) return value
  if (value.sessionUpdate === "plan_removed") return { entries: [] }
  return value.type === "markdown" ? { entries: value.content } : value
}

export const acp = wholeListDialect({
  id: "acp",
  title: "Agent Client Protocol plan",
  toolNames: ["session/update"],
  words: { list: "entries", text: "content", unwrap },
  carries: { statuses: ["pending", "in_progress", "completed"], fields: ["priority"], duplicates: true },
  example: {
    sessionUpdate: "plan",
    entries: [{ content: "Run the tests", priority: "medium", status: "in_progress" }],
  },
  item: ({ content, status, priority = "medium" }) => ({ content, priority, status }),
  input: (entries) => ({ sessionUpdate: "plan", entries }),
  goodNews: () => "The plan is saved.",
})
