/** Colour for people at a terminal: only if wanted, and never as the only carrier of information. */
import type { Context } from "./command.ts"
import type { Outside } from "./io.ts"

/** Whether a command's output may have styles. */
export const wantsColour = ({ io, values }: Pick<Context, "io" | "values">): boolean =>
  mayColour(io, "out", values["no-color"] === true)

/** `--no-color` and NO_COLOR forbid it, FORCE_COLOR asks for it, else it is for terminals. */
export const mayColour = (
  { env, isTerminal }: Pick<Outside, "env" | "isTerminal">,
  stream: "out" | "err",
  isForbidden: boolean,
): boolean => {
  if (isForbidden || env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false"
  return isTerminal[stream] && env.TERM !== "dumb"
}
