/** The words of a command line as the options and words of a command. */
import { parseArgs } from "node:util"
import { HeadwayError, messageOf } from "../../plan/headway-error.ts"
import { shellWord } from "../../views/text/shell-word.ts"
import { type Options, placeholderOf, readOption, type ValuesOf } from "./option.ts"

export type Grammar<Own extends Options, Common extends Options> = {
  usage: string
  options: Own
  /** Options every command takes. */
  common: Common
  maxWords?: number
  takesCommand?: boolean
}

export type Parsed<Known extends Options> = {
  values: ValuesOf<Known>
  words: readonly string[]
  behind: readonly string[]
}

export const parse = async <Own extends Options, Common extends Options>(
  grammar: Grammar<Own, Common>,
  argv: readonly string[],
): Promise<Parsed<Own> & Parsed<Common>> => {
  const { usage, maxWords = 0, takesCommand = false } = grammar
  const end = takesCommand ? argv.indexOf("--") : -1
  if (takesCommand && end < 0) assertNoCommand(grammar, argv)
  const typed = await typedWords(grammar, end < 0 ? argv : argv.slice(0, end))
  const surplus = typed.words[maxWords]
  if (surplus !== undefined) {
    const hint = hintFor(surplus, { maxWords, takesCommand })
    throw new HeadwayError("usage", `"${surplus}" is not expected here.${hint} Usage: headway ${usage}`)
  }
  return {
    values: { ...valuesOf(grammar.common, typed.options), ...valuesOf(grammar.options, typed.options) },
    words: typed.words,
    behind: end < 0 ? [] : argv.slice(end + 1),
  }
}

/** The options of a command without "--" before it are not ours, and would be refused one by one. */
const assertNoCommand = ({ usage, common, options }: Grammar<Options, Options>, argv: readonly string[]): void => {
  const valued = Object.entries({ ...common, ...options }).filter(([, { type }]) => type !== "boolean")
  const takesValue = (word: string): boolean => valued.some(([name]) => word === `--${name}`)
  const at = argv.findIndex((word, index) => !word.startsWith("-") && !takesValue(argv[index - 1] ?? ""))
  if (at < 0) return
  const [name] = usage.split(" ")
  const words = [name ?? "", ...argv.slice(0, at), "--", ...argv.slice(at)].map(shellWord)
  throw new HeadwayError(
    "usage",
    `"${argv[at]}" is not expected here. Put "--" before the command to run: headway ${words.join(" ")}\nUsage: headway ${usage}`,
  )
}

type Typed = { options: Readonly<Record<string, string | boolean | undefined>>; words: readonly string[] }

/** What was typed, by name, before it is read. */
const typedWords = async (
  { usage, common, options }: Pick<Grammar<Options, Options>, "usage" | "common" | "options">,
  argv: readonly string[],
): Promise<Typed> => {
  const known = Object.entries({ ...common, ...options })
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: Object.fromEntries(
        known.map(([name, { type, short }]) => [
          name,
          { type: type === "boolean" ? type : "string", ...(short === undefined ? {} : { short }) },
        ]),
      ),
    })
    return { options: values, words: positionals }
  } catch (cause) {
    const message = needsValue(known, messageOf(cause)) ?? messageOf(cause).split(/\.?\s*\n|\. /)[0]
    const names = known.map(([name]) => `--${name}`)
    const [, unknown] = /^Unknown option '(-[^']+)'/.exec(messageOf(cause)) ?? []
    const hint = unknown === undefined ? "" : (await import("./suggest.ts")).didYouMean(unknown, names)
    throw new HeadwayError(
      "usage",
      `${message}.${hint} Usage: headway ${usage}\nThe options are: ${names.join(", ")}.`,
      { cause },
    )
  }
}

/** In our words where Node says that an option has no value, or that its value looks like an option. */
const needsValue = (known: readonly (readonly [string, Options[string]])[], message: string): string | undefined => {
  const [, name = "", problem] =
    /^Option '(?:-\w, )?--([\w-]+)[^']*' argument (missing|is ambiguous)/.exec(message) ?? []
  if (problem === undefined) return undefined
  const option = known.find(([one]) => one === name)?.[1]
  const value = (option && placeholderOf(option)) ?? "VALUE"
  if (problem === "missing") return `--${name} needs a value: --${name} ${value}`
  return `--${name} needs a value; one that begins with a dash is written as --${name}=${value}`
}

const valuesOf = <Known extends Options>(known: Known, typed: Typed["options"]): ValuesOf<Known> => {
  const values = Object.entries(known).map(([name, option]) => {
    const given = typed[name]
    return [name, typeof given === "string" ? readOption(name, option, given) : given]
  })
  // Each value was read as its option's kind; a list of pairs cannot say that of each by itself.
  return Object.fromEntries(values)
}

const hintFor = (surplus: string, { maxWords, takesCommand }: { maxWords: number; takesCommand: boolean }): string => {
  if (takesCommand) return ' Put the command to run after "--".'
  return maxWords === 0 ? ` To name a plan, use --session ${surplus}.` : ""
}
