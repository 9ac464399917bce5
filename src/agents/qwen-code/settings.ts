/** Qwen Code: servers, hooks and switches in one settings file, of the person or of the project. */
import { join } from "node:path"
import type { AgentSettings, ConfigFile, Known, NativeState, Scope, Where } from "../../bridges/setup/agent-settings.ts"
import {
  extensionPlace,
  hookSettings,
  offByServerLists,
  serverName,
  switchedTool,
  trustedServerSetting,
} from "../settings-shapes.ts"
import { isAtLeast } from "../version.ts"

const settingsFile = (where: Where, scope: Scope): ConfigFile => ({
  path: join(scope === "project" ? where.project : where.home, ".qwen", "settings.json"),
  reads: "JSON with comments",
})

/** Whether the list tool is on by default. */
const offered = ({ version }: Known["about"]): NativeState =>
  // Off since an unknown version; off at least since this one.
  version !== undefined && isAtLeast(version, "0.24.4") ? "off" : "unknown"

export const settings: AgentSettings = {
  homes: ({ home }) => [join(home, ".qwen")],
  // Without `alwaysLoadTools`, the model would have to search for our tool.
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
  native: switchedTool("todo_write", {
    file: settingsFile,
    path: ["tools", "todoWrite", "enabled"],
    byDefault: offered,
  }),
  hooksOff: (where, scope) => ({ file: settingsFile(where, scope), path: ["disableAllHooks"], value: true }),
  offHere: ({ where, read }) => offByServerLists([settingsFile(where, "project"), settingsFile(where, "user")], read),
}
