/** Completion for zsh: its own functions know where the cursor is, and get the list of what there is. */
import { type CompletableOption, type CompletionScript, inQuotes, type Values } from "./completable.ts"

export const zshScript: CompletionScript = ({ commands, everywhere }) => `#compdef headway
# Completion of headway for zsh. Add this line to ~/.zshrc, after "autoload -U compinit; compinit":
#   eval "$(headway completion zsh)"
_headway() {
  local state line
  local -a everywhere commands
  typeset -A opt_args
  everywhere=(
${everywhere.flatMap(specsOf).join("\n")}
  )
  commands=(
${commands.map(({ name, about }) => `    ${inQuotes(`${name}:${about}`)}`).join("\n")}
  )
  _arguments -C $everywhere '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe -t commands command commands ;;
    argument)
      case $line[1] in
${commands.map(({ name, options, words }) => `        ${name}) _arguments $everywhere ${[...options.flatMap(specsOf).map((spec) => spec.trim()), ...firstWord(words)].join(" ")} '*:file:_files' ;;`).join("\n")}
      esac ;;
  esac
}
compdef _headway headway
`

const firstWord = (words: readonly string[]): string[] =>
  words.length > 0 ? [inQuotes(`1:what:(${words.join(" ")})`)] : []

/** One for each way to type the option. */
const specsOf = (option: CompletableOption): string[] => {
  const { name, short, about, values, placeholder = "" } = option
  const value = values ? `:${escaped(placeholder)}:${actionOf(values)}` : ""
  const long = `    ${inQuotes(`--${name}${values ? "=" : ""}[${escaped(about)}]${value}`)}`
  return short === undefined ? [long] : [long, `    ${inQuotes(`-${short}[${escaped(about)}]${value}`)}`]
}

const actionOf = (values: Values): string => {
  if (values.kind === "words") return `(${values.words.join(" ")})`
  return values.kind === "folders" ? "_files -/" : values.kind === "files" ? "_files" : " "
}

/** Brackets and colons part a specification. */
const escaped = (text: string): string => text.replace(/[[\]:\\]/g, "\\$&")
