/** opencode: all sessions in one SQLite file, a second one per release channel; child sessions are sub-agents. */
import { dirname, isAbsolute, join } from "node:path"
import type { Source } from "../../sessions/source.ts"
import { planToolFrom } from "../plan-tool.ts"

export const sessions: Source = {
  agentType: "opencode",
  homes: ({ OPENCODE_DB, XDG_DATA_HOME }, home) => {
    const folder = join(XDG_DATA_HOME || join(home, ".local", "share"), "opencode")
    // A bare name stands in the same folder.
    return OPENCODE_DB && isAbsolute(OPENCODE_DB) ? [...new Set([folder, dirname(OPENCODE_DB)])] : [folder]
  },
  below: { home: [join(".local", "share", "opencode")], folder: ["."] },
  places: [
    {
      path: [/\.db$/],
      reading: {
        as: "database",
        tables: {
          session: ["id", "parent_id", "title", "directory", "version", "time_created", "time_updated"],
          todo: ["session_id", "content", "status", "priority", "position", "time_updated"],
          // What the agent did last, and whether its turn has ended with it.
          message: {
            columns: ["session_id", "time_created", "time_updated", "data"],
            last: {
              time: "time_created",
              of: "session_id",
              per: { table: "session", id: "id", time: "time_updated" },
            },
          },
          // Calls of Headway's own tool, whose list opencode keeps nowhere else.
          part: {
            columns: ["session_id", "id", "data", "time_updated"],
            where: { column: "data", holds: '"tool":"headway_' },
          },
        },
        load: async () => (await import("./database-rows.ts")).databaseRows,
      },
    },
  ],
  planTool: planToolFrom(["todowrite"]),
}
