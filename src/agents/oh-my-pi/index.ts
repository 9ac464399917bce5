/** oh-my-pi: its row in the table of agents. */
import { defineAgent } from "../agent.ts"

export const ohMyPi = defineAgent({
  id: "oh-my-pi",
  title: "oh-my-pi",
  shortNames: ["omp"],
  program: "omp",
  packages: ["@oh-my-pi/pi-coding-agent"],
  resume: (session) => ["--resume", session],
  streams: {
    "oh-my-pi-json": async () => (await import("./json.ts")).ohMyPiJson,
    "oh-my-pi-session": async () => (await import("./session.ts")).ohMyPiSession,
  },
  sessions: async () => (await import("./sessions.ts")).sessions,
  settings: async () => (await import("./settings.ts")).settings,
  client: { name: "omp", showsBoth: true },
  stateSources: {
    turn: ["records"],
    question: ["records"],
    permission: [],
    failure: ["records"],
    end: ["records"],
    oneShot: [],
  },
})
