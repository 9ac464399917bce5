/** Continue's command line: the row of the table. */
import type { Agent } from "../agent.ts"

export const continueCli = {
  id: "continue-cli",
  title: "Continue",
  shortNames: ["continue", "cn"],
  program: "cn",
  packages: ["@continuedev/cli"],
  process: { serves: ["serve"] },
  // `--resume` takes the session that was written last, and no id.
  resume: (session) => ["--fork", session],
  resumesCopy: true,
  streams: {
    "continue-session": async () => (await import("./session.ts")).continueSession,
  },
  sessions: async () => (await import("./sessions.ts")).sessions,
  settings: async () => (await import("./settings.ts")).settings,
  client: { name: "continue-cli-client" },
  tells: { turn: ["records"], question: [], permission: [], failure: [], end: [], oneShot: [] },
} as const satisfies Agent
