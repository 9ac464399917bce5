/** Continue's command line: its row in the table of agents. */
import { defineAgent } from "../agent.ts"

export const continueCli = defineAgent({
  id: "continue-cli",
  title: "Continue",
  shortNames: ["continue", "cn"],
  program: "cn",
  packages: ["@continuedev/cli"],
  process: { serves: ["serve"] },
  // `--resume` accepts no id: it takes the most recently written session.
  resume: (session) => ["--fork", session],
  resumesCopy: true,
  streams: {
    "continue-session": async () => (await import("./session.ts")).continueSession,
  },
  sessions: async () => (await import("./sessions.ts")).sessions,
  settings: async () => (await import("./settings.ts")).settings,
  client: { name: "continue-cli-client" },
  stateSources: { turn: ["records"], question: [], permission: [], failure: [], end: [], oneShot: [] },
})
