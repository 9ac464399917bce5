/** Help texts, printed from the commands themselves. */
import { type Command, commonOptions } from "./command.ts"
import { commands } from "./commands/index.ts"
import { type Options, placeholderOf } from "./option.ts"

/** `board` is what there is without a command. */
export const generalHelp = (board: Command): string => {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  const rows = Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`)
  return `Headway keeps the plan of every coding agent.

Usage: headway [COMMAND] [OPTIONS]

Commands:
${rows.join("\n")}

Without a command, headway shows all plans known here, live in a terminal, else as a list. The live board takes:
${optionRows(board.options)}

headway COMMAND --help shows a command's options and examples; headway --version the version.

Every command takes:
${optionRows(commonOptions)}

Examples:
  headway demo
${board.examples.map((example) => `  ${example}`).join("\n")}
  echo '{"todos":[{"content":"Run the tests"}]}' | headway write
  headway show --format tree
`
}

export const commandHelp = ({ usage, about, options, examples }: Command): string => `${about}

Usage: headway ${usage}

${Object.keys(options).length > 0 ? `Options:\n${optionRows(options)}\n\n` : ""}Every command takes:
${optionRows(commonOptions)}

Examples:
${examples.map((example) => `  ${example}`).join("\n")}
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
