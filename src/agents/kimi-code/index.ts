/** Kimi Code: its row in the table of agents. */
import { defineAgent } from "../agent.ts"

export const kimiCode = defineAgent({
  id: "kimi-code",
  title: "Kimi Code",
  shortNames: ["kimi"],
  program: "kimi",
  packages: ["@moonshot-ai/kimi-code"],
  process: { serves: ["acp", "web", "server", "rc", "remote"] },
  resume: (session) => ["--session", session],
  streams: {
    "kimi-stream": async () => (await import("./stream.ts")).kimiStream,
    "kimi-session": async () => (await import("./wire.ts")).kimiSession,
  },
  sessions: async () => (await import("./sessions.ts")).sessions,
  hooks: async () => (await import("./hooks.ts")).hooks,
  settings: async () => (await import("./settings.ts")).settings,
  client: { name: "kimi-code", isKnownByFiles: true, showsBoth: true },
  stateSources: {
    turn: ["records"],
    question: ["records"],
    permission: ["records"],
    failure: ["records"],
    end: [],
    oneShot: [],
  },
})
