/** Gemini CLI: chat files by project, sub-agents in a folder named after their parent, tracker files by session. */
import { join } from "node:path"
import type { Source } from "../../sessions/source.ts"
import { planToolFrom } from "../plan-tool.ts"

export const sessions: Source = {
  agentType: "google-gemini",
  homes: (_, home) => [join(home, ".gemini")],
  below: { home: [".gemini"], folder: ["."] },
  places: [
    {
      // A file may lack its first line, the only one with the whole id: two processes that start together may overwrite
      // it.
      path: ["tmp", /^(?<project>.+)$/, "chats", /^session-(?:.*-)?(?<sessionStart>[^-]+)\.jsonl$/],
      reading: { as: "lines", stream: "gemini-chat" },
      whose: ({ project, sessionStart }) => ({ project, sessionStart }),
    },
    {
      // Older clients.
      path: ["tmp", /^(?<project>.+)$/, "chats", /^session-(?:.*-)?(?<sessionStart>[^-]+)\.json$/],
      reading: { as: "lines", stream: "gemini-document" },
      whose: ({ project, sessionStart }) => ({ project, sessionStart }),
    },
    {
      path: ["tmp", /^(?<project>.+)$/, "chats", /^(?<session>[^.]+)$/, /^(?<agent>.+)\.jsonl$/],
      reading: { as: "lines", stream: "gemini-chat" },
      whose: ({ session, agent, project }) => ({ session, agent, project }),
    },
    {
      path: ["tmp", /^(?<project>.+)$/, /^(?<session>[^.]+)$/, "tracker"],
      reading: { as: "folder", load: async () => (await import("./tracker-files.ts")).trackerFolder },
      whose: ({ session, project }) => ({ session, project }),
    },
  ],
  // A reply is first written without its calls, which follow when they have results.
  settlesAfter: 3_000,
  writesAfterAnswers: true,
  planTool: planToolFrom(["write_todos", "tracker_create_task"]),
  projects: {
    file: "projects.json",
    read: (text) => {
      const { projects } = JSON.parse(text) as { projects?: Record<string, unknown> }
      return Object.fromEntries(Object.entries(projects ?? {}).map(([folder, name]) => [String(name), folder]))
    },
  },
}
