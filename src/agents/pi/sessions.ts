/** pi: session files by project. */
import { join } from "node:path"
import { fullPath } from "../../home/paths/full-path.ts"
import type { Source } from "../../sessions/source.ts"
import { planToolFrom } from "../plan-tool.ts"

const file = /^.+_(?<session>[^_]+)\.jsonl$/

export const sessions: Source = {
  agentType: "pi",
  homes: ({ PI_CODING_AGENT_DIR, PI_CODING_AGENT_SESSION_DIR }, home) => [
    fullPath(PI_CODING_AGENT_DIR) ?? join(home, ".pi", "agent"),
    ...[fullPath(PI_CODING_AGENT_SESSION_DIR) ?? []].flat(),
  ],
  below: { home: [join(".pi", "agent")], folder: [".", "agent"] },
  places: [
    {
      path: ["sessions", /^--(?<project>.+)--$/, file],
      reading: { as: "lines", stream: "pi-session" },
      whose: ({ session, project }) => ({ session, project }),
    },
    {
      // A folder set by an environment variable contains the files of all projects.
      path: [file],
      reading: { as: "lines", stream: "pi-session" },
      whose: ({ session }) => ({ session }),
    },
  ],
  planTool: planToolFrom(["todo"]),
}
