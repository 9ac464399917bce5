/** oh-my-pi: servers in a separate file. Its settings are YAML, which only its own command should change. */
import { join } from "node:path"
import type { AgentSettings, ConfigFile, Scope, Where } from "../../bridges/setup/agent-settings.ts"
import { fullPath } from "../../home/paths/full-path.ts"
import { firstThere, serverName, serverSetting, typedServer } from "../settings-shapes.ts"

const folder = ({ env, home }: Where): string =>
  fullPath(env.PI_CODING_AGENT_DIR) ?? join(home, env.PI_CONFIG_DIR || ".omp", "agent")

const servers = (where: Where, scope: Scope): ConfigFile => {
  const root = scope === "project" ? join(where.project, ".omp") : folder(where)
  const path = join(root, "mcp.json")
  return firstThere([path, join(root, ".mcp.json"), path], "plain JSON")
}

/** Whether the block `todo:` contains `enabled: false`. The block ends before the first line that is not indented. */
const isSwitchedOff = (yaml: string): boolean => {
  const lines = yaml.split(/\r?\n/)
  const start = lines.findIndex((line) => /^todo:[ \t]*$/.test(line)) + 1
  if (start === 0) return false
  const block = lines.slice(start)
  const end = block.findIndex((line) => !/^[ \t]/.test(line))
  return (end < 0 ? block : block.slice(0, end)).some((line) => /^[ \t]+enabled:[ \t]*false\b/.test(line))
}

export const settings: AgentSettings = {
  homes: (where) => [folder(where)],
  server: (call, where, scope) => [serverSetting(servers(where, scope), ["mcpServers", serverName], call, typedServer)],
  native: {
    tools: ["todo"],
    state: ({ where, text }) => (isSwitchedOff(text(join(folder(where), "config.yml")) ?? "") ? "off" : "present"),
    byHand: { on: "omp config set todo.enabled true", off: "omp config set todo.enabled false" },
  },
}
