/** Recognises SQL calls with which a model changes or reads a list in a table. */
import { type Fields, fieldsOf } from "../streams/line.ts"
import type { OwnTool } from "./own-tool.ts"

/**
 * The dialect of a call with a query about todos; undefined for a query about other tables, for which the same tool is
 * used.
 */
export const sqlTodos = (input: unknown): OwnTool | undefined => {
  const { query, database }: Fields = fieldsOf(input)
  const isOfSession = database === undefined || database === "session"
  return isOfSession && typeof query === "string" && /\btodo(?:s|_deps)\b/i.test(query)
    ? { dialect: "copilot", tool: "sql" }
    : undefined
}
