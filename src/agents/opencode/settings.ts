/** opencode: one configuration file with one of three names, and a folder of plugins instead of hooks. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { AgentSettings, ConfigFile, Scope, Setting, Where } from "../../bridges/setup/agent-settings.ts"
import { fullPath } from "../../home/paths/full-path.ts"
import { firstThere, serverName, serverSetting } from "../settings-shapes.ts"
import { isAtLeast } from "../version.ts"
import { pluginText } from "./_plugin.ts"

/** The names that a fork of opencode has changed. */
export type OpencodeNames = {
  /** The folder of its settings. */
  folder(where: Where): string
  /** The folder of its data. */
  data(where: Where): string
  /** The possible configuration files: the first one that exists is used, otherwise the last one. */
  configs(where: Where, scope: Scope): readonly [string, ...string[]]
  /** The folder in a project from which it loads plugins. */
  projectFolder: string
}

export const settingsWith = (names: OpencodeNames): AgentSettings => {
  const config = (where: Where, scope: Scope): ConfigFile => configOf(names, where, scope)
  const permission = (where: Where, scope: Scope, value: "allow" | "deny"): Setting[] => [
    { kind: "switch", file: config(where, scope), path: ["permission", "todowrite"], value },
  ]
  const plugin = (where: Where, scope: Scope): ConfigFile => {
    const root = scope === "project" ? join(where.project, names.projectFolder) : names.folder(where)
    return { path: join(root, "plugin", "headway.js"), reads: "JavaScript" }
  }
  return {
    homes: (where) => [names.folder(where), names.data(where)],
    server: (call, where, scope) => [
      serverSetting(config(where, scope), ["mcp", serverName], call, {
        started: (command, args) => ({ type: "local", command: [command, ...args], enabled: true }),
        // Without `oauth: false`, it would try to sign in before it sends the header.
        asked: (url, headers) => ({ type: "remote", url, headers, enabled: true, oauth: false }),
      }),
    ],
    hooks: (command, where, scope) => [
      { kind: "program", file: plugin(where, scope), path: ["text"], value: pluginText(command) },
    ],
    isNeverHeld: true,
    native: {
      tools: ["todowrite"],
      state: ({ where, scope, read }) => {
        const file = config(where, scope)
        const isOff = read(file, "permission", "todowrite") === "deny" || read(file, "tools", "todowrite") === false
        return isOff ? "off" : "present"
      },
      on: (where, scope) => permission(where, scope, "allow"),
      off: (where, scope) => permission(where, scope, "deny"),
    },
  }
}

const configOf = (names: OpencodeNames, where: Where, scope: Scope): ConfigFile =>
  firstThere(names.configs(where, scope), "JSON with comments and trailing commas")

/** A folder below the system's folder for settings or data. */
export const settingsFolder = ({ env, home }: Where, name: string): string =>
  join(fullPath(env.XDG_CONFIG_HOME) ?? join(home, ".config"), name)

export const dataFolder = ({ env, home }: Where, name: string): string =>
  join(fullPath(env.XDG_DATA_HOME) ?? join(home, ".local", "share"), name)

const opencode: OpencodeNames = {
  folder: (where) => settingsFolder(where, "opencode"),
  data: (where) => dataFolder(where, "opencode"),
  configs: (where, scope) => {
    const root = scope === "project" ? where.project : settingsFolder(where, "opencode")
    const first = scope === "project" ? [] : [join(root, "config.json")]
    return [join(root, "opencode.jsonc"), ...first, join(root, "opencode.json")]
  },
  projectFolder: ".opencode",
}

/** The plugin is a separate package, because opencode would also load the terminal parts of ours. */
const ownPackage = `${serverName}-opencode`

const folderIn = (name: string): string => (name.startsWith("file://") ? fileURLToPath(name) : name)

const shared = settingsWith(opencode)

export const settings: AgentSettings = {
  ...shared,
  plugin: {
    install: (repository) => [`opencode plugin ${repository}/plugins/opencode --global`],
    state: ({ where, read, text }) => {
      const list = read(configOf(opencode, where, "user"), "plugin")
      const names = Array.isArray(list) ? list.map((one: unknown) => String(Array.isArray(one) ? one[0] : one)) : []
      const isOurs = (name: string): boolean =>
        name.startsWith(ownPackage) ||
        (text(join(folderIn(name), "package.json"))?.includes(`"${ownPackage}"`) ?? false)
      return names.some(isOurs) ? "on" : "absent"
    },
  },
  native: {
    ...shared.native,
    // Version 2 has no list tool.
    state: (known) => {
      const { version } = known.about
      return version !== undefined && isAtLeast(version, "2.0.0") ? "off" : shared.native.state(known)
    },
  },
}
