/** Claude Code: servers in its state file, hooks and switches in its settings; a project has a file for each. */
import { join } from "node:path"
import type {
  AgentSettings,
  ConfigFile,
  Known,
  NativeState,
  Scope,
  Setting,
  Where,
} from "../../bridges/setup/agent-settings.ts"
import { fullPath } from "../../home/paths/full-path.ts"
import { hookSettings, isOn, pluginListed, serverName, serverSetting, typedServer } from "../settings-shapes.ts"
import { isAtLeast } from "../version.ts"

const folder = ({ env, home }: Where): string => fullPath(env.CLAUDE_CONFIG_DIR) ?? join(home, ".claude")

const servers = (where: Where, scope: Scope): ConfigFile => ({
  path:
    scope === "project"
      ? join(where.project, ".mcp.json")
      : join(fullPath(where.env.CLAUDE_CONFIG_DIR) ?? where.home, ".claude.json"),
  reads: "plain JSON",
})

const settingsFile = (where: Where, scope: Scope): ConfigFile => ({
  path: join(scope === "project" ? join(where.project, ".claude") : folder(where), "settings.json"),
  reads: "plain JSON",
})

/** A person's own settings for one project. */
const localSettings = ({ project }: Where): ConfigFile => ({
  path: join(project, ".claude", "settings.local.json"),
  reads: "plain JSON",
})

/** The permission rule for all tools of our server. */
const wholeServer = `mcp__${serverName}`

const tools = ["TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "TodoWrite"] as const

const listed = (file: ConfigFile, list: "allow" | "deny", value: string): Setting => ({
  kind: "listed",
  file,
  path: ["permissions", list],
  value,
})

type List = { file: ConfigFile; path: string[]; value: string }

/** The lists that switch our server off here if they contain it. */
const offLists = (where: Where, scope: Scope): List[] => {
  const all = [localSettings(where), settingsFile(where, "project"), settingsFile(where, "user")]
  return [
    ...all.map((file) => ({ file, path: ["permissions", "deny"], value: wholeServer })),
    // Servers that the person switched off with /mcp.
    { file: servers(where, "user"), path: ["projects", where.project, "disabledMcpServers"], value: serverName },
    // Servers of the project's file that the person has rejected.
    ...(scope === "project" ? all.map((file) => ({ file, path: ["disabledMcpjsonServers"], value: serverName })) : []),
  ]
}

/** The models that get the task tools by default, since the client depends on the model for this. */
const modelsWithTasks =
  /claude-3|claude-(?:opus-4(?:-[0-7])?|sonnet-4(?:-[0-6])?|haiku-4-5)(?:-\d{6,})?(?:\[.*\])?(?:@.*)?$/

/** Whether a session with this version and model gets the tools. */
const offered = ({ version, model }: Known["about"]): NativeState => {
  if (version === undefined) return "unknown"
  if (!isAtLeast(version, "2.1.233")) return "present"
  if (model === undefined) return "unknown"
  return modelsWithTasks.test(model) ? "present" : "off"
}

export const settings: AgentSettings = {
  homes: (where) => [folder(where), servers(where, "user").path],
  server: (call, where, scope) => [
    serverSetting(servers(where, scope), ["mcpServers", serverName], call, typedServer),
    ...(call.isTrusted ? [listed(settingsFile(where, scope), "allow", wholeServer)] : []),
  ],
  hooks: (command, where, scope) =>
    hookSettings(
      settingsFile(where, scope),
      command,
      {
        SessionStart: {},
        UserPromptSubmit: {},
        // If our plugin provides the server, the plugin's name precedes the server's.
        PreToolUse: { matcher: `mcp__(?:plugin_${serverName}_)?${serverName}__.*` },
        PostToolUse: { matcher: "*" },
        Stop: {},
      },
      { timeout: 10 },
    ),
  // A version that does not know one of these events runs no hooks at all.
  laterHooks: {
    since: "2.1.0",
    hooks: (command, where, scope) =>
      hookSettings(settingsFile(where, scope), command, { PermissionRequest: {}, SessionEnd: {} }, { timeout: 10 }),
  },
  // The first version in which this was tested and works. A check takes longer than any other hook.
  gateHooks: {
    since: "2.1.197",
    hooks: (command, where, scope) =>
      hookSettings(settingsFile(where, scope), command, { TaskCompleted: {} }, { timeout: 120 }),
  },
  statusLine: (command, where, scope) => [
    { kind: "line", file: settingsFile(where, scope), path: ["statusLine"], value: { type: "command", command } },
  ],
  plugin: {
    install: (repository) => [
      `claude plugin marketplace add ${repository}`,
      `claude plugin install ${serverName}@${serverName}`,
    ],
    state: ({ where, read }) => pluginListed(read(settingsFile(where, "user"), "enabledPlugins")),
  },
  native: {
    tools,
    state: ({ about, where, scope, read }) => {
      const file = settingsFile(where, scope)
      const denied = read(file, "permissions", "deny")
      if (Array.isArray(denied) && denied.some((name) => tools.includes(name))) return "off"
      const variable = (name: string): unknown => read(file, "env", name) ?? where.env[name]
      const isAsked = isOn(variable("CLAUDE_CODE_ENABLE_TODO_TOOLS"))
      const state = isAsked ? "present" : offered(about)
      const isOld = about.version !== undefined && !isAtLeast(about.version, "2.1.233")
      const search = variable("ENABLE_TOOL_SEARCH")
      const isSearched = !isOld && (search === undefined || isOn(search))
      return state === "present" && isSearched ? "deferred" : state
    },
    on: (where, scope) => [
      {
        kind: "switch",
        file: settingsFile(where, scope),
        path: ["env", "CLAUDE_CODE_ENABLE_TODO_TOOLS"],
        value: "1",
      },
    ],
    off: (where, scope) => tools.map((name) => listed(settingsFile(where, scope), "deny", name)),
    advice: {
      deferred: 'The model has to search for it; "ENABLE_TOOL_SEARCH": "0" in "env" puts every tool into each request.',
      unknown: "It depends on the model; newer ones are not offered it.",
    },
  },
  hooksOff: (where, scope) => ({ file: settingsFile(where, scope), path: ["disableAllHooks"], value: true }),
  offHere: ({ where, scope, read }) => {
    const here = [localSettings(where), settingsFile(where, "project")]
    // The nearest file with a setting for hooks decides. A server in any of the lists is off.
    const deciding = here.find((file) => read(file, "disableAllHooks") !== undefined)
    const isOff = deciding !== undefined && read(deciding, "disableAllHooks") === true
    const mcp = offLists(where, scope).find(({ file, path, value }) => {
      const names = read(file, ...path)
      return Array.isArray(names) && names.includes(value)
    })
    return {
      ...(isOff ? { hooks: { file: deciding, path: ["disableAllHooks"] } } : {}),
      ...(mcp ? { mcp } : {}),
    }
  },
  afterwards: {
    project: "Claude Code asks each person once whether they trust the project's server.",
  },
}
