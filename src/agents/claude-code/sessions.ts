/** Claude Code: session files by project, sub-agents in three layouts, lists in `todos/` and later in `tasks/`. */
import { join } from "node:path"
import type { Source } from "../../sessions/source.ts"
import { planToolIn } from "../plan-tool.ts"
import { isAtLeast } from "../version.ts"

/** Models that are offered the task tools by default, since the client asks for the model. */
const modelsWithTasks =
  /claude-3|claude-(?:opus-4(?:-[0-7])?|sonnet-4(?:-[0-6])?|haiku-4-5)(?:-\d{6,})?(?:\[.*\])?(?:@.*)?$/

export const sessions: Source = {
  agentType: "claude-code",
  homes: ({ CLAUDE_CONFIG_DIR }, home) => [CLAUDE_CONFIG_DIR || join(home, ".claude")],
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
  planTool: ({ tools, version, model }) => {
    const offered = planToolIn(tools, ["TodoWrite", "TaskCreate"])
    // Deferred tools are not in the list; an absent one proves nothing where they may be.
    if (offered === "present") return offered
    if (version === undefined) return offered ?? "unknown"
    if (!isAtLeast(version, "2.1.233")) return offered ?? "present"
    if (model === undefined) return "unknown"
    return modelsWithTasks.test(model) ? "present" : "absent"
  },
}
