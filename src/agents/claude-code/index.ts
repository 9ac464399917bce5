/** Claude Code: its row in the table of agents. */
import { defineAgent } from "../agent.ts"

export const claudeCode = defineAgent({
  id: "claude-code",
  title: "Claude Code",
  shortNames: ["claude"],
  program: "claude",
  packages: ["@anthropic-ai/claude-code"],
  process: { names: ["claude-agent-sdk"] },
  resume: (session) => ["--resume", session],
  streams: {
    "claude-stream": async () => (await import("./stream.ts")).claudeStream,
    "claude-transcript": async () => (await import("./transcript.ts")).claudeTranscript,
  },
  sessions: async () => (await import("./sessions.ts")).sessions,
  now: async () => (await import("./now.ts")).readClaudeNow,
  hooks: async () => (await import("./hooks.ts")).hooks,
  settings: async () => (await import("./settings.ts")).settings,
  client: {
    name: "claude-code",
    session: ({ CLAUDE_CODE_SESSION_ID }) => CLAUDE_CODE_SESSION_ID,
    callId: (meta) => meta["claudecode/toolUseId"],
  },
  stateSources: {
    turn: ["records", "hooks", "note"],
    question: ["records", "hooks"],
    permission: ["hooks", "note"],
    failure: ["records"],
    end: ["records", "hooks"],
    oneShot: ["records"],
  },
})
