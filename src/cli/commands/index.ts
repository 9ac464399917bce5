/** The table of commands: one row each, loaded only when it is called. */
import type { Command } from "../command.ts"

type CommandRow = { about: string; load: () => Promise<Command> }

export const commands = {
  demo: {
    about: "play a recorded session, no agent or key needed",
    load: async () => (await import("./demo.ts")).demo,
  },
  write: { about: "one tool call from standard input", load: async () => (await import("./write.ts")).write },
  show: { about: "one plan", load: async () => (await import("./show.ts")).show },
  list: { about: "all plans known here", load: async () => (await import("./list.ts")).list },
} as const satisfies Record<string, CommandRow>

export type CommandName = keyof typeof commands

export const commandNames = Object.keys(commands) as CommandName[]

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name)
