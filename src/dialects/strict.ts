/** Strict mode: a call is held against the schema a model was shown, and nothing is repaired. */
import { z } from "zod"
import { error, type Problem } from "../plan/index.ts"
import { parseJson } from "../plan/json.ts"
import type { Dialect, ToolCall } from "./dialect.ts"

/** What is wrong with a call by the letter of its tool's schema; empty when nothing is. */
export const checkStrictly = (dialect: Dialect, call: ToolCall): Problem[] => {
  const tool = dialect.tools.find(({ name }) => name === call.tool)
  if (!tool) return [error("not-strict", `The dialect "${dialect.id}" has no schema for the tool "${call.tool}".`)]
  const input = typeof call.input === "string" ? parseJson(call.input) : call.input
  const checked = tool.input(z).safeParse(input)
  if (checked.success) return []
  const where = checked.error.issues.slice(0, 3).map(({ path, message }) => `${path.join(".") || "input"}: ${message}`)
  const example = JSON.stringify(tool.example)
  return [
    error("not-strict", `The input of ${call.tool} is not valid (${where.join("; ")}). A valid input is: ${example}`),
  ]
}
