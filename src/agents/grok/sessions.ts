/**
 * Grok: one folder per session, in a folder per project. A sub-agent has its own session, and a file in its parent's
 * folder.
 */
import { join } from "node:path"
import { fullPath } from "../../home/paths/full-path.ts"
import type { Source } from "../../sessions/source.ts"
import { planToolFrom } from "../plan-tool.ts"
import { nativeTool } from "./_calls.ts"

const inSession = ["sessions", /^(?<project>.+)$/, /^(?<session>.+)$/]

/** The project's path, decoded from the name of its folder. A long path was shortened, and only serves as a label. */
const folderNamed = (label = ""): string => {
  try {
    return decodeURIComponent(label)
  } catch {
    return label
  }
}

export const sessions: Source = {
  agentType: "grok",
  homes: ({ GROK_HOME }, home) => [fullPath(GROK_HOME) ?? join(home, ".grok")],
  below: { home: [".grok"], folder: ["."] },
  places: [
    {
      path: [...inSession, "updates.jsonl"],
      reading: { as: "lines", stream: "grok-session" },
      whose: ({ session, project }) => ({ session, project: folderNamed(project) }),
    },
    {
      path: [...inSession, "subagents", /^(?<agent>.+)$/, "meta.json"],
      reading: { as: "document", load: async () => (await import("./session-notes.ts")).subAgentFile },
      whose: ({ session, agent }) => ({ session, agent }),
      namesChild: true,
    },
    {
      path: [...inSession, "summary.json"],
      reading: { as: "document", load: async () => (await import("./session-notes.ts")).summaryFile },
      whose: ({ session }) => ({ session }),
    },
    {
      path: [...inSession, "events.jsonl"],
      reading: { as: "document", load: async () => (await import("./session-notes.ts")).eventsFile },
      whose: ({ session }) => ({ session }),
    },
    {
      path: ["active_sessions.json"],
      reading: { as: "document", load: async () => (await import("./process-note.ts")).processNote },
      isNote: true,
    },
  ],
  planTool: planToolFrom([nativeTool]),
}
