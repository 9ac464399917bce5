/** Options before the name of a command: those that every command takes. */
import { HeadwayError } from "../../plan/headway-error.ts"
import { commonOptions } from "../command.ts"
import { commands, isCommandName } from "../commands/index.ts"
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

/** Throws where a command line without a command has an option of one whose name comes later. `bare` are the options it may have. */
export const assertInPlace = async (argv: readonly string[], bare: Options): Promise<void> => {
  const at = argv.findIndex((word) => word.startsWith("-") && !takes({ ...commonOptions, ...bare }, word))
  const name = at < 0 ? undefined : argv.slice(at + 1).find(isCommandName)
  if (name === undefined || !isCommandName(name)) return
  const [option = ""] = (argv[at] ?? "").split("=")
  if (!takes((await commands[name].load()).options, option)) return
  throw new HeadwayError("usage", `"${option}" goes after the command: headway ${name} ${option} …`)
}

const takes = (options: Options, word: string): boolean => {
  const [typed = ""] = word.split("=")
  return Object.entries(options).some(([name, { short }]) => typed === `--${name}` || typed === `-${short}`)
}
