/** Copilot CLI: servers in a separate file, hooks in a file of ours in the folder of hooks. */
import { join } from "node:path"
import type { AgentSettings, ConfigFile, Scope, Where } from "../../bridges/setup/agent-settings.ts"
import { fullPath } from "../../home/paths/full-path.ts"
import { hookSettings, serverName, serverSetting } from "../settings-shapes.ts"

const folder = ({ env, home }: Where): string => fullPath(env.COPILOT_HOME) ?? join(home, ".copilot")

const servers = (where: Where, scope: Scope): ConfigFile => ({
  path: scope === "project" ? join(where.project, ".github", "mcp.json") : join(folder(where), "mcp-config.json"),
  reads: "plain JSON",
})

const hooksFile = (where: Where, scope: Scope): ConfigFile => ({
  path: join(scope === "project" ? join(where.project, ".github") : folder(where), "hooks", "headway.json"),
  reads: "plain JSON",
})

export const settings: AgentSettings = {
  homes: (where) => [folder(where)],
  server: (call, where, scope) => [
    serverSetting(
      servers(where, scope),
      ["mcpServers", serverName],
      call,
      {
        started: (command, args) => ({ type: "local", command, args }),
        asked: (url, headers) => ({ type: "http", url, headers }),
      },
      { value: { tools: ["*"] } },
    ),
  ],
  hooks: (command, where, scope) =>
    hookSettings(
      hooksFile(where, scope),
      command,
      {
        SessionStart: {},
        UserPromptSubmit: {},
        PreToolUse: { matcher: `${serverName}-.*` },
        PostToolUse: {},
        Stop: {},
      },
      { timeout: 10 },
    ),
  native: { tools: ["sql"], state: () => "present" },
  afterwards: {
    project: "Copilot CLI runs a project's servers and hooks only in folders you trust, and asks when you open one.",
  },
}
