/** Qwen Code: servers and switches in one settings file, of the person or of the project. */
import { join } from "node:path"
import type { Agent, ConfigFile, Scope, Setting, Where } from "../../bridges/setup/agent-settings.ts"
import { stateOf, trustedServerSetting } from "../settings-shapes.ts"
import { sources } from "../sources.ts"

const settings = (where: Where, scope: Scope): ConfigFile => ({
  path: join(scope === "project" ? where.project : where.home, ".qwen", "settings.json"),
  reads: "JSON with comments",
})

const todoWrite = (where: Where, scope: Scope, value: boolean): Setting[] => [
  { kind: "switch", file: settings(where, scope), path: ["tools", "todoWrite", "enabled"], value },
]

export const qwenCode: Agent = {
  id: "qwen-code",
  title: "Qwen Code",
  shortNames: ["qwen"],
  program: "qwen",
  packages: ["@qwen-code/qwen-code"],
  homes: ({ home }) => [join(home, ".qwen")],
  // Otherwise the model would have to search for our tool.
  server: (call, where, scope) => [trustedServerSetting(settings(where, scope), call, { alwaysLoadTools: true })],
  native: {
    tools: ["todo_write"],
    state: ({ about, where, scope, read }) => {
      const enabled = read(settings(where, scope), "tools", "todoWrite", "enabled")
      if (typeof enabled === "boolean") return enabled ? "present" : "off"
      return stateOf(sources["qwen-code"].planTool(about))
    },
    on: (where, scope) => todoWrite(where, scope, true),
    off: (where, scope) => todoWrite(where, scope, false),
  },
}
