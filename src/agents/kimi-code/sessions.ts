/** Kimi Code: one folder per session, in a folder per workspace, with one file per agent and one for the title. */
import { join } from "node:path"
import { fullPath } from "../../home/paths/full-path.ts"
import type { Source } from "../../sessions/source.ts"
import { planToolFrom } from "../plan-tool.ts"
import { nativeTool } from "./_tools.ts"

const ofSession = ["sessions", /^(?<project>.+)$/, /^(?<session>.+)$/]
const inSession = [...ofSession, "agents"]

export const sessions: Source = {
  agentType: "kimi-code",
  homes: ({ KIMI_CODE_HOME }, home) => [fullPath(KIMI_CODE_HOME) ?? join(home, ".kimi-code")],
  below: { home: [".kimi-code"], folder: ["."] },
  places: [
    {
      path: [...inSession, "main", "wire.jsonl"],
      reading: { as: "lines", stream: "kimi-session" },
      whose: ({ session, project }) => ({ session, project }),
    },
    {
      path: [...inSession, /^(?!main$)(?<agent>.+)$/, "wire.jsonl"],
      reading: { as: "lines", stream: "kimi-session" },
      whose: ({ session, agent, project }) => ({ session, agent, project }),
    },
    {
      path: [...ofSession, "state.json"],
      reading: { as: "document", load: async () => (await import("./state-file.ts")).stateFile },
      whose: ({ session, project }) => ({ session, project }),
    },
  ],
  planTool: planToolFrom([nativeTool]),
  projects: {
    file: "workspaces.json",
    read: (text) => {
      const { workspaces } = JSON.parse(text) as { workspaces?: Record<string, { root?: unknown }> }
      return Object.fromEntries(Object.entries(workspaces ?? {}).map(([label, { root }]) => [label, String(root)]))
    },
  },
}
