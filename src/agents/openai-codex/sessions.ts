/**
 * Codex: one rollout file per thread, by day. Unused ones are compressed, old ones archived. Sub-agents are threads.
 */
import { join } from "node:path"
import { fullPath } from "../../home/paths/full-path.ts"
import { parseJson } from "../../plan/json.ts"
import type { Source } from "../../sessions/source.ts"
import { fieldsOf, nameIn, textOf } from "../../streams/line.ts"
import { planToolFrom } from "../plan-tool.ts"

/** The file's name ends with the thread's id; a revert appends another id. */
const rollout =
  /^rollout-.*?(?<session>[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})(?:_.+)?\.jsonl(?:\.zst)?$/
const reading = { as: "lines", stream: "codex-rollout" } as const
const whose = ({ session }: Readonly<Record<string, string>>) => ({ session })

/** Reads the names of threads: one line for each time that a thread was named. */
const threadNames = (text: string): Record<string, string> => {
  const names: Record<string, string> = Object.create(null)
  for (const line of text.split("\n")) {
    const { id, thread_name } = fieldsOf(parseJson(line))
    const [thread, name] = [textOf(id), nameIn(thread_name)]
    if (thread !== undefined && name !== undefined) names[thread] = name
  }
  return names
}

export const sessions: Source = {
  agentType: "openai-codex",
  homes: ({ CODEX_HOME }, home) => [fullPath(CODEX_HOME) ?? join(home, ".codex")],
  below: { home: [".codex"], folder: ["."] },
  places: [
    { path: ["sessions", /^\d+$/, /^\d+$/, /^\d+$/, rollout], reading, whose },
    { path: ["archived_sessions", rollout], reading, whose },
  ],
  planTool: planToolFrom(["update_plan"]),
  titles: { file: "session_index.jsonl", read: threadNames },
}
