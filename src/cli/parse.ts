/** The words of a command line as the options and words of a command. */
import { parseArgs } from "node:util"
import { HeadwayError } from "../plan/headway-error.ts"
import { type Command, commonOptions, type Values } from "./command.ts"

export const parse = (command: Command, argv: readonly string[]): { values: Values; words: string[] } => {
  const options = { ...commonOptions, ...command.options }
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([name, { type, ...option }]) => [
          name,
          "short" in option ? { type, short: option.short } : { type },
        ]),
      ),
    })
    return { values: values as Values, words: positionals }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message.split(/\.?\s*\n|\. /)[0] : String(cause)
    const known = Object.keys(options).map((name) => `--${name}`)
    throw new HeadwayError(
      "usage",
      `${message}. Usage: headway ${command.usage}\nThe options are: ${known.join(", ")}.`,
      { cause },
    )
  }
}
