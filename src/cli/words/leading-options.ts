/** Options before the name of a command: those that every command takes. */
import { commonOptions } from "../command.ts"
import type { Options } from "./option.ts"

/** The index of the first word that is neither an option nor its value; undefined if an unknown option comes first. */
export const commandPlace = (argv: readonly string[]): number | undefined => {
  const known: Options = commonOptions
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ""
    if (!word.startsWith("-")) return at
    const [name = "", value] = word.replace(/^--/, "").split("=", 2)
    const option = word.startsWith("--") && Object.hasOwn(known, name) ? known[name] : undefined
    if (!option) return isVersion(word) ? at : undefined
    if (option.type !== "boolean" && value === undefined) at += 1
  }
  return undefined
}

const isVersion = (word: string): boolean => word === "--version" || word === "-V" || word === "-v"
