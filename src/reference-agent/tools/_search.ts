/** Runs a regular expression on lines, with a time limit. */
import { createContext, Script } from "node:vm"
import { messageOf } from "../../plan/headway-error.ts"

/** The indexes of the lines that fit; undefined when it took too long. Takes files and lists of paths alike. */
export type Search = (lines: readonly string[]) => number[] | undefined

/** For one list of lines, in milliseconds: a thousand times what an ordinary pattern takes. */
const mostMilliseconds = 500

/**
 * Nothing but the clock can stop a regular expression in its middle, and only `node:vm` puts one on it. What runs there
 * is one fixed call; the pattern and the lines are data to it.
 */
export const createSearch = (expression: RegExp): Search => {
  const room = createContext({ look: undefined })
  const call = new Script("look()")
  return (lines) => {
    const matches: number[] = []
    room.look = () => {
      for (const [index, line] of lines.entries()) if (expression.test(line)) matches.push(index)
    }
    try {
      call.runInContext(room, { timeout: mostMilliseconds })
      return matches
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined
      throw cause
    }
  }
}

/** Parses a model's pattern, or says what is wrong with it. */
export const readExpression = (pattern: string, ignoreCase: boolean): RegExp | { problem: string } => {
  const flags = ignoreCase ? "i" : ""
  try {
    return new RegExp(pattern, `u${flags}`)
  } catch {
    // Not always strict, because many escapes that models write are invalid with the flag `u`.
  }
  try {
    return new RegExp(pattern, flags)
  } catch (cause) {
    return { problem: `The pattern is not a regular expression: ${messageOf(cause)}. Put \\ before ( [ { . * + ?` }
  }
}
