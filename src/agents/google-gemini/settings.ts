/** Gemini CLI: servers, hooks and switches in one settings file, of the person or of the project. */
import { join } from "node:path"
import type { Agent, ConfigFile, Scope, Where } from "../../bridges/setup/agent-settings.ts"
import { hookSettings, stateOf, trustedServerSetting } from "../settings-shapes.ts"
import { sources } from "../sources.ts"

const settings = (where: Where, scope: Scope): ConfigFile => ({
  path: join(scope === "project" ? where.project : where.home, ".gemini", "settings.json"),
  reads: "JSON with comments",
})

export const googleGemini: Agent = {
  id: "google-gemini",
  title: "Gemini CLI",
  shortNames: ["gemini"],
  program: "gemini",
  packages: ["@google/gemini-cli"],
  homes: ({ home }) => [join(home, ".gemini")],
  server: (call, where, scope) => [trustedServerSetting(settings(where, scope), call)],
  hooks: (command, where, scope) =>
    hookSettings(
      settings(where, scope),
      command,
      { SessionStart: {}, BeforeAgent: {}, AfterTool: { matcher: "*" }, AfterAgent: {} },
      { name: "headway", timeout: 10_000 },
    ),
  native: {
    tools: ["write_todos", "tracker_create_task"],
    state: ({ about, where, scope, read }) => {
      const file = settings(where, scope)
      if (read(file, "experimental", "taskTracker") === true) return "present"
      if (read(file, "useWriteTodos") === false) return "off"
      return stateOf(sources["google-gemini"].planTool(about))
    },
    on: (where, scope) => [
      { kind: "switch", file: settings(where, scope), path: ["experimental", "taskTracker"], value: true },
    ],
    off: (where, scope) => [
      { kind: "switch", file: settings(where, scope), path: ["useWriteTodos"], value: false },
      { kind: "switch", file: settings(where, scope), path: ["experimental", "taskTracker"], value: false },
    ],
    advice: { unknown: "It depends on the model: write_todos is offered to Gemini 2 models only." },
  },
  hooksOff: (where, scope) => ({ file: settings(where, scope), path: ["hooksConfig", "enabled"], value: false }),
  afterwards: {
    user: "Gemini CLI starts no server and no hook in a folder you do not trust.",
    project: "Gemini CLI reads the project's settings only in folders you trust.",
  },
}
