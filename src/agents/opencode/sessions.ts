/** opencode: all sessions in one SQLite file, a second one per release channel; child sessions are sub-agents. */
import { dirname, isAbsolute, join } from "node:path"
import type { Source } from "../../sessions/source.ts"
import { planToolFrom } from "../plan-tool.ts"

const sessionColumns = ["id", "parent_id", "title", "directory", "version", "agent", "time_created", "time_updated"]
const todoColumns = ["session_id", "content", "status", "priority", "position", "time_updated"]
const partColumns = ["session_id", "id", "data", "time_updated"]

/** How the data of a part begin that is a call of a list tool, or of the tool by which the agent asks the person. */
const [ownCall, nativeCall, question] = ['"tool":"headway_', '"tool":"todowrite"', '"tool":"question"']

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
          session: sessionColumns,
          todo: todoColumns,
          // What the agent did last, and whether its turn has ended with it.
          message: {
            columns: ["session_id", "time_created", "time_updated", "data"],
            last: {
              time: "time_created",
              of: "session_id",
              per: { table: "session", id: "id", time: "time_updated" },
            },
          },
          // Calls of Headway's own tool, whose list opencode keeps nowhere else, and questions, which may be open.
          part: { columns: partColumns, where: { holding: { column: "data", any: [ownCall, question] } } },
        },
        // The table of todos has only the last list, and no ids: those follow from the calls before it.
        history: ({ session, agent }) => {
          const only = { column: "session_id", is: agent === "main" ? session : agent }
          return {
            session: sessionColumns,
            todo: { columns: todoColumns, where: { only } },
            part: { columns: partColumns, where: { holding: { column: "data", any: [ownCall, nativeCall] }, only } },
          }
        },
        load: async () => (await import("./database-rows.ts")).databaseRows,
      },
    },
  ],
  planTool: planToolFrom(["todowrite"]),
}
