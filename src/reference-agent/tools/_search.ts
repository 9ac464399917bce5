/** Runs a regular expression on lines, with a time limit. */
import { createContext, Script } from "node:vm"
import { messageOf } from "../../plan/headway-error.ts"

/** Returns the indexes of the matching lines of a file, or of matching paths; undefined if it took too long. */
export type Search = (lines: readonly string[]) => number[] | undefined

/** The time for one list of lines, in milliseconds: a thousand times what an ordinary pattern needs. */
const mostMilliseconds = 500

/**
 * Only a time limit can stop a running regular expression, and only `node:vm` can set one. The code that runs there is
 * a single fixed call; the pattern and the lines are its data.
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

/** Parses a model's pattern. Returns the problem if it is invalid. */
export const readExpression = (pattern: string, ignoreCase: boolean): RegExp | { problem: string } => {
  const flags = ignoreCase ? "i" : ""
  try {
    return new RegExp(pattern, `u${flags}`)
  } catch {
    // Tried again without the flag `u`, with which many escapes that models write are invalid.
  }
  try {
    return new RegExp(pattern, flags)
  } catch (cause) {
    return { problem: `The pattern is not a regular expression: ${messageOf(cause)}. Put \\ before ( [ { . * + ?` }
  }
}
