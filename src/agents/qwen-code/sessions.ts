/** Qwen Code: chat files by project, and the list of each session in `todos/`. */
import { join } from "node:path"
import { fullPath } from "../../home/paths/full-path.ts"
import type { Source } from "../../sessions/source.ts"
import { planToolFrom } from "../plan-tool.ts"

export const sessions: Source = {
  agentType: "qwen-code",
  homes: ({ QWEN_RUNTIME_DIR }, home) => [fullPath(QWEN_RUNTIME_DIR) ?? join(home, ".qwen")],
  below: { home: [".qwen"], folder: ["."] },
  places: [
    {
      path: ["projects", /^(?<project>.+)$/, "chats", /^(?<session>.+)\.jsonl$/],
      reading: { as: "lines", stream: "qwen-chat" },
      whose: ({ session, project }) => ({ session, project }),
    },
    {
      path: ["todos", /^(?!.*-agent-)(?<session>.+)\.json$/],
      reading: { as: "document", load: async () => (await import("./list-files.ts")).todosFile },
      whose: ({ session }) => ({ session }),
      // Sub-agents write to the same file, each replacing the previous list.
      isAnyAgents: true,
    },
  ],
  planTool: planToolFrom(["todo_write"]),
}
