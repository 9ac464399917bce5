/** Settings in formats that several agents share. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Path, Value } from "../bridges/config/edit.ts"
import type {
  ConfigFile,
  HookGroup,
  Known,
  Native,
  NativeState,
  OffHere,
  PluginPlace,
  PluginState,
  Reads,
  Scope,
  ServerCall,
  Setting,
  Where,
} from "../bridges/setup/agent-settings.ts"
import { serverName } from "./own-tool-name.ts"

export { serverName } from "./own-tool-name.ts"

type Server = Record<string, Value>

/** An agent's format for a server that it starts, and for one that it connects to. */
export type ServerWording = {
  started: (command: string, args: readonly string[]) => Server
  asked: (url: string, headers: Record<string, string>) => Server
}

/**
 * Our server in an agent's own format. Removes the keys of the other kind of connection, because having both is an
 * error.
 */
export const serverSetting = (
  file: ConfigFile,
  path: Path,
  { words: [command = "", ...args], http }: ServerCall,
  { started, asked }: ServerWording,
  more: { value?: Server; without?: readonly string[] } = {},
): Setting & { kind: "server" } => {
  const [start, ask] = [started(command, args), asked(http?.url ?? "", bearer(http?.token ?? ""))]
  const [one, other] = http ? [ask, start] : [start, ask]
  const without = [...Object.keys(other).filter((key) => !(key in one)), ...(more.without ?? [])]
  const value = { ...one, ...more.value }
  return { kind: "server", file, path, value, without, ...(http ? { isSecret: true } : {}) }
}

const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` })

/** The format most agents share. */
export const typedServer: ServerWording = {
  started: (command, args) => ({ type: "stdio", command, args }),
  asked: (url, headers) => ({ type: "http", url, headers }),
}

/** The format of Gemini CLI and its forks, with their key that lets a server's tools run without a permission. */
export const trustedServerSetting = (file: ConfigFile, call: ServerCall, more: Server = {}): Setting =>
  serverSetting(
    file,
    ["mcpServers", serverName],
    call,
    {
      started: (command, args) => ({ command, args }),
      asked: (url, headers) => ({ httpUrl: url, headers }),
    },
    call.isTrusted ? { value: { trust: true, ...more } } : { value: more, without: ["trust"] },
  )

/** One hook for each event, in the format most agents share. */
export const hookSettings = (
  file: ConfigFile,
  command: string,
  events: Readonly<Record<string, Pick<HookGroup, "matcher">>>,
  more: { timeout: number; name?: string },
): Setting[] =>
  Object.entries(events).map(([event, group]) => ({
    kind: "hook",
    file,
    path: ["hooks", event],
    value: { ...group, hooks: [{ type: "command", command, ...more }] },
  }))

/** A list tool that a value in a settings file turns on or off. Without that value, the version decides. */
export const switchedTool = (
  tool: string,
  switchedBy: {
    file: (where: Where, scope: Scope) => ConfigFile
    path: string[]
    byDefault: (about: Known["about"]) => NativeState
  },
): Native => {
  const { file, path, byDefault } = switchedBy
  const change = (where: Where, scope: Scope, value: boolean): Setting[] => [
    { kind: "switch", file: file(where, scope), path, value },
  ]
  return {
    tools: [tool],
    state: ({ about, where, scope, read }) => {
      const enabled = read(file(where, scope), ...path)
      if (typeof enabled === "boolean") return enabled ? "present" : "off"
      return byDefault(about)
    },
    on: (where, scope) => change(where, scope, true),
    off: (where, scope) => change(where, scope, false),
  }
}

/** The first of these files that exists, otherwise the last one. */
export const firstThere = (paths: readonly [string, ...string[]], reads: Reads): ConfigFile => ({
  path: paths.find((path) => existsSync(path)) ?? paths.at(-1) ?? paths[0],
  reads,
})

/** Whether an environment variable is set to anything but a word for "no". */
export const isOn = (value: unknown): boolean =>
  typeof value === "string" && value !== "" && !/^(?:0|false|no|off)$/i.test(value)

/** The state of our plugin in a table with keys such as `plugin@marketplace` and values that turn plugins on or off. */
export const pluginListed = (table: unknown): PluginState => {
  const own = Object.entries(table ?? {}).filter(([name]) => name.startsWith(`${serverName}@`))
  if (own.length === 0) return "absent"
  const isEnabled = (value: unknown): boolean =>
    value === true || (typeof value === "object" && value !== null && Reflect.get(value, "enabled") !== false)
  return own.some(([, value]) => isEnabled(value)) ? "on" : "off"
}

/**
 * Our extension in Gemini CLI and its forks: a folder, and a file that lists where it is switched off. `which` names
 * the extension for a fork that would treat the repository as a marketplace.
 */
export const extensionPlace = (program: string, folder: string, which = ""): PluginPlace => ({
  install: (repository) => [`${program} extensions install ${repository}${which}`],
  state: ({ where, read }) => {
    const extensions = join(where.home, folder, "extensions")
    if (!existsSync(join(extensions, serverName))) return "absent"
    const file: ConfigFile = { path: join(extensions, "extension-enablement.json"), reads: "plain JSON" }
    const rules = read(file, serverName, "overrides")
    // The last rule for the whole home decides.
    const whole = Array.isArray(rules) ? rules.map(String).filter((rule) => rule.endsWith(`${where.home}/*`)) : []
    return whole.at(-1)?.startsWith("!") ? "off" : "on"
  },
})

/**
 * Gemini CLI and its forks do not start a server that either file excludes, or that is missing from a list of allowed
 * servers.
 */
export const offByServerLists = (files: readonly ConfigFile[], read: Known["read"]): OffHere => {
  const isOff = (file: ConfigFile, list: string): boolean => {
    const names = read(file, "mcp", list)
    return Array.isArray(names) && names.includes(serverName) === (list === "excluded")
  }
  for (const file of files)
    for (const list of ["excluded", "allowed"]) if (isOff(file, list)) return { mcp: { file, path: ["mcp", list] } }
  return {}
}
