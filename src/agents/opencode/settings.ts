/** opencode: one configuration file under one of three names, and in place of hooks a folder of plugins. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { AgentSettings, ConfigFile, Scope, Setting, Where } from "../../bridges/setup/agent-settings.ts"
import { firstThere, serverName, serverSetting } from "../settings-shapes.ts"
import { isAtLeast } from "../version.ts"
import { pluginText } from "./_plugin.ts"

const folder = ({ env, home }: Where): string => join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode")

const config = (where: Where, scope: Scope): ConfigFile => {
  const root = scope === "project" ? where.project : folder(where)
  const names = scope === "project" ? ["opencode.jsonc"] : ["opencode.jsonc", "config.json"]
  const paths = [...names, "opencode.json"].map((name) => join(root, name)) as [string, ...string[]]
  return firstThere(paths, "JSON with comments and trailing commas")
}

const plugin = (where: Where, scope: Scope): ConfigFile => ({
  path: join(scope === "project" ? join(where.project, ".opencode") : folder(where), "plugin", "headway.js"),
  reads: "JavaScript",
})

/** A package of its own: of ours, opencode would also load what is for terminals. */
const ownPackage = `${serverName}-opencode`

const folderIn = (name: string): string => (name.startsWith("file://") ? fileURLToPath(name) : name)

const permission = (where: Where, scope: Scope, value: "allow" | "deny"): Setting[] => [
  { kind: "switch", file: config(where, scope), path: ["permission", "todowrite"], value },
]

export const settings: AgentSettings = {
  homes: (where) => [folder(where), join(where.env.XDG_DATA_HOME || join(where.home, ".local", "share"), "opencode")],
  server: (call, where, scope) => [
    serverSetting(config(where, scope), ["mcp", serverName], call, {
      started: (command, args) => ({ type: "local", command: [command, ...args], enabled: true }),
      // Without the last it would look for a way to sign in before it sends the header.
      asked: (url, headers) => ({ type: "remote", url, headers, enabled: true, oauth: false }),
    }),
  ],
  hooks: (command, where, scope) => [
    { kind: "program", file: plugin(where, scope), path: ["text"], value: pluginText(command) },
  ],
  isNeverHeld: true,
  plugin: {
    install: (repository) => [`opencode plugin ${repository}/plugins/opencode --global`],
    state: ({ where, read, text }) => {
      const list = read(config(where, "user"), "plugin")
      const names = Array.isArray(list) ? list.map((one: unknown) => String(Array.isArray(one) ? one[0] : one)) : []
      const isOurs = (name: string): boolean =>
        name.startsWith(ownPackage) ||
        (text(join(folderIn(name), "package.json"))?.includes(`"${ownPackage}"`) ?? false)
      return names.some(isOurs) ? "on" : "absent"
    },
  },
  native: {
    tools: ["todowrite"],
    state: ({ about, where, scope, read }) => {
      const file = config(where, scope)
      if (read(file, "permission", "todowrite") === "deny" || read(file, "tools", "todowrite") === false) return "off"
      return about.version !== undefined && isAtLeast(about.version, "2.0.0") ? "off" : "present"
    },
    on: (where, scope) => permission(where, scope, "allow"),
    off: (where, scope) => permission(where, scope, "deny"),
  },
}
