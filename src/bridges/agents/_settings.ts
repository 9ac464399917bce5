/** Settings in the shapes several agents share, so that a row only says what is its own. */
import { existsSync } from "node:fs"
import type { PlanTool } from "../../streams/sources/source.ts"
import type { Value } from "../config/edit.ts"
import type { ConfigFile, HookGroup, NativeState, Reads, Setting } from "./agent.ts"

/** What our server is called everywhere. */
export const serverName = "headway"

/** A server as most agents write it: a command and its arguments. */
export const serverSetting = (
  file: ConfigFile,
  [command = "", ...args]: readonly string[],
  before: Record<string, Value> = {},
): Setting => ({ kind: "server", file, path: ["mcpServers", serverName], value: { ...before, command, args } })

/** The same, with the word some agents have for a server whose tools may be called without asking. */
export const trustedServerSetting = (
  file: ConfigFile,
  [command = "", ...args]: readonly string[],
  isTrusted: boolean,
  more: Record<string, Value> = {},
): Setting => {
  const path = ["mcpServers", serverName]
  if (!isTrusted) return { kind: "server", file, path, value: { command, args, ...more }, without: ["trust"] }
  return { kind: "server", file, path, value: { command, args, trust: true, ...more } }
}

/** One hook for each event, in the layout most agents have taken over. */
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

/** The first of these files that is there, else the last of them. */
export const firstThere = (paths: readonly [string, ...string[]], reads: Reads): ConfigFile => ({
  path: paths.find((path) => existsSync(path)) ?? paths.at(-1) ?? paths[0],
  reads,
})

/** Environment variables that switch something: set, and not to a word for no. */
export const isOn = (value: unknown): boolean =>
  typeof value === "string" && value !== "" && !/^(?:0|false|no|off)$/i.test(value)

/** What the sessions' source makes of version and model. */
export const stateOf = (tool: PlanTool): NativeState => (tool === "absent" ? "off" : tool)
