/** Every session file of the fixtures that is read line by line, with the stream that reads it. */

import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { Stream } from "../../src/streams/index.ts"
import { streams } from "../agents/loaded.ts"

const root = "test/fixtures/streams"

const formats: readonly [part: string, stream: Stream][] = [
  [".claude/projects", streams["claude-transcript"]],
  [".codex/sessions", streams["codex-rollout"]],
  ["chats/session-", streams["gemini-chat"]],
  [".qwen/projects", streams["qwen-chat"]],
  [".omp/", streams["oh-my-pi-session"]],
]

export const recordings = readdirSync(root, { recursive: true, encoding: "utf8" }).flatMap((path) => {
  const stream = path.endsWith(".jsonl") ? formats.find(([part]) => path.includes(part))?.[1] : undefined
  return stream ? [{ path: join(root, path), stream }] : []
})
