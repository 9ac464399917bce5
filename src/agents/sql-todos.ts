/** Calls that change or read a list kept in a table, which an agent's model does with SQL. */
import { type Fields, fieldsOf } from "../streams/line.ts"
import type { OwnTool } from "./own-tool.ts"

/** The dialect of a call with a query about todos; undefined for any other. The same tool is used for other tables too. */
export const sqlTodos = (input: unknown): OwnTool | undefined => {
  const { query, database }: Fields = fieldsOf(input)
  const isOfSession = database === undefined || database === "session"
  return isOfSession && typeof query === "string" && /\btodo(?:s|_deps)\b/i.test(query)
    ? { dialect: "copilot", tool: "sql" }
    : undefined
}
