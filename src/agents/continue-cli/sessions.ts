/** Continue: one document per session, of the command line and of the editors. Its index of sessions is not needed. */
import { join } from "node:path"
import { fullPath } from "../../home/paths/full-path.ts"
import type { Source } from "../../sessions/source.ts"
import { planToolFrom } from "../plan-tool.ts"

export const sessions: Source = {
  agentType: "continue-cli",
  homes: ({ CONTINUE_GLOBAL_DIR }, home) => [fullPath(CONTINUE_GLOBAL_DIR) ?? join(home, ".continue")],
  below: { home: [".continue"], folder: ["."] },
  places: [
    {
      path: ["sessions", /^(?!sessions\.json$)(?<session>.+)\.json$/],
      reading: { as: "lines", stream: "continue-session" },
      whose: ({ session }) => ({ session }),
    },
  ],
  // The file is written when an answer is complete, and contains no times.
  writesAfterAnswers: true,
  planTool: planToolFrom(["Checklist"]),
}
