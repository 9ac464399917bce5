/** Claude Code: session files by project, sub-agents in three layouts, lists in `todos/` and later in `tasks/`. */
import { join } from "node:path"
import { fullPath } from "../../home/paths/full-path.ts"
import type { Source } from "../../sessions/source.ts"
import { planToolFrom } from "../plan-tool.ts"

export const sessions: Source = {
  agentType: "claude-code",
  homes: ({ CLAUDE_CONFIG_DIR }, home) => [fullPath(CLAUDE_CONFIG_DIR) ?? join(home, ".claude")],
  below: { home: [".claude"], folder: ["."] },
  places: [
    {
      path: ["projects", /^(?<project>.+)$/, /^(?!agent-)(?<session>.+)\.jsonl$/],
      reading: { as: "lines", stream: "claude-transcript" },
      whose: ({ session, project }) => ({ session, project }),
    },
    {
      path: ["projects", /^(?<project>.+)$/, /^agent-(?<agent>.+)\.jsonl$/],
      reading: { as: "lines", stream: "claude-transcript" },
      whose: ({ agent, project }) => ({ agent, project }),
    },
    {
      path: ["projects", /^(?<project>.+)$/, /^(?<session>[^.]+)$/, "subagents", /^agent-(?<agent>.+)\.jsonl$/],
      reading: { as: "lines", stream: "claude-transcript" },
      whose: ({ session, agent, project }) => ({ session, agent, project }),
    },
    {
      path: ["projects", /^(?<project>.+)$/, /^(?<session>[^.]+)$/, "subagents", /^agent-(?<agent>.+)\.meta\.json$/],
      reading: { as: "document", load: async () => (await import("./list-files.ts")).agentMetaFile },
      whose: ({ session, agent, project }) => ({ session, agent, project }),
    },
    {
      path: ["sessions", /^\d+\.json$/],
      reading: { as: "document", load: async () => (await import("./process-note.ts")).processNote },
      isNote: true,
    },
    {
      path: ["todos", /^(?<session>.+?)-agent-(?<agent>.+)\.json$/],
      reading: { as: "document", load: async () => (await import("./list-files.ts")).todosFile },
      whose: ({ session, agent }) => ({ session, agent: agent === session ? "main" : agent }),
    },
    {
      path: ["tasks", /^(?<session>[^.].*)$/],
      reading: { as: "folder", load: async () => (await import("./list-files.ts")).tasksFolder },
      whose: ({ session }) => ({ session }),
      isKept: true,
    },
  ],
  planTool: planToolFrom(["TodoWrite", "TaskCreate"]),
}
