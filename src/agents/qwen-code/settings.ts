/** Qwen Code: servers, hooks and switches in one settings file, of the person or of the project. */
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
import { extensionPlace, hookSettings, offByServerLists, serverName, trustedServerSetting } from "../settings-shapes.ts"
import { isAtLeast } from "../version.ts"

const settingsFile = (where: Where, scope: Scope): ConfigFile => ({
  path: join(scope === "project" ? where.project : where.home, ".qwen", "settings.json"),
  reads: "JSON with comments",
})

const todoWrite = (where: Where, scope: Scope, value: boolean): Setting[] => [
  { kind: "switch", file: settingsFile(where, scope), path: ["tools", "todoWrite", "enabled"], value },
]

/** Whether it is on by default. */
const offered = ({ version }: Known["about"]): NativeState =>
  // Off since a version not known exactly: seen off in this one.
  version !== undefined && isAtLeast(version, "0.24.4") ? "off" : "unknown"

export const settings: AgentSettings = {
  homes: ({ home }) => [join(home, ".qwen")],
  // Otherwise the model would have to search for our tool.
  server: (call, where, scope) => [trustedServerSetting(settingsFile(where, scope), call, { alwaysLoadTools: true })],
  hooks: (command, where, scope) =>
    hookSettings(
      settingsFile(where, scope),
      command,
      {
        SessionStart: {},
        UserPromptSubmit: {},
        PreToolUse: { matcher: `^mcp__${serverName}__` },
        PostToolUse: { matcher: "*" },
        Stop: {},
        PermissionRequest: {},
        StopFailure: {},
        SessionEnd: {},
      },
      { name: "headway", timeout: 10 },
    ),
  plugin: extensionPlace("qwen", ".qwen", `:${serverName}`),
  native: {
    tools: ["todo_write"],
    state: ({ about, where, scope, read }) => {
      const enabled = read(settingsFile(where, scope), "tools", "todoWrite", "enabled")
      if (typeof enabled === "boolean") return enabled ? "present" : "off"
      return offered(about)
    },
    on: (where, scope) => todoWrite(where, scope, true),
    off: (where, scope) => todoWrite(where, scope, false),
  },
  hooksOff: (where, scope) => ({ file: settingsFile(where, scope), path: ["disableAllHooks"], value: true }),
  offHere: ({ where, read }) => offByServerLists([settingsFile(where, "project"), settingsFile(where, "user")], read),
}
