/** Help texts, printed from the commands themselves: examples first, then what there is. */
import { type Command, commonOptions } from "./command.ts"
import { type CommandGroup, commands } from "./commands/index.ts"
import { type Options, placeholderOf } from "./option.ts"

const groups: Record<CommandGroup, string> = {
  see: "See plans",
  change: "Change and tidy them",
  run: "Run agents",
  connect: "Connect agents and shells",
  build: "Build on it",
}

/** `board` is what there is without a command. */
export const generalHelp = (board: Command): string => {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  const rowsOf = (group: string): string[] =>
    Object.entries(commands).flatMap(([name, row]) =>
      row.group === group ? [`  ${name.padEnd(width)}  ${row.about}`] : [],
    )
  const parts = Object.entries(groups).map(([group, title]) => `${title}:\n${rowsOf(group).join("\n")}`)
  return `Headway keeps the plan of every coding agent.

Examples:
${exampleRows(examples)}

Usage: headway [COMMAND] [OPTIONS]

${parts.join("\n\n")}

Without a command, headway shows all plans known here, live in a terminal, else as a list. The live board takes:
${optionRows(board.options)}

Options of every command, before or after its name:
${optionRows(commonOptions)}

"headway COMMAND --help" shows the options and examples of a command, "headway version" the version.
`
}

/** What a person does first, in that order. */
const examples: readonly (readonly [command: string, about: string])[] = [
  ["headway demo", "see it at work, no agent or key needed"],
  ["headway", "the live board of all your agents"],
  ["headway setup claude-code", "connect an agent; shows the change, can be undone"],
  ["headway show", "the newest plan of this project"],
  ['headway todo add "Ask for a review"', "change it; the agent is told"],
]

const exampleRows = (rows: typeof examples): string => {
  const width = Math.max(...rows.map(([command]) => command.length))
  return rows.map(([command, about]) => `  ${command.padEnd(width)}  ${about}`).join("\n")
}

export const commandHelp = ({ usage, about, options, examples: own }: Command): string => `${about}

Examples:
${own.map((example) => `  ${example}`).join("\n")}

Usage: headway ${usage}

${Object.keys(options).length > 0 ? `Options:\n${optionRows(options)}\n\n` : ""}"headway --help" shows the options that every command takes, such as --session and --json.
`

const optionRows = (options: Options): string => {
  const rows = Object.entries(options).map(([name, option]) => {
    const placeholder = placeholderOf(option)
    return {
      left: `${option.short ? `-${option.short}, ` : ""}--${name}${placeholder ? ` ${placeholder}` : ""}`,
      about: option.about,
    }
  })
  const width = Math.max(...rows.map(({ left }) => left.length))
  return rows.map(({ left, about }) => `  ${left.padEnd(width)}  ${about}`).join("\n")
}
