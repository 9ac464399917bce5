/** Strict mode: a call is validated against its schema, and nothing is repaired. */
import { z } from "zod"
import { emptyPlan, error, type Problem } from "../plan/index.ts"
import { parseJson } from "../plan/json.ts"
import type { Dialect, Tool, ToolCall } from "./dialect.ts"

/** The violations of a tool's schema in a call; empty if there are none. */
export const checkStrictly = (dialect: Dialect, call: ToolCall): Problem[] => {
  const tool = dialect.tools.find(({ name }) => name === call.tool)
  if (!tool) return [error("not-strict", `The dialect "${dialect.id}" has no schema for the tool "${call.tool}".`)]
  const where =
    typeof call.input === "string" && !isJson(call.input) ? ["it is not JSON"] : wrongIn(dialect, tool, call)
  if (where.length === 0) return []
  const wrong = where
    .slice(0, 3)
    .map((clause) => clause.replace(/\.$/, ""))
    .join("; ")
  const example = JSON.stringify(tool.example)
  return [error("not-strict", `The input of ${call.tool} is not valid (${wrong}). A valid input is: ${example}`)]
}

const wrongIn = (dialect: Dialect, tool: Tool, call: ToolCall): string[] => {
  const input = typeof call.input === "string" ? parseJson(call.input) : call.input
  const checked = tool.input(z).safeParse(input)
  if (checked.success) return repairsOf(dialect, call)
  return checked.error.issues.map(({ path, message }) => `${path.join(".") || "input"}: ${message}`)
}

const isJson = (text: string): boolean => parseJson(text) !== undefined

/** Warnings about parts of a call that were left out because they have no meaning. */
const leftOut = ["empty-todo", "unknown-status", "cut-off", "cut-off-todo"]

/** What would be repaired in a call that its schema allows, such as a todo with a blank text. */
const repairsOf = (dialect: Dialect, call: ToolCall): string[] =>
  dialect.decode(call, emptyPlan).problems.flatMap(({ code, message }) => (leftOut.includes(code) ? [message] : []))
