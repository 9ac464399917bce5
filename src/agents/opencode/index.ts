/** opencode: its row in the table of agents. */
import { defineAgent } from "../agent.ts"

export const opencode = defineAgent({
  id: "opencode",
  title: "opencode",
  shortNames: [],
  program: "opencode",
  packages: ["opencode-ai"],
  process: { serves: ["serve", "web", "acp"] },
  resume: (session) => ["--session", session],
  streams: {
    "opencode-run": async () => (await import("./run.ts")).opencodeRun,
    "opencode-events": async () => (await import("./events.ts")).opencodeEvents,
    "opencode-export": async () => (await import("./export.ts")).opencodeExport,
  },
  sessions: async () => (await import("./sessions.ts")).sessions,
  hooks: async () => (await import("./hooks.ts")).hooks,
  settings: async () => (await import("./settings.ts")).settings,
  client: { name: "opencode" },
  stateSources: {
    turn: ["records", "hooks"],
    question: ["records", "hooks"],
    permission: ["hooks"],
    failure: ["records", "hooks"],
    end: [],
    oneShot: [],
  },
})
