/** Finds our entries in an agent's configuration: all that call Headway, or seem to. `entry-faults.ts` distinguishes these. */
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { type Path, valueAt } from "../config/edit.ts"
import type { Setting } from "./agent-settings.ts"
import { mentionsCall, wordsOf } from "./launcher.ts"

type Root = Record<string, unknown>

/** The path of a setting, whether it exists or not; in a list of servers, the place of ours, or the end of the list. */
export const placeOf = (setting: Setting, root: Root): Path => {
  const { kind, path, value } = setting
  const nameKey = kind === "server" ? setting.nameKey : undefined
  if (kind !== "server" || nameKey === undefined) return path
  const there = valueAt(root, path)
  const list: unknown[] = Array.isArray(there) ? there : []
  const at = list.findIndex((one) => isRecord(one) && one[nameKey] === value[nameKey])
  return [...path, at < 0 ? list.length : at]
}

/** The address of our server where the agent asks one that runs; undefined for any other server. */
export const serverAddress = (server: unknown): string | undefined => {
  const address = isRecord(server) ? (server.httpUrl ?? server.url) : undefined
  return typeof address === "string" && /^http:\/\/127\.0\.0\.1:\d+\/mcp$/.test(address) ? address : undefined
}

/** Whether a server is ours, started or asked. */
export const isOurServer = (server: unknown): boolean =>
  serverWords(server) !== undefined || serverAddress(server) !== undefined

/** The words of the call in our server's entry; undefined for a server that is not ours. */
export const serverWords = (server: unknown): readonly string[] | undefined => {
  if (!isRecord(server)) return undefined
  const words = [server.command, server.args].flat().filter((word) => typeof word === "string")
  return mentionsCall(words, "mcp") ? words : undefined
}

export type OurHook = {
  group: number
  hook: number
  command: string
  /** Leads from the list to the command. */
  at: Path
  /** Leads to everything that is removed with it if nothing else is there. */
  whole: Path
  /** The entry with the command, and the group with that entry. */
  entry: Root
  holder?: Root
}

/** Our hooks in a list of groups, or those of one event in a list of hooks that each name theirs. */
export const ourHooks = (list: unknown, event?: string): OurHook[] => {
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown, group): OurHook[] => {
    if (!isRecord(one)) return []
    const own = event === undefined || one.event === event ? ourCommand(one) : undefined
    if (own !== undefined) return [{ group, hook: 0, command: own, at: [group, "command"], whole: [group], entry: one }]
    const hooks: unknown[] = Array.isArray(one.hooks) ? one.hooks : []
    return hooks.flatMap((hook, index) => {
      const command = ourCommand(hook)
      if (command === undefined || !isRecord(hook)) return []
      const place = [group, "hooks", index]
      const whole = hooks.length === 1 ? [group] : place
      return [{ group, hook: index, command, at: [...place, "command"], whole, entry: hook, holder: one }]
    })
  })
}

const ourCommand = (hook: unknown): string | undefined => {
  const command = isRecord(hook) && typeof hook.command === "string" ? hook.command : ""
  return mentionsCall(wordsOf(command), "hook") ? command : undefined
}

/** The event that a hook names itself; undefined where its place does. */
export const eventNamedBy = ({ value }: Setting & { kind: "hook" }): string | undefined =>
  "event" in value ? value.event : undefined

/** The words that a program of ours calls at each event; undefined for a program that is not ours. */
export const programWords = (text: unknown): readonly string[] | undefined => {
  const line = programCall(text)
  const words = line === undefined ? [] : wordsOf(line)
  return mentionsCall(words, "hook") ? words : undefined
}

/** As set-up writes it and as the plugin itself has it, with nothing else in the line. */
const callsLine = /^const calls = \{ ?"?hook"?: ?("(?:\\.|[^"\\])*")(?:, server: \["headway", "mcp"\])? ?\}$/m

/** The command line that such a program calls. */
export const programCall = (text: unknown): string | undefined => {
  const [, quoted = ""] = typeof text === "string" ? (callsLine.exec(text) ?? []) : []
  const line = parseJson(quoted)
  return typeof line === "string" ? line : undefined
}

/** The program without what it calls, which differs from machine to machine. */
export const withoutCalls = (text: unknown): string => String(text).replace(callsLine, "")

export const isOurLine = (line: unknown): boolean =>
  isRecord(line) && typeof line.command === "string" && mentionsCall(wordsOf(line.command), "statusline")
