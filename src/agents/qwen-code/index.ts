/** Qwen Code: its row in the table of agents. */
import { defineAgent } from "../agent.ts"

export const qwenCode = defineAgent({
  id: "qwen-code",
  title: "Qwen Code",
  shortNames: ["qwen"],
  program: "qwen",
  packages: ["@qwen-code/qwen-code"],
  process: { serves: ["--acp", "--experimental-acp"] },
  resume: (session) => ["--resume", session],
  streams: {
    "qwen-stream": async () => (await import("./stream.ts")).qwenStream,
    "qwen-chat": async () => (await import("./chat.ts")).qwenChat,
  },
  sessions: async () => (await import("./sessions.ts")).sessions,
  hooks: async () => (await import("./hooks.ts")).hooks,
  settings: async () => (await import("./settings.ts")).settings,
  client: { name: "qwen", showsBoth: true },
  stateSources: {
    turn: ["records", "hooks"],
    question: ["records", "hooks"],
    permission: ["hooks"],
    failure: ["records", "hooks"],
    end: ["hooks"],
    oneShot: [],
  },
})
