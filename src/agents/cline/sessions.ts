/** Cline: for each session a document about it and one with its messages; the tasks of all teams in a database. */
import { join } from "node:path"
import { fullPath } from "../../home/paths/full-path.ts"
import type { Source } from "../../sessions/source.ts"
import { planToolFrom } from "../plan-tool.ts"

export const sessions: Source = {
  agentType: "cline",
  homes: ({ CLINE_DATA_DIR, CLINE_DIR }, home) => [
    fullPath(CLINE_DATA_DIR) ?? join(fullPath(CLINE_DIR) ?? join(home, ".cline"), "data"),
  ],
  below: { home: [join(".cline", "data")], folder: [".", "data"] },
  places: [
    {
      path: ["sessions", /^(?<session>.+)$/, /\.messages\.json$/],
      reading: { as: "lines", stream: "cline-session" },
      whose: ({ session }) => ({ session }),
    },
    {
      path: ["sessions", /^(?<session>.+)$/, /^[^.]+\.json$/],
      reading: { as: "lines", stream: "cline-session" },
      whose: ({ session }) => ({ session }),
    },
    {
      path: ["db", "teams.db"],
      reading: {
        as: "database",
        tables: {
          team_tasks: [
            "team_name",
            "task_id",
            "title",
            "description",
            "status",
            "assignee",
            "depends_on_json",
            "summary",
            "updated_at",
          ],
        },
        load: async () => (await import("./team-tasks.ts")).teamTasks,
      },
      isBeside: true,
    },
  ],
  planTool: planToolFrom(["team_task"]),
}
