/** Kimi Code: servers in a JSON file of the person or the project; all hooks in one list in the person's TOML file. */
import { join } from "node:path"
import type { AgentSettings, Where } from "../../bridges/setup/agent-settings.ts"
import { fullPath } from "../../home/paths/full-path.ts"
import { serverName, serverSetting } from "../settings-shapes.ts"
import { nativeTool } from "./_tools.ts"

const folder = ({ env, home }: Where): string => fullPath(env.KIMI_CODE_HOME) ?? join(home, ".kimi-code")

export const settings: AgentSettings = {
  homes: (where) => [folder(where)],
  server: (call, where, scope) => {
    const root = scope === "project" ? join(where.project, ".kimi-code") : folder(where)
    return [
      serverSetting({ path: join(root, "mcp.json"), reads: "plain JSON" }, ["mcpServers", serverName], call, {
        started: (command, args) => ({ command, args }),
        asked: (url, headers) => ({ url, headers }),
      }),
    ]
  },
  hooks: (command, where, scope) => {
    if (scope === "project") return []
    const file = { path: join(folder(where), "config.toml"), reads: "TOML" } as const
    return [{ kind: "hook", file, path: ["hooks"], value: { event: "UserPromptSubmit", command, timeout: 10 } }]
  },
  hooksDo: "bring it your edits with your next prompt",
  isNeverHeld: true,
  native: { tools: [nativeTool], state: () => "present" },
  afterwards: {
    project: "Kimi Code starts a project's servers only in folders you trust, and asks when you open one.",
  },
}
