/** Codex: its row in the table of agents. */
import { defineAgent } from "../agent.ts"

export const openaiCodex = defineAgent({
  id: "openai-codex",
  title: "Codex",
  shortNames: ["codex"],
  program: "codex",
  packages: ["@openai/codex"],
  process: { serves: ["app-server", "mcp-server"] },
  resume: (session) => ["resume", session],
  streams: {
    "codex-exec": async () => (await import("./exec.ts")).codexExec,
    "codex-rollout": async () => (await import("./rollout.ts")).codexRollout,
    "codex-app-server": async () => (await import("./app-server.ts")).codexAppServer,
  },
  sessions: async () => (await import("./sessions.ts")).sessions,
  hooks: async () => (await import("./hooks.ts")).hooks,
  settings: async () => (await import("./settings.ts")).settings,
  client: {
    name: "codex",
    session: (_, { sessionId, threadId }) => sessionId ?? threadId,
    // A sub-agent is a separate thread in the session of the first one.
    agent: ({ sessionId, threadId }) => (threadId === sessionId ? undefined : threadId),
    callId: ({ callId }) => callId,
  },
  stateSources: {
    turn: ["records", "hooks"],
    question: ["records"],
    permission: ["hooks"],
    failure: ["records"],
    end: ["hooks"],
    oneShot: ["records"],
  },
})
