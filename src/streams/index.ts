/** The table of streams: one row for each format agents print or leave on disk, line by line. */
import { HeadwayError } from "../plan/index.ts"
import { acp } from "./acp.ts"
import { claudeStream } from "./claude-stream.ts"
import { claudeTranscript } from "./claude-transcript.ts"
import { codexAppServer } from "./codex-app-server.ts"
import { codexExec } from "./codex-exec.ts"
import { codexRollout } from "./codex-rollout.ts"
import { cursorStream } from "./cursor-stream.ts"
import { geminiChat } from "./gemini-chat.ts"
import { geminiStream } from "./gemini-stream.ts"
import { headwayEvents } from "./headway-events.ts"
import { ohMyPiJson } from "./oh-my-pi-json.ts"
import { ohMyPiSession } from "./oh-my-pi-session.ts"
import { opencodeEvents } from "./opencode-events.ts"
import { opencodeRun } from "./opencode-run.ts"
import { qwenChat } from "./qwen-chat.ts"
import { qwenStream } from "./qwen-stream.ts"
import type { AgentType, Stream } from "./stream.ts"

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

export { type SessionState, stateOf } from "./activity.ts"
export { readClaudeAgentMeta, readClaudeTasks, readClaudeTodos } from "./claude-files.ts"
export { createDetector, type DetectingReader } from "./detect.ts"
export { createDiscovery, type DiscoveredSession, type DiscoverOptions, type Discovery, discover } from "./discover.ts"
export {
  createEventReader,
  createEvents,
  type EventReader,
  type EventReaderOptions,
  type TodoListEvent,
} from "./events.ts"
export { createFolderAlarm, type FolderAlarm, type FolderAlarmOptions } from "./folder-alarm.ts"
export { type FollowOptions, follow } from "./follow.ts"
export { readTrackerFiles } from "./gemini-files.ts"
export { createLineSplitter, type LineSplitter } from "./lines.ts"
export { createObserver, type ObservedAgent, type Observer } from "./observe.ts"
export { readOpencodeDatabase } from "./opencode-database.ts"
export { readOpencodeTodos } from "./opencode-events.ts"
export { readQwenTodos } from "./qwen-files.ts"
export { type Scanned, type ScanOptions, type ScanState, scanFile } from "./scan.ts"
export { sources } from "./sources/index.ts"
export type { ActivityKind, AgentType, SessionSignal, Signal, Stream, StreamReader } from "./stream.ts"
export { type WatchSessionsOptions, watchSessions } from "./watch-sessions.ts"
