/** The commands a person can give the screen in place of a task: `/todos`, `/todo …`, `/plan`, `/compact`, `/help`, `/quit`. */

export type SlashCommand = { name: string; words: string[] }

export const slashCommands: Readonly<Record<string, string>> = {
  "/todos": "the list",
  "/todo VERB …": "change the list: add TEXT, start, done, drop, block, note, undo, …",
  "/plan": "plan mode on or off: look and plan, change nothing",
  "/compact": "replace the conversation by a summary",
  "/help": "this",
  "/quit": "leave; the session can be resumed",
}

export const helpText = [
  ...Object.entries(slashCommands).map(([command, about]) => `${command.padEnd(14)} ${about}`),
  "",
  "enter          send; while the agent works, keep for its next turn",
  "ctrl+j         a new line",
  "ctrl+t         show or hide the todos",
  "esc            interrupt the agent",
  "ctrl+c ctrl+c  leave",
].join("\n")

/** What a line commands; undefined for one that is meant for the agent, such as a path. */
export const readSlashCommand = (text: string): SlashCommand | undefined => {
  const match = /^\/([a-z][a-z-]*|\?)(?:\s+([\s\S]*))?$/i.exec(text.trim())
  const name = match?.[1]
  return name === undefined ? undefined : { name: name.toLowerCase(), words: wordsOf(match?.[2] ?? "") }
}

export const unknownCommand = (name: string): string =>
  `There is no command "/${name}". The commands are: ${Object.keys(slashCommands)
    .map((command) => command.split(" ")[0])
    .join(", ")}.`

/** As a shell would part them, but a quote that nobody closes is a quote like any other letter. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/"((?:\\.|[^"\\])*)"(?=\s|$)|'([^']*)'(?=\s|$)|(\S+)/g)].map(
    ([, double, single, bare]) => double?.replace(/\\(.)/g, "$1") ?? single ?? bare ?? "",
  )
