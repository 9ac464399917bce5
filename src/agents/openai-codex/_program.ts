/** Reads plans in Codex's code mode, where a plan is an argument in a program. Only literals can be read. */
import { warning } from "../../plan/index.ts"
import { type Fields, fieldsOf } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import { type OwnTool, ownTool } from "../own-tool.ts"
import { type Literal, readLiteral } from "./_object-literal.ts"

export type ProgramCall = OwnTool & { input: Fields }

/** Its own plan tool, and Headway's: `update_plan(…)`, `tools.mcp__headway__todo(…)`, `tools["mcp__headway.todo"](…)`. */
const calls = /\b(update_plan|(?:mcp_{1,2})?headway(?:_{1,2}|\.)\w+)(?:["'`]\s*\])?\s*\(/g

/**
 * The calls of list tools in a program, in order; undefined for one with a computed argument. The program is not run,
 * so a literal may be in a branch that was not executed; the list's `confidence` says so. A name inside a literal
 * belongs to the literal and is not read as a call.
 */
export const listCallsIn = (program: string): (ProgramCall | undefined)[] => {
  const made: (ProgramCall | undefined)[] = []
  let read = 0
  for (const found of program.matchAll(calls)) {
    if (made.length === mostPlans) break
    const name = found[1] ?? ""
    const list = name === "update_plan" ? { dialect: "codex", tool: name } : ownTool(name)
    if (!list || found.index < read) continue
    const literal = readLiteral(program, found.index + found[0].length)
    read = literal.end
    made.push(callOf(list, literal, program))
  }
  return made
}

const callOf = (list: OwnTool, literal: Literal, program: string): ProgramCall | undefined => {
  if (!literal.isPlain || !/^\s*(?:,\s*)?\)/.test(program.slice(literal.end))) return undefined
  const input = fieldsOf(literal.value)
  if (list.dialect === "codex" && !Array.isArray(input.plan)) return undefined
  return { ...list, input: { ...input, confidence: "low" } }
}

/** The most calls read from a program. Real programs have one or two. */
const mostPlans = 100

export const onlyInProgram: Signal = {
  type: "problem",
  problem: warning(
    "plan-in-program",
    "A plan was computed by a program and cannot be read from its code. Codex's hooks and `codex exec --json` have it.",
  ),
}
