/** Grok: its row in the table of agents. */
import { defineAgent } from "../agent.ts"

export const grok = defineAgent({
  id: "grok",
  title: "Grok",
  shortNames: ["grok-build"],
  program: "grok",
  packages: ["@xai-official/grok"],
  process: { names: ["grok-native"], serves: ["agent", "leader"] },
  resume: (session) => ["--resume", session],
  streams: {
    "grok-json": async () => (await import("./json.ts")).grokJson,
    "grok-stream": async () => (await import("./stream.ts")).grokStream,
    "grok-session": async () => (await import("./session.ts")).grokSession,
  },
  sessions: async () => (await import("./sessions.ts")).sessions,
  hooksPassNoEdits: true,
  hooks: async () => (await import("./hooks.ts")).hooks,
  settings: async () => (await import("./settings.ts")).settings,
  client: { name: "grok", isKnownByFiles: true, showsBoth: true },
  stateSources: {
    turn: ["records", "hooks"],
    question: ["records"],
    permission: ["records"],
    failure: ["records"],
    end: ["note"],
    oneShot: ["records"],
  },
})
