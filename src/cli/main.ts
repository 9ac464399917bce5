/** From words on a command line to a command and an exit code. */
import { HeadwayError, isHeadwayError } from "../plan/headway-error.ts"
import type { Command } from "./command.ts"
import { commandNames, commands, isCommandName } from "./commands/index.ts"
import { withDoor } from "./door.ts"
import type { Io, Outside } from "./io.ts"
import { say } from "./output/say.ts"
import { isSystemError, systemSentence } from "./output/system-error.ts"
import { version } from "./version.ts"

export const main = async (argv: readonly string[], outside: Outside): Promise<number> => {
  const io = withDoor(outside, { isPlain: asksForNoColour(argv) })
  try {
    return await dispatch(argv, io)
  } catch (cause) {
    if (!isHeadwayError(cause) && !isSystemError(cause)) throw cause
    say(io, isHeadwayError(cause) ? cause.message : systemSentence(cause))
    return isHeadwayError(cause) && isUsage(cause) ? 2 : 1
  }
}

/** Logs wrong usage where the caller may show neither the message nor the exit code. A home that is not safe to use gets nothing. */
const logUsage = async (cause: Error, io: Io): Promise<void> => {
  try {
    const { homeOf } = await import("./place/place.ts")
    const { createErrorSink } = await import("../home/error-log.ts")
    createErrorSink({ home: homeOf({ io, values: {} }), env: io.env, now: io.now })(cause)
  } catch {}
}

const versionWords: readonly string[] = ["--version", "-V", "-v", "version"]

const dispatch = async (argv: readonly string[], io: Io): Promise<number> => {
  const [first, ...rest] = argv
  if (first !== undefined && versionWords.includes(first)) {
    io.out(`${version}\n`)
    return 0
  }
  if (first === "--help" || first === "-h" || first === "help") return help(rest[0], io)
  if (first === undefined || first.startsWith("-")) {
    const place = (await import("./words/leading-options.ts")).commandPlace(argv)
    const name = argv[place ?? -1]
    if (place !== undefined && name !== undefined)
      return dispatch([name, ...argv.slice(0, place), ...argv.slice(place + 1)], io)
    if (asksForHelp(argv)) return help(undefined, io)
    const bare = await withoutCommand(argv, io)
    if (first !== undefined) await (await import("./words/leading-options.ts")).assertInPlace(argv, bare.options)
    return run(bare, argv, io)
  }
  if (!isCommandName(first)) throw await unknownCommand(first)
  const options = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest
  if (asksForHelp(options)) return help(first, io)
  return run(await commands[first].load(), rest, io)
}

/** Determined before the command, so that all output respects it. Words after `--` belong to another program. */
const asksForNoColour = (argv: readonly string[]): boolean =>
  argv.slice(0, argv.includes("--") ? argv.indexOf("--") : argv.length).includes("--no-color")

const asksForHelp = (words: readonly string[]): boolean => words.includes("--help") || words.includes("-h")

/** The board at a terminal; the listing otherwise, and for `--json`. */
const withoutCommand = async (argv: readonly string[], io: Io): Promise<Command> => {
  const isForPeople = io.isTerminal.in && io.isTerminal.out && io.env.TERM !== "dumb"
  const asksForData = argv.some((word) => /^--(?:json|root)(?:=|$)/.test(word))
  return isForPeople && !asksForData ? (await import("./board/board.ts")).board : commands.list.load()
}

const run = async (command: Command, argv: readonly string[], io: Io): Promise<number> => {
  try {
    return await command.call(argv, io)
  } catch (cause) {
    if (command.usageExitCode === undefined || !isHeadwayError(cause) || !isUsage(cause)) throw cause
    say(io, cause.message)
    await logUsage(cause, io)
    return command.usageExitCode
  }
}

/** Codes of errors that say how the command line should have been written. */
const usageCodes = ["usage", "unknown-dialect", "unknown-store", "unknown-stream"]

const isUsage = ({ code }: HeadwayError): boolean => usageCodes.includes(code)

const help = async (name: string | undefined, io: Io): Promise<number> => {
  const { commandHelp, generalHelp } = await import("./words/help.ts")
  if (name !== undefined && !isCommandName(name)) throw await unknownCommand(name)
  io.out(
    name === undefined
      ? generalHelp((await import("./board/board.ts")).board, io.columns)
      : commandHelp(await commands[name].load(), io.columns),
  )
  return 0
}

const unknownCommand = async (name: string): Promise<HeadwayError> => {
  const { didYouMean } = await import("./words/suggest.ts")
  const hint = didYouMean(name, commandNames)
  return new HeadwayError(
    "usage",
    `There is no command "${name}".${hint} The commands are: ${commandNames.join(", ")}.`,
  )
}
