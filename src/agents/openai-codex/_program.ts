/** Codex's code mode: the plan is an argument in a program, of which only a literal can be read. */
import { warning } from "../../plan/index.ts"
import { type Fields, fieldsOf } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import { readLiteral } from "./_object-literal.ts"

/**
 * The argument of each `update_plan` in a program, in order; undefined where it is computed. Nothing is run, so even a
 * literal may be in a branch that never ran: `confidence` says so beside the list.
 */
export const plansInProgram = (program: string): (Fields | undefined)[] =>
  [...program.matchAll(/\bupdate_plan\s*\(/g)].slice(0, mostPlans).map((found) => {
    const literal = readLiteral(program, found.index + found[0].length)
    if (!literal || !/^\s*(?:,\s*)?\)/.test(program.slice(literal.end))) return undefined
    const input = fieldsOf(literal.value)
    return Array.isArray(input.plan) ? { ...input, confidence: "low" } : undefined
  })

/** A program names its plan once or twice. Each name is read on from, and text made for it would be read again and again. */
const mostPlans = 100

export const onlyInProgram: Signal = {
  type: "problem",
  problem: warning(
    "plan-in-program",
    "A plan was computed by a program: it is only in program text here and cannot be read. Codex's hooks and `codex exec --json` have it.",
  ),
}
