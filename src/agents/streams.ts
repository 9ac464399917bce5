/** The table of streams: one row for each format agents print or leave on disk, line by line. */
import { HeadwayError } from "../plan/index.ts"
import type { AgentType, Stream } from "../streams/stream.ts"
import { acp } from "./acp/updates.ts"
import { claudeStream } from "./claude-code/stream.ts"
import { claudeTranscript } from "./claude-code/transcript.ts"
import { cursorStream } from "./cursor/stream.ts"
import { geminiChat } from "./google-gemini/chat.ts"
import { geminiStream } from "./google-gemini/stream.ts"
import { headwayEvents } from "./headway/events.ts"
import { ohMyPiJson } from "./oh-my-pi/json.ts"
import { ohMyPiSession } from "./oh-my-pi/session.ts"
import { codexAppServer } from "./openai-codex/app-server.ts"
import { codexExec } from "./openai-codex/exec.ts"
import { codexRollout } from "./openai-codex/rollout.ts"
import { opencodeEvents } from "./opencode/events.ts"
import { opencodeRun } from "./opencode/run.ts"
import { qwenChat } from "./qwen-code/chat.ts"
import { qwenStream } from "./qwen-code/stream.ts"

export const streams = {
  "claude-stream": claudeStream,
  "claude-transcript": claudeTranscript,
  "codex-exec": codexExec,
  "codex-rollout": codexRollout,
  "codex-app-server": codexAppServer,
  "gemini-stream": geminiStream,
  "gemini-chat": geminiChat,
  "opencode-run": opencodeRun,
  "opencode-events": opencodeEvents,
  "oh-my-pi-json": ohMyPiJson,
  "oh-my-pi-session": ohMyPiSession,
  "qwen-stream": qwenStream,
  "qwen-chat": qwenChat,
  "cursor-stream": cursorStream,
  acp,
  "headway-events": headwayEvents,
} as const satisfies Record<string, Stream>

export type StreamId = keyof typeof streams

export const streamIds = Object.keys(streams) as StreamId[]

const shortNames: Record<string, AgentType> = {
  claude: "claude-code",
  codex: "openai-codex",
  gemini: "google-gemini",
  omp: "oh-my-pi",
  qwen: "qwen-code",
}

/** The formats a name can mean: one by its id, or all of an agent's. `auto` is any. */
export const streamsOf = (name: string): readonly Stream[] => {
  if (name === "auto") return Object.values(streams)
  if (Object.hasOwn(streams, name)) return [streams[name as StreamId]]
  const agent = shortNames[name] ?? name
  const found = Object.values(streams).filter(({ agentType }) => agentType === agent)
  if (found.length > 0) return found
  const agents = [...new Set(Object.values(streams).map(({ agentType }) => agentType))]
  throw new HeadwayError(
    "unknown-stream",
    `There is no stream "${name}". Use auto, one of ${agents.join(", ")}, or one of ${streamIds.join(", ")}.`,
  )
}
