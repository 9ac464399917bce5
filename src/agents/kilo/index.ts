/** Kilo, which is made from opencode: its row in the table of agents. */
import { defineAgent } from "../agent.ts"
import { opencode } from "../opencode/index.ts"

export const kilo = defineAgent({
  id: "kilo",
  title: "Kilo",
  shortNames: ["kilocode"],
  program: "kilo",
  packages: ["@kilocode/cli"],
  process: { names: ["kilocode"], serves: ["serve", "daemon", "acp"] },
  resume: (session) => ["--session", session],
  streams: { "kilo-run": async () => (await import("./run.ts")).kiloRun },
  sessions: async () => (await import("./sessions.ts")).sessions,
  hooks: async () => (await import("./hooks.ts")).hooks,
  settings: async () => (await import("./settings.ts")).settings,
  client: { name: "kilo" },
  ...(opencode.stateSources ? { stateSources: opencode.stateSources } : {}),
})
