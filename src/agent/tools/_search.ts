/** Tries a regular expression on lines, and gives up on one that would take for ever. */
import { createContext, Script } from "node:vm"

/** The indexes of the lines that fit; undefined when it took too long. */
export type Search = (lines: readonly string[]) => number[] | undefined

/** For one file, in milliseconds: a thousand times what an ordinary pattern takes. */
const patience = 500

/**
 * Nothing but the clock can stop a regular expression in its middle, and only `node:vm` puts one on it. What runs there
 * is one fixed call; the pattern and the lines are data to it.
 */
export const createSearch = (pattern: string, ignoreCase: boolean): Search | { problem: string } => {
  const expression = compile(pattern, ignoreCase)
  if ("problem" in expression) return expression
  const room = createContext({ look: undefined })
  const call = new Script("look()")
  return (lines) => {
    const matches: number[] = []
    room.look = () => {
      for (const [index, line] of lines.entries()) if (expression.test(line)) matches.push(index)
    }
    try {
      call.runInContext(room, { timeout: patience })
      return matches
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined
      throw cause
    }
  }
}

const compile = (pattern: string, ignoreCase: boolean): RegExp | { problem: string } => {
  const flags = ignoreCase ? "i" : ""
  try {
    return new RegExp(pattern, `u${flags}`)
  } catch {
    // Strict only where it helps: many escapes that models write are none under `u`.
  }
  try {
    return new RegExp(pattern, flags)
  } catch (cause) {
    return { problem: `The pattern is no regular expression: ${(cause as Error).message}. Put \\ before ( [ { . * + ?` }
  }
}
