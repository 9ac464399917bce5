/** Completion for bash: one function that looks for the command, then for what fits at the cursor. */
import { type CompletableOption, type CompletionScript, inQuotes, typedForms, type Values } from "./completable.ts"

export const bashScript: CompletionScript = ({ commands, everywhere }) => {
  const valued = everywhere.filter(({ values }) => values)
  const options = (own: readonly CompletableOption[]): string => [...everywhere, ...own].flatMap(typedForms).join(" ")
  return `# Completion of headway for bash. Add this line to ~/.bashrc:
#   eval "$(headway completion bash)"
# Names of files can hold commands: readline quotes them, and where it does not know of them, only plain ones are offered.
_headway_paths() {
  local quotes= path
  compopt -o filenames 2>/dev/null && quotes=1
  while IFS= read -r path; do
    if [[ -n $path && ( -n $quotes || $path != *[![:alnum:]_./-]* ) ]]; then COMPREPLY+=("$path"); fi
  done <<< "$(compgen "$1" -- "$2")"
}
_headway() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= first= skip= index word
  # Bash takes "--option=value" for three words.
  if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [[ -n $skip ]]; then skip=; continue; fi
    case $word in
      ${valued.flatMap(typedForms).join("|")}) [[ \${COMP_WORDS[index+1]} == = ]] || skip=1 ;;
      -*|=) ;;
      *) if [[ -z $command ]]; then command=$word; else first=$word; break; fi ;;
    esac
  done
  COMPREPLY=()
  case $previous in
${valued.map((option) => valueCase(typedForms(option), option.values)).join("\n")}
  esac
  case "$command $previous" in
${commands.flatMap(({ name, options: own }) => own.flatMap((option) => valueCases(name, option))).join("\n")}
  esac
  local options=${inQuotes(options([]))} words=
  case $command in
    '') words=${inQuotes(commands.map(({ name }) => name).join(" "))} ;;
${commands.map(({ name, options: own, words }) => `    ${name}) options=${inQuotes(options(own))} words=${inQuotes(words.join(" "))} ;;`).join("\n")}
  esac
  [[ -n $first ]] && words=
  if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$current"))
  else COMPREPLY=($(compgen -W "$words" -- "$current")); fi
}
complete -o default -F _headway headway
`
}

const valueCases = (command: string, option: CompletableOption): string[] =>
  option.values
    ? [
        valueCase(
          typedForms(option).map((form) => `"${command} ${form}"`),
          option.values,
        ),
      ]
    : []

const valueCase = (patterns: readonly string[], values: Values = { kind: "any" }): string => {
  const found =
    values.kind === "words"
      ? `COMPREPLY=($(compgen -W ${inQuotes(values.words.join(" "))} -- "$current"))`
      : `_headway_paths ${values.kind === "folders" ? "-d" : "-f"} "$current"`
  return `    ${patterns.join("|")}) ${found}; return ;;`
}
