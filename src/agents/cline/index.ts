/** Cline's command line: its row in the table of agents. */
import { defineAgent } from "../agent.ts"

export const cline = defineAgent({
  id: "cline",
  title: "Cline",
  shortNames: [],
  program: "cline",
  packages: ["cline"],
  process: { serves: ["hub", "--acp"] },
  resume: (session) => ["--id", session],
  streams: {
    "cline-stream": async () => (await import("./stream.ts")).clineStream,
    "cline-session": async () => (await import("./session.ts")).clineSession,
  },
  sessions: async () => (await import("./sessions.ts")).sessions,
  settings: async () => (await import("./settings.ts")).settings,
  client: { name: "@cline/core" },
  stateSources: {
    turn: ["records"],
    question: ["records"],
    permission: [],
    failure: ["records"],
    end: ["records"],
    oneShot: ["records"],
  },
})
