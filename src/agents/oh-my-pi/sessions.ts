/** oh-my-pi: session files by project; the list is the session's, sub-agents have none. */
import { join } from "node:path"
import type { Source } from "../../sessions/source.ts"
import { planToolFrom } from "../plan-tool.ts"

export const sessions: Source = {
  agentType: "oh-my-pi",
  homes: (_, home) => [join(home, ".omp", "agent")],
  below: { home: [join(".omp", "agent")], folder: [".", "agent"] },
  places: [
    {
      path: ["sessions", /^(?<project>\D.*)$/, /^.+_(?<session>[^_]+)\.jsonl$/],
      reading: { as: "lines", stream: "oh-my-pi-session" },
      whose: ({ session, project }) => ({ session, project }),
    },
  ],
  planTool: planToolFrom(["todo", "todo_write"]),
}
