/** The fixtures that are read line by line, each with the stream that reads it. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createDetector, type Stream } from "../../src/streams/index.ts"
import { streams, streamsOf } from "../agents/loaded.ts"

const root = "test/fixtures/streams"

const formats: readonly [part: string, stream: Stream][] = [
  [".claude/projects", streams["claude-transcript"]],
  [".codex/sessions", streams["codex-rollout"]],
  ["chats/session-", streams["gemini-chat"]],
  [".qwen/projects", streams["qwen-chat"]],
  [".kimi-code/sessions", streams["kimi-session"]],
  [".copilot/session-state", streams["copilot-events"]],
  [".grok/sessions", streams["grok-session"]],
  [".omp/", streams["oh-my-pi-session"]],
  [".pi/", streams["pi-session"]],
]

const paths = readdirSync(root, { recursive: true, encoding: "utf8" })

/** Session files. */
export const recordings = paths.flatMap((path) => {
  const stream = path.endsWith(".jsonl") ? formats.find(([part]) => path.includes(part))?.[1] : undefined
  return stream ? [{ path: join(root, path), stream }] : []
})

/** What agents have printed. */
export const printed = paths.flatMap((path) => {
  if (!/stdout\.jsonl$|events-todo\.txt$/.test(path)) return []
  const detector = createDetector(streamsOf("auto"))
  for (const line of readFileSync(join(root, path), "utf8").split("\n")) detector.read(line)
  detector.end()
  return detector.stream ? [{ path: join(root, path), stream: detector.stream }] : []
})
