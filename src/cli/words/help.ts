/** Help texts, generated from the commands: examples first, then the details. */
import { type Command, commonOptions } from "../command.ts"
import { type CommandGroup, commands } from "../commands/index.ts"
import { wrap } from "../output/wrap.ts"
import { type Options, placeholderOf } from "./option.ts"

const groups: Record<CommandGroup, string> = {
  see: "See plans",
  change: "Change and tidy them",
  run: "Run agents",
  connect: "Connect agents and shells",
  build: "Build on it",
}

/** `board` is the command that runs without a name. */
export const generalHelp = (board: Command, terminalColumns?: number): string => {
  const columns = columnsFor(terminalColumns)
  const known = Object.entries(commands)
  const width = Math.max(...known.map(([name]) => name.length))
  const parts = Object.entries(groups).map(([group, title]) => {
    const rows = known.flatMap(([name, row]): Row[] => (row.group === group ? [[name, row.about]] : []))
    return `${title}:\n${table(rows, columns, width)}`
  })
  return `Headway keeps the plan of every coding agent.

Examples:
${table(examples, columns)}

Usage: headway [COMMAND] [OPTIONS]

${parts.join("\n\n")}

${wrap("Without a command, headway shows all plans known here: live in a terminal, otherwise as a list. The live board takes:", columns)}
${optionRows(board.options, columns)}

${wrap("Options of every command, before or after its name:", columns)}
${optionRows(commonOptions, columns)}

${wrap('"headway COMMAND --help" shows the options and examples of a command, "headway version" the version.', columns)}
`
}

/** What a person does first, in that order. */
const examples: readonly Row[] = [
  ["headway demo", "see it at work, no agent or key needed"],
  ["headway", "the live board of all your agents"],
  ["headway setup claude-code", "connect an agent; can be undone"],
  ["headway show", "the newest plan of this project"],
  ['headway todo add "Review it"', "change it; the agent is told"],
]

/** Examples are not broken into lines, so that they can be copied. */
export const commandHelp = ({ usage, about, options, examples: own }: Command, terminalColumns?: number): string => {
  const columns = columnsFor(terminalColumns)
  return `${about
    .split("\n\n")
    .map((part) => paragraph(part, columns))
    .join("\n\n")}

Examples:
${own.map((example) => `  ${example}`).join("\n")}

${wrap(`Usage: headway ${usage}`, columns, "  ")}

${Object.keys(options).length > 0 ? `Options:\n${optionRows(options, columns)}\n\n` : ""}${wrap('"headway --help" shows the options that every command takes, such as --session and --json.', columns)}
`
}

type Row = readonly [left: string, about: string]

/** Long lines are hard to read, and a terminal of a few columns is not worth more than that. */
const columnsFor = (terminalColumns = 80): number => Math.min(80, Math.max(40, terminalColumns))

/** Prose as one text, or the rows of a table, each of them indented. */
const paragraph = (text: string, columns: number): string => {
  const lines = text.split("\n")
  if (!lines.every((line) => line.startsWith("  "))) return wrap(lines.join(" "), columns)
  return table(
    lines.map((line): Row => {
      const [left = "", ...about] = line.trim().split(/ {2,}/)
      return [left, about.join(" ")]
    }),
    columns,
  )
}

const optionRows = (options: Options, columns: number): string =>
  table(
    Object.entries(options).map(([name, option]): Row => {
      const placeholder = placeholderOf(option)
      const left = `${option.short ? `-${option.short}, ` : ""}--${name}${placeholder ? ` ${placeholder}` : ""}`
      return [left, option.about]
    }),
    columns,
  )

/** Two columns. A cell too wide for the left one gets its own line. */
const table = (rows: readonly Row[], columns: number, leastWidth = 0): string => {
  const most = Math.floor(columns * 0.35)
  const fitting = rows.map(([left]) => left.length).filter((length) => length <= most)
  const width = Math.max(leastWidth, ...fitting)
  const indent = " ".repeat(width + 4)
  return rows
    .map(([left, about]) => {
      if (about === "") return `  ${left}`
      const [first = "", ...more] = wrap(about, columns - indent.length).split("\n")
      const start = left.length <= width ? `  ${left.padEnd(width)}  ${first}` : `  ${left}\n${indent}${first}`
      return [start, ...more.map((line) => `${indent}${line}`)].join("\n")
    })
    .join("\n")
}
