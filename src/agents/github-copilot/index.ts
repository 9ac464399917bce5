/** GitHub Copilot CLI: its row in the table of agents. */
import { defineAgent } from "../agent.ts"

export const githubCopilot = defineAgent({
  id: "github-copilot",
  title: "Copilot CLI",
  shortNames: ["copilot"],
  program: "copilot",
  packages: ["@github/copilot"],
  process: { serves: ["--acp", "--server", "--headless"] },
  resume: (session) => ["--resume", session],
  streams: { "copilot-events": async () => (await import("./events.ts")).copilotEvents },
  sessions: async () => (await import("./sessions.ts")).sessions,
  hooks: async () => (await import("./hooks.ts")).hooks,
  settings: async () => (await import("./settings.ts")).settings,
  client: { name: "copilot", showsBoth: true },
  stateSources: {
    turn: ["records", "hooks"],
    question: ["records"],
    permission: ["records"],
    failure: ["records"],
    end: ["records", "note"],
    oneShot: [],
  },
})
