/** Gemini CLI: its row in the table of agents. */
import { defineAgent } from "../agent.ts"

export const googleGemini = defineAgent({
  id: "google-gemini",
  title: "Gemini CLI",
  shortNames: ["gemini"],
  program: "gemini",
  packages: ["@google/gemini-cli"],
  process: { serves: ["--acp", "--experimental-acp"] },
  resume: (session) => ["--resume", session],
  streams: {
    "gemini-stream": async () => (await import("./stream.ts")).geminiStream,
    "gemini-chat": async () => (await import("./chat.ts")).geminiChat,
    "gemini-document": async () => (await import("./document.ts")).geminiDocument,
  },
  sessions: async () => (await import("./sessions.ts")).sessions,
  hooks: async () => (await import("./hooks.ts")).hooks,
  settings: async () => (await import("./settings.ts")).settings,
  client: { name: "gemini" },
  stateSources: {
    turn: ["records", "hooks"],
    question: ["hooks"],
    permission: ["hooks"],
    failure: ["records"],
    end: ["hooks"],
    oneShot: [],
  },
})
