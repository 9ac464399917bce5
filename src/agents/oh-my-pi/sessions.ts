/**
 * oh-my-pi: session files by project. Files of sub-agents are in a folder next to the session's file, with the same
 * name.
 */
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
    {
      path: ["sessions", /^(?<project>\D.*)$/, /^.+_(?<session>[^_.]+)$/, /^(?<agent>.+)\.jsonl$/],
      reading: { as: "lines", stream: "oh-my-pi-session" },
      whose: ({ session, agent, project }) => ({ session, agent, project }),
      speaksAsMain: true,
    },
  ],
  planTool: planToolFrom(["todo", "todo_write"]),
}
