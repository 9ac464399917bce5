/** The table of commands: one row each, loaded only when it is called. */
import type { Command } from "../command.ts"

/** What a person comes for, in the order of the help. */
export type CommandGroup = "see" | "change" | "run" | "connect" | "build"

export type CommandRow = { group: CommandGroup; about: string; load: () => Promise<Command> }

export const commands = {
  demo: {
    group: "see",
    about: "three recorded agents on the live board, no agent or key needed",
    load: async () => (await import("./demo.ts")).demo,
  },
  show: {
    group: "see",
    about: "one plan, as text, panel, tree, markdown or JSON",
    load: async () => (await import("./show.ts")).show,
  },
  list: {
    group: "see",
    about: "all plans known here: title, agent, project, progress, age",
    load: async () => (await import("./list.ts")).list,
  },
  watch: {
    group: "see",
    about: "the live board of all agents' own sessions, or of those at a path",
    load: async () => (await import("./watch.ts")).watch,
  },
  find: {
    group: "see",
    about: "sessions of all agents by words in titles, prompts and todos",
    load: async () => (await import("./find.ts")).find,
  },
  open: {
    group: "see",
    about: "resume an agent's session in its own client and folder",
    load: async () => (await import("./open.ts")).open,
  },
  history: {
    group: "see",
    about: "who changed what, when, through which tool",
    load: async () => (await import("./history.ts")).history,
  },
  evidence: {
    group: "see",
    about: "the evidence for each todo marked done",
    load: async () => (await import("./evidence.ts")).evidence,
  },
  todo: {
    group: "change",
    about: "a person's edits: add, done, drop, block, note, undo, …",
    load: async () => (await import("./todo.ts")).todo,
  },
  check: {
    group: "change",
    about: "run your checks of a plan or a todo: done and verified",
    load: async () => (await import("./check.ts")).check,
  },
  name: {
    group: "change",
    about: "give a session a title of your own",
    load: async () => (await import("./name.ts")).name,
  },
  project: {
    group: "change",
    about: "use the plans in this repository's .headway, or leave them alone",
    load: async () => (await import("./project.ts")).project,
  },
  store: {
    group: "change",
    about: "where plans are kept: a team's database, undelivered changes, copies, checks",
    load: async () => (await import("./store.ts")).store,
  },
  gc: {
    group: "change",
    about: "remove old finished plans; never happens by itself",
    load: async () => (await import("./gc.ts")).gc,
  },
  run: {
    group: "run",
    about: "run an agent and show its plan in place below its output",
    load: async () => (await import("./run.ts")).run,
  },
  agent: {
    group: "run",
    about: "a small coding agent that keeps its plan here; --model script:demo needs no key",
    load: async () => (await import("./agent.ts")).agent,
  },
  setup: {
    group: "connect",
    about: "connect an agent: todo tool, hooks, status line; shows the change, can be undone",
    load: async () => (await import("./setup.ts")).setup,
  },
  doctor: {
    group: "connect",
    about: "what works for each agent, what is off and how to turn it on",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  hook: {
    group: "connect",
    about: "called by an agent's hooks, with the event on standard input",
    load: async () => (await import("./hook.ts")).hook,
  },
  mcp: {
    group: "connect",
    about: "MCP server on standard input and output: a todo tool for any agent",
    load: async () => (await import("./mcp.ts")).mcp,
  },
  serve: {
    group: "connect",
    about: "the board in your browser, also on the phone, and MCP over HTTP",
    load: async () => (await import("./serve.ts")).serve,
  },
  statusline: {
    group: "connect",
    about: "the current plan in one line, for a status bar",
    load: async () => (await import("./statusline.ts")).statusline,
  },
  completion: {
    group: "connect",
    about: "completion of commands, options and their values for bash, zsh and fish",
    load: async () => (await import("./completion.ts")).completionOf(allCommands()),
  },
  write: {
    group: "build",
    about: "apply one tool call from standard input; prints the reply for the model",
    load: async () => (await import("./write.ts")).write,
  },
  events: {
    group: "build",
    about: "any agent's plan as unified JSON lines, from a file or a pipe, once or live",
    load: async () => (await import("./events.ts")).events,
  },
} as const satisfies Record<string, CommandRow>

/** For the command that describes all others. */
const allCommands = (): Readonly<Record<string, CommandRow>> => commands

export type CommandName = keyof typeof commands

export const commandNames = Object.keys(commands) as CommandName[]

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name)
