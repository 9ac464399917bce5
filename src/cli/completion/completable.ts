/** What a shell can complete: the commands and their options, read from the commands themselves. */
import { commonOptions } from "../command.ts"
import type { CommandRow } from "../commands/index.ts"
import { type Option, type Options, placeholderOf } from "../words/option.ts"

/** What the value of an option can be completed with. */
export type Values = { kind: "words"; words: readonly string[] } | { kind: "folders" | "files" | "any" }

export type CompletableOption = {
  name: string
  short?: string
  about: string
  /** Absent where the option takes no value. */
  values?: Values
  /** What the help writes for the value. */
  placeholder?: string
}

export type CompletableCommand = {
  name: string
  about: string
  options: readonly CompletableOption[]
  /** What its first word can be. */
  words: readonly string[]
}

export type Completable = {
  commands: readonly CompletableCommand[]
  /** Options that can come before or after the name of a command. */
  everywhere: readonly CompletableOption[]
}

/** A script for one shell. */
export type CompletionScript = (completable: Completable) => string

export const loadCompletable = async (commands: Readonly<Record<string, CommandRow>>): Promise<Completable> => {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, { about, load }]): Promise<CompletableCommand> => {
      const { options, firstWords = [] } = await load()
      return { name, about, options: completableOptions(options), words: firstWords }
    }),
  )
  const others = [
    { name: "help", about: "the help of a command", options: [], words: Object.keys(commands) },
    { name: "version", about: "the version", options: [], words: [] },
  ]
  return { commands: [...loaded, ...others], everywhere: completableOptions(commonOptions) }
}

const completableOptions = (options: Options): CompletableOption[] =>
  Object.entries(options).map(([name, option]) => {
    const values = valuesOf(option)
    const placeholder = placeholderOf(option)
    return {
      name,
      about: option.about,
      ...(option.short === undefined ? {} : { short: option.short }),
      ...(values ? { values } : {}),
      ...(placeholder === undefined ? {} : { placeholder }),
    }
  })

const valuesOf = (option: Option): Values | undefined => {
  if (option.type === "boolean") return undefined
  if (option.type === "choice") return { kind: "words", words: option.of }
  if (option.type !== "string") return { kind: "any" }
  if (option.known) return { kind: "words", words: option.known }
  return { kind: option.value === "DIR" ? "folders" : /^(?:FILE|PATH)/.test(option.value) ? "files" : "any" }
}

/** How an option is typed: `--format`, and `-f` where it is short too. */
export const typedForms = ({ name, short }: CompletableOption): string[] =>
  short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`]

/** A word as a shell takes it literally. */
export const inQuotes = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
