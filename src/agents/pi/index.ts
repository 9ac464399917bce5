/** pi: its row in the table of agents. */
import { defineAgent } from "../agent.ts"

export const pi = defineAgent({
  id: "pi",
  title: "pi",
  shortNames: [],
  program: "pi",
  packages: ["@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent"],
  resume: (session) => ["--session", session],
  streams: {
    "pi-json": async () => (await import("./json.ts")).piJson,
    "pi-session": async () => (await import("./session.ts")).piSession,
  },
  sessions: async () => (await import("./sessions.ts")).sessions,
  stateSources: { turn: ["records"], question: [], permission: [], failure: ["records"], end: [], oneShot: [] },
})
