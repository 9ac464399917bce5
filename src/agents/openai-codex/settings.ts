/**
 * Codex: one TOML file. Hooks go to a separate JSON file if there already is one, because Codex warns about two places.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { AgentSettings, ConfigFile, Known, NativeState, Scope, Where } from "../../bridges/setup/agent-settings.ts"
import { fullPath } from "../../home/paths/full-path.ts"
import { foreignTextIn } from "../../home/reading/foreign-file.ts"
import { hookSettings, pluginListed, serverName, serverSetting, switchedTool } from "../settings-shapes.ts"
import { isAtLeast } from "../version.ts"

const folder = ({ env, home, project }: Where, scope: Scope): string =>
  scope === "project" ? join(project, ".codex") : (fullPath(env.CODEX_HOME) ?? join(home, ".codex"))

const config = (where: Where, scope: Scope): ConfigFile => ({
  path: join(folder(where, scope), "config.toml"),
  reads: "TOML",
})

/** Our hooks stay where they are, because hooks in two places would run twice. */
const hooksFile = (where: Where, scope: Scope): ConfigFile => {
  const own = config(where, scope)
  const path = join(folder(where, scope), "hooks.json")
  return existsSync(path) && !holdsOurs(own.path) ? { path, reads: "plain JSON" } : own
}

/** Whether the person has set `code_mode` to true or false, so that it cannot be a table with our setting. */
const isSwitched = ({ path }: ConfigFile): boolean =>
  /^[ \t]*(?:features\.)?code_mode[ \t]*=[ \t]*(?:true|false)\b/m.test(foreignTextIn(path) ?? "")

const holdsOurs = (path: string): boolean => foreignTextIn(path)?.includes("hook openai-codex") ?? false

/** Whether the list tool is on by default. */
const offered = ({ version }: Known["about"]): NativeState =>
  version === undefined ? "unknown" : isAtLeast(version, "0.152.0") ? "off" : "present"

export const settings: AgentSettings = {
  homes: (where) => [folder(where, "user")],
  server: (call, where, scope) => [
    serverSetting(config(where, scope), ["mcp_servers", serverName], call, {
      started: (command, args) => ({ command, args }),
      asked: (url, headers) => ({ url, http_headers: headers }),
    }),
  ],
  // Without this setting, models that call tools from programs do not see a server's tools. Codex before 0.142 does not
  // start
  // with it.
  inSight: {
    since: "0.142.0",
    settings: (where, scope) => {
      const file = config(where, scope)
      const path = ["features", "code_mode", "direct_only_tool_namespaces"]
      return isSwitched(file) ? [] : [{ kind: "listed", file, path, value: `mcp__${serverName}` }]
    },
  },
  hooks: (command, where, scope) =>
    hookSettings(
      hooksFile(where, scope),
      command,
      { SessionStart: {}, UserPromptSubmit: {}, PostToolUse: {}, Stop: {} },
      { timeout: 10 },
    ),
  // The first version in which both were tested and work. At the end of a session, Codex gives a hook three seconds.
  laterHooks: {
    since: "0.166.0",
    hooks: (command, where, scope) => [
      ...hookSettings(hooksFile(where, scope), command, { PermissionRequest: {} }, { timeout: 10 }),
      ...hookSettings(hooksFile(where, scope), command, { SessionEnd: {} }, { timeout: 3 }),
    ],
  },
  plugin: {
    install: (repository) => [
      `codex plugin marketplace add ${repository}`,
      `codex plugin add ${serverName}@${serverName}`,
    ],
    state: ({ where, read }) => pluginListed(read(config(where, "user"), "plugins")),
  },
  native: switchedTool("update_plan", {
    file: config,
    path: ["tools", "update_plan", "enabled"],
    byDefault: offered,
  }),
  hooksOff: (where, scope) => ({ file: config(where, scope), path: ["features", "hooks"], value: false }),
  hookTrust: (where, file, { event, group, hook }) => {
    const name = event.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase()
    return { file: config(where, "user"), path: ["hooks", "state", `${file.path}:${name}:${group}:${hook}`] }
  },
  afterwards: {
    user: "Codex runs no hook before you trust it: it asks at its next start, and /hooks shows them.",
    project: "Codex reads the project's configuration only in folders you trust, and asks before it runs its hooks.",
  },
}
