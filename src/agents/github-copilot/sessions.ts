/** Copilot CLI: one folder per session, with its events, its name and a database with its todos. */
import { join } from "node:path"
import { fullPath } from "../../home/paths/full-path.ts"
import type { Source } from "../../sessions/source.ts"
import { planToolFrom } from "../plan-tool.ts"

const inSession = ["session-state", /^(?<session>[^.]+)$/]
const reading = { as: "lines", stream: "copilot-events" } as const

export const sessions: Source = {
  agentType: "github-copilot",
  homes: ({ COPILOT_HOME }, home) => [fullPath(COPILOT_HOME) ?? join(home, ".copilot")],
  below: { home: [".copilot"], folder: ["."] },
  places: [
    { path: [...inSession, "events.jsonl"], reading, whose: ({ session }) => ({ session }) },
    {
      path: [...inSession, "session.db"],
      reading: {
        as: "database",
        tables: {
          todos: { columns: ["id", "title", "description", "status", "updated_at"], where: {} },
          todo_deps: { columns: ["todo_id", "depends_on"], where: {} },
        },
        load: async () => (await import("./database-rows.ts")).databaseRows,
      },
      whose: ({ session }) => ({ session }),
      isBeside: true,
    },
    {
      path: [...inSession, "workspace.yaml"],
      reading: { as: "document", load: async () => (await import("./workspace-file.ts")).workspaceFile },
      whose: ({ session }) => ({ session }),
    },
    {
      path: [...inSession, /^inuse\.\d+\.lock$/],
      reading: { as: "document", load: async () => (await import("./process-note.ts")).processNote },
      whose: ({ session }) => ({ session }),
      isNote: true,
    },
    // Versions before there were folders.
    ...["session-state", "history-session-state"].map((folder) => ({
      path: [folder, /^(?<session>.+)\.jsonl$/],
      reading,
      whose: ({ session }: Readonly<Record<string, string>>) => ({ session }),
    })),
  ],
  planTool: planToolFrom(["sql"]),
}
