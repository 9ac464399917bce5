/** Cline: servers in a separate file, which is always the person's, never a project's. */
import { join } from "node:path"
import type { AgentSettings, ConfigFile, Where } from "../../bridges/setup/agent-settings.ts"
import { fullPath } from "../../home/paths/full-path.ts"
import { serverName, serverSetting } from "../settings-shapes.ts"

const folder = ({ env, home }: Where): string =>
  fullPath(env.CLINE_DATA_DIR) ?? join(fullPath(env.CLINE_DIR) ?? join(home, ".cline"), "data")

const servers = (where: Where): ConfigFile => ({
  path: fullPath(where.env.CLINE_MCP_SETTINGS_PATH) ?? join(folder(where), "settings", "cline_mcp_settings.json"),
  reads: "plain JSON",
})

export const settings: AgentSettings = {
  homes: (where) => [folder(where)],
  hasNoProjectFile: true,
  server: (call, where, scope) =>
    scope === "project"
      ? []
      : [
          serverSetting(servers(where), ["mcpServers", serverName], call, {
            started: (command, args) => ({ type: "stdio", command, args }),
            asked: (url, headers) => ({ type: "streamableHttp", url, headers }),
          }),
        ],
  native: {
    tools: ["team_task"],
    // Only sessions with a team have the tool, and the settings do not say which those are.
    state: () => "unknown",
    advice: { unknown: "Only the lead agent of a team has it." },
  },
}
