/** opencode: all sessions in one SQLite file, a second one per release channel; child sessions are sub-agents. */
import { dirname, join } from "node:path"
import { fullPath } from "../../home/paths/full-path.ts"
import type { Condition, OwnerRows, Source } from "../../sessions/source.ts"
import { planToolFrom } from "../plan-tool.ts"
import { placeholders } from "./_title.ts"

const sessionColumns = ["id", "parent_id", "title", "directory", "version", "agent", "time_created", "time_updated"]
const todoColumns = ["session_id", "content", "status", "priority", "position", "time_updated"]
const partColumns = ["session_id", "id", "data", "time_updated"]

/** Texts in the data of parts that are calls of list tools, or of the tool that asks the person. */
const [ownCall, nativeCall, question] = ['"tool":"headway_', '"tool":"todowrite"', '"tool":"question"']

/** Selects what people typed: the text in their messages. */
const promptsIn = (owners: Pick<OwnerRows, "first"> & { of?: Condition["of"] } = {}) => {
  const { of, ...more } = owners
  const where = { holding: { column: "data", any: ['"role":"user"'] }, ...(of ? { of } : {}) }
  return {
    table: "part",
    columns: partColumns,
    where: {
      holding: { column: "data", any: ['"type":"text"'] },
      of: { column: "message_id", rows: { table: "message", id: "id", where, ...more } },
    },
  }
}

/** Selects the first message of each session that has no title yet. */
const firstPrompts = promptsIn({
  of: {
    column: "session_id",
    rows: { table: "session", id: "id", where: { holding: { column: "title", any: placeholders } } },
  },
  first: { per: "session_id", time: "time_created" },
})

type Names = {
  /** Also the name of the agent's folder. */
  agentType: string
  /** The environment variable with the database's path. */
  variable: string
  file: RegExp
}

/** The sessions of opencode or one of its forks. */
export const databaseSource = ({ agentType, variable, file }: Names): Source => ({
  agentType,
  homes: (env, home) => {
    const folder = join(fullPath(env.XDG_DATA_HOME) ?? join(home, ".local", "share"), agentType)
    const named = fullPath(env[variable])
    // A name without a path is a file in the same folder.
    return named !== undefined ? [...new Set([folder, dirname(named)])] : [folder]
  },
  below: { home: [join(".local", "share", agentType)], folder: ["."] },
  places: [
    {
      path: [file],
      reading: {
        as: "database",
        tables: {
          session: sessionColumns,
          todo: todoColumns,
          // The last message, which says whether the turn has ended.
          message: {
            columns: ["session_id", "time_created", "time_updated", "data"],
            last: {
              time: "time_created",
              of: "session_id",
              per: { table: "session", id: "id", time: "time_updated" },
            },
          },
          // Calls of Headway's own tool, whose list opencode stores nowhere else, and questions, which may be open.
          part: { columns: partColumns, where: { holding: { column: "data", any: [ownCall, question] } } },
          prompt: firstPrompts,
        },
        prompts: { session: ["id", "parent_id"], prompt: promptsIn() },
        // The todo table has only the last list, without ids. The calls before it provide the history and ids.
        history: ({ session, agent }) => {
          const only = { column: "session_id", is: agent === "main" ? session : agent }
          return {
            session: sessionColumns,
            todo: { columns: todoColumns, where: { only } },
            part: { columns: partColumns, where: { holding: { column: "data", any: [ownCall, nativeCall] }, only } },
          }
        },
        work: ({ session, agent }) => {
          const only = { column: "session_id", is: agent === "main" ? session : agent }
          return {
            session: sessionColumns,
            todo: { columns: todoColumns, where: { only } },
            part: { columns: partColumns, where: { holding: { column: "data", any: ['"type":"tool"'] }, only } },
          }
        },
        load: async () => (await import("./database-rows.ts")).databaseRows,
      },
    },
  ],
  planTool: planToolFrom(["todowrite"]),
})

export const sessions = databaseSource({
  agentType: "opencode",
  variable: "OPENCODE_DB",
  // Kilo's databases have similar names.
  file: /^(?!kilo\b).*\.db$/,
})
