/** Completion for fish: a line for each command and each option, and a function that finds the command. */
import { type CompletableOption, type CompletionScript, inQuotes, typedForms, type Values } from "./completable.ts"

export const fishScript: CompletionScript = ({ commands, everywhere }) => {
  const valued = everywhere.filter(({ values }) => values).flatMap(typedForms)
  return `# Completion of headway for fish. Write it to the folder that fish looks in:
#   headway completion fish > ~/.config/fish/completions/headway.fish
function __headway_command
    set -l skip
    for word in (commandline -opc)[2..-1]
        if test -n "$skip"
            set skip
            continue
        end
        switch $word
            case ${valued.join(" ")}
                set skip yes
            case '-*'
            case '*'
                echo $word
                return
        end
    end
end
function __headway_is
    set -l command (__headway_command)
    test "$command" = "$argv[1]"
end
complete -c headway -f
${everywhere.map((option) => `complete -c headway ${flagsOf(option)}`).join("\n")}
${commands.map(({ name, about }) => `complete -c headway -n '__headway_is ""' -a ${name} -d ${inQuotes(about)}`).join("\n")}
${commands.flatMap(({ name, options, words }) => commandLines(name, options, words)).join("\n")}
`
}

const commandLines = (name: string, options: readonly CompletableOption[], words: readonly string[]): string[] => [
  ...(words.length > 0 ? [`complete -c headway -n '__headway_is ${name}' -a ${inQuotes(words.join(" "))}`] : []),
  ...options.map((option) => `complete -c headway -n '__headway_is ${name}' ${flagsOf(option)}`),
]

const flagsOf = ({ name, short, about, values }: CompletableOption): string =>
  [`-l ${name}`, ...(short === undefined ? [] : [`-s ${short}`]), ...valueFlags(values), `-d ${inQuotes(about)}`].join(
    " ",
  )

const valueFlags = (values: Values | undefined): string[] => {
  if (!values) return []
  if (values.kind === "words") return ["-x", `-a ${inQuotes(values.words.join(" "))}`]
  if (values.kind === "folders") return ["-x", "-a '(__fish_complete_directories)'"]
  return values.kind === "files" ? ["-r", "-F"] : ["-x"]
}
