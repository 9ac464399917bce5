/** Grok: servers in a TOML file of the person or the project, and hooks in a file of ours in the folder of hooks. */
import { join } from "node:path"
import type { AgentSettings, Scope, Where } from "../../bridges/setup/agent-settings.ts"
import { fullPath } from "../../home/paths/full-path.ts"
import { hookSettings, serverName, serverSetting } from "../settings-shapes.ts"
import { nativeTool } from "./_calls.ts"

const folder = ({ env, home, project }: Where, scope: Scope): string =>
  scope === "project" ? join(project, ".grok") : (fullPath(env.GROK_HOME) ?? join(home, ".grok"))

export const settings: AgentSettings = {
  homes: (where) => [folder(where, "user")],
  server: (call, where, scope) => [
    serverSetting(
      { path: join(folder(where, scope), "config.toml"), reads: "TOML" },
      ["mcp_servers", serverName],
      call,
      {
        started: (command, args) => ({ command, args }),
        asked: (url, headers) => ({ url, headers }),
      },
    ),
  ],
  hooks: (command, where, scope) =>
    hookSettings(
      { path: join(folder(where, scope), "hooks", "headway.json"), reads: "plain JSON" },
      command,
      { Stop: {} },
      { timeout: 10 },
    ),
  hooksDo: "send it back to work that is left",
  native: { tools: [nativeTool], state: () => "present" },
  afterwards: {
    project: "Grok reads a project's servers and hooks only in folders you trust: /hooks-trust, or --trust.",
  },
}
