/** Gemini CLI: servers, hooks and switches in one settings file, of the person or of the project. */
import { join } from "node:path"
import type { AgentSettings, ConfigFile, Known, NativeState, Scope, Where } from "../../bridges/setup/agent-settings.ts"
import { extensionPlace, hookSettings, offByServerLists, serverName, trustedServerSetting } from "../settings-shapes.ts"

const settingsFile = (where: Where, scope: Scope): ConfigFile => ({
  path: join(scope === "project" ? where.project : where.home, ".gemini", "settings.json"),
  reads: "JSON with comments",
})

/** Whether the list tool is on by default. */
const offered = ({ model }: Known["about"]): NativeState =>
  model === undefined ? "unknown" : /gemini-2\b(?!.*preview)/.test(model) ? "present" : "off"

export const settings: AgentSettings = {
  homes: ({ home }) => [join(home, ".gemini")],
  server: (call, where, scope) => [trustedServerSetting(settingsFile(where, scope), call)],
  hooks: (command, where, scope) =>
    hookSettings(
      settingsFile(where, scope),
      command,
      {
        SessionStart: {},
        BeforeAgent: {},
        BeforeTool: { matcher: `mcp_${serverName}_.*` },
        AfterTool: { matcher: "*" },
        AfterAgent: {},
        Notification: {},
        SessionEnd: {},
      },
      { name: "headway", timeout: 10_000 },
    ),
  plugin: extensionPlace("gemini", ".gemini"),
  native: {
    tools: ["write_todos", "tracker_create_task"],
    state: ({ about, where, scope, read }) => {
      const file = settingsFile(where, scope)
      if (read(file, "experimental", "taskTracker") === true) return "present"
      if (read(file, "useWriteTodos") === false) return "off"
      return offered(about)
    },
    on: (where, scope) => [
      { kind: "switch", file: settingsFile(where, scope), path: ["experimental", "taskTracker"], value: true },
    ],
    off: (where, scope) => [
      { kind: "switch", file: settingsFile(where, scope), path: ["useWriteTodos"], value: false },
      { kind: "switch", file: settingsFile(where, scope), path: ["experimental", "taskTracker"], value: false },
    ],
    advice: { unknown: "It depends on the model: write_todos is offered to Gemini 2 models only." },
  },
  hooksOff: (where, scope) => ({ file: settingsFile(where, scope), path: ["hooksConfig", "enabled"], value: false }),
  offHere: ({ where, read }) => offByServerLists([settingsFile(where, "project"), settingsFile(where, "user")], read),
  afterwards: {
    user: "Gemini CLI starts no server and no hook in a folder you do not trust.",
    project: "Gemini CLI reads the project's settings only in folders you trust.",
  },
}
