/** Turns one of our settings into edits that add or remove it, and checks whether it is present. */
import { HeadwayError } from "../../plan/headway-error.ts"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { type Edit, isContainer, isSame, type Path, settingNameOf, type Value, valueAt } from "../config/edit.ts"
import type { Setting } from "./agent-settings.ts"
import { ourLauncher, wordsOf } from "./launcher.ts"
import type { NotedValue } from "./record.ts"

type Root = Record<string, unknown>

/** Empty if it is already correct. Settings that are not ours are never silently overwritten. */
export const editsToSet = (setting: Setting, root: Root): Edit[] => {
  const { path } = setting
  const there = valueAt(root, placeOf(setting, root))
  switch (setting.kind) {
    case "server":
      return serverEdits(setting, placeOf(setting, root), there)
    case "hook":
      return hookEdits(setting, there)
    case "program":
      return programEdits(setting, there)
    case "line":
      return isRecord(there) && there.command === setting.value.command
        ? []
        : [{ type: "set", path, value: setting.value }]
    case "switch":
      return isSame(there, setting.value) ? [] : [{ type: "set", path, value: setting.value }]
    case "trace":
      return []
    case "listed":
      return listOf(there, path).includes(setting.value) ? [] : [{ type: "add", path, value: setting.value }]
  }
}

/** Where a setting stands or would stand; in a list of servers the place of the one with our name, or behind the last one. */
export const placeOf = (setting: Setting, root: Root): Path => {
  const { kind, path, value } = setting
  const nameKey = kind === "server" ? setting.nameKey : undefined
  if (kind !== "server" || nameKey === undefined) return path
  const there = valueAt(root, path)
  const list: unknown[] = Array.isArray(there) ? there : []
  const at = list.findIndex((one) => isRecord(one) && one[nameKey] === value[nameKey])
  return [...path, at < 0 ? list.length : at]
}

type ServerSetting = Setting & { kind: "server" }

const serverEdits = ({ value, without = [], ...setting }: ServerSetting, path: Path, there: unknown): Edit[] => {
  if (there === undefined)
    return [setting.nameKey === undefined ? { type: "set", path, value } : { type: "add", path: setting.path, value }]
  if (!isRecord(there) || !isOurServer(there)) {
    throw new HeadwayError(
      "foreign-server",
      `${settingNameOf(setting.nameKey === undefined ? path : [...setting.path, String(value[setting.nameKey])])} already exists and is not Headway's. Rename it, or set Headway up with --no-mcp.`,
    )
  }
  // Additions by the person are kept; our command is always updated.
  const wanted = Object.entries(value).filter(([key, one]) =>
    callKeys.includes(key) ? !isSame(there[key], one) : there[key] === undefined,
  )
  return [
    ...wanted.map(([key, one]): Edit => ({ type: "set", path: [...path, key], value: one })),
    ...without.filter((key) => there[key] !== undefined).map((key): Edit => ({ type: "remove", path: [...path, key] })),
  ]
}

/** What says how our server is reached, in any agent's words. */
const callKeys = ["type", "command", "args", "url", "httpUrl", "headers", "http_headers", "requestOptions", "oauth"]

/** The address of our server where the agent asks one that runs; undefined for any other server. */
export const serverAddress = (server: unknown): string | undefined => {
  const address = isRecord(server) ? (server.httpUrl ?? server.url) : undefined
  return typeof address === "string" && /^http:\/\/127\.0\.0\.1:\d+\/mcp$/.test(address) ? address : undefined
}

/** Whether a server is ours, started or asked. */
export const isOurServer = (server: unknown): boolean =>
  serverWords(server) !== undefined || serverAddress(server) !== undefined

/** The words of our server's call; undefined for a server that is not ours. */
export const serverWords = (server: unknown): readonly string[] | undefined => {
  if (!isRecord(server)) return undefined
  const words = [server.command, server.args].flat().filter((word) => typeof word === "string")
  return ourLauncher(words, "mcp") ? words : undefined
}

/** `at` leads from the list to the command, `whole` to all that goes with it when there is nothing else beside it. */
export type OurHook = { group: number; hook: number; command: string; at: Path; whole: Path }

/** Our hooks in a list of groups, or those of one event in a list of hooks that each name theirs. */
export const ourHooks = (list: unknown, event?: string): OurHook[] => {
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown, group): OurHook[] => {
    if (!isRecord(one)) return []
    const own = event === undefined || one.event === event ? ourCommand(one) : undefined
    if (own !== undefined) return [{ group, hook: 0, command: own, at: [group, "command"], whole: [group] }]
    const hooks: unknown[] = Array.isArray(one.hooks) ? one.hooks : []
    return hooks.flatMap((hook, index) => {
      const command = ourCommand(hook)
      if (command === undefined) return []
      const place = [group, "hooks", index]
      return [{ group, hook: index, command, at: [...place, "command"], whole: hooks.length === 1 ? [group] : place }]
    })
  })
}

const ourCommand = (hook: unknown): string | undefined => {
  const command = isRecord(hook) && typeof hook.command === "string" ? hook.command : ""
  return ourLauncher(wordsOf(command), "hook") ? command : undefined
}

/** The event that a hook names itself; undefined where its place does. */
export const eventNamedBy = ({ value }: Setting & { kind: "hook" }): string | undefined =>
  "event" in value ? value.event : undefined

const hookEdits = (setting: Setting & { kind: "hook" }, there: unknown): Edit[] => {
  const { path, value } = setting
  const wanted = "event" in value ? value.command : (value.hooks[0]?.command ?? "")
  const ours = ourHooks(there === undefined ? [] : listOf(there, path), eventNamedBy(setting))
  if (ours.length === 0) return [{ type: "add", path, value }]
  return ours.flatMap(({ at, command }): Edit[] =>
    command === wanted ? [] : [{ type: "set", path: [...path, ...at], value: wanted }],
  )
}

const programEdits = ({ path, value }: Setting & { kind: "program" }, there: unknown): Edit[] => {
  if (there === value) return []
  if (there === undefined || programWords(there) !== undefined) return [{ type: "set", path, value }]
  throw new HeadwayError("foreign-program", "A file of that name exists already and is not Headway's. Rename it.")
}

/** The words that a program of ours calls at each event; undefined for a program that is not ours. */
export const programWords = (text: unknown): readonly string[] | undefined => {
  const [, quoted = ""] =
    typeof text === "string" ? (/^const calls = \{ ?"?hook"?: ?("(?:\\.|[^"\\])*")/m.exec(text) ?? []) : []
  const line = parseJson(quoted)
  const words = typeof line === "string" ? wordsOf(line) : []
  return ourLauncher(words, "hook") ? words : undefined
}

const listOf = (value: unknown, path: Path): unknown[] => {
  if (value === undefined) return []
  if (Array.isArray(value)) return value
  throw new HeadwayError("unexpected-config", `${settingNameOf(path)} is not a list, where a list was expected.`)
}

export const isOurLine = (line: unknown): boolean =>
  isRecord(line) && typeof line.command === "string" && ourLauncher(wordsOf(line.command), "statusline") !== undefined

/** What takes our part out again. A value in the agent's own words goes only if we noted that we put it there. */
export const editsToRemove = (setting: Setting, root: Root, noted: readonly NotedValue[]): Edit[] => {
  const { path } = setting
  const place = placeOf(setting, root)
  const there = valueAt(root, place)
  const note = noted.find((one) => isSame(one.path, path) && isSame(one.value, setting.value))
  switch (setting.kind) {
    case "server":
      return isOurServer(there) ? [{ type: "remove", path: place }] : []
    case "hook":
      // From behind, so that the places of those before stay true.
      return ourHooks(there, eventNamedBy(setting))
        .toReversed()
        .map(({ whole }) => ({ type: "remove", path: [...path, ...whole] }))
    case "program":
      return programWords(there) ? [{ type: "remove", path }] : []
    case "line":
      return isOurLine(there)
        ? [
            asBefore(
              path,
              noted.find((one) => isSame(one.path, path)),
            ),
          ]
        : []
    case "switch":
      return note && isSame(there, setting.value) ? [asBefore(path, note)] : []
    case "trace":
      return there === undefined ? [] : [{ type: "remove", path }]
    case "listed": {
      const at = Array.isArray(there) ? there.indexOf(setting.value) : -1
      return note && at >= 0 ? [{ type: "remove", path: [...path, at] }] : []
    }
  }
}

const asBefore = (path: Path, note: NotedValue | undefined): Edit =>
  note?.before === undefined ? { type: "remove", path } : { type: "set", path, value: note.before }

/** Whether a value can be noted as JSON and read back as the same: TOML has dates, large numbers and no number at all. */
const isPlain = (value: unknown): boolean => {
  if (typeof value === "number") return Number.isFinite(value)
  if (!isContainer(value)) return typeof value !== "bigint"
  return !(value instanceof Date) && Object.values(value).every(isPlain)
}

/** What must be remembered of a setting to take it back later. */
export const noteOf = (setting: Setting, root: Root): NotedValue[] => {
  const { kind, path, value } = setting
  if (kind === "server" || kind === "hook" || kind === "program" || kind === "trace") return []
  if (kind === "listed") return [{ path, value, isListed: true }]
  const before = valueAt(root, path)
  // An earlier status line of ours is not restored.
  if (kind === "line" && isOurLine(before)) return []
  if (!isPlain(before)) {
    throw new HeadwayError(
      "unexpected-config",
      `${settingNameOf(path)} holds a date, or a number that JSON cannot express, and could not be put back. Change it by hand.`,
    )
  }
  return [{ path, value, ...(before === undefined ? {} : { before: before as Value }) }]
}
