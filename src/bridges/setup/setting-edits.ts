/** Turns one of our settings into edits that add or remove it, and checks whether it is present. */
import { HeadwayError } from "../../plan/headway-error.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { type Edit, isContainer, isSame, type Path, settingNameOf, type Value, valueAt } from "../config/edit.ts"
import type { Setting } from "./agent-settings.ts"
import { faultsIn, hookFault, serverFault, type Whose } from "./entry-faults.ts"
import { eventNamedBy, isOurLine, isOurServer, ourHooks, placeOf, programWords } from "./own-entries.ts"
import type { NotedValue } from "./record.ts"

type Root = Record<string, unknown>

/** Empty if it is already correct. Settings that are not ours are never silently overwritten. */
export const editsToSet = (setting: Setting, root: Root, whose: Whose): Edit[] => {
  const { path } = setting
  const there = valueAt(root, placeOf(setting, root))
  switch (setting.kind) {
    case "server":
      return serverEdits(setting, placeOf(setting, root), there, whose)
    case "hook":
      return hookEdits(setting, there, whose)
    case "program":
      return programEdits(setting, there)
    case "line":
      return isRecord(there) && there.command === setting.value.command && faultsIn(setting, root, whose).length === 0
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

type ServerSetting = Setting & { kind: "server" }

const serverEdits = (setting: ServerSetting, path: Path, there: unknown, whose: Whose): Edit[] => {
  const { value, without = [] } = setting
  const whole: Edit =
    setting.nameKey === undefined ? { type: "set", path, value } : { type: "add", path: setting.path, value }
  if (there === undefined) return [whole]
  if (!isRecord(there) || !isOurServer(there)) {
    throw new HeadwayError(
      "foreign-server",
      `${settingNameOf(setting.nameKey === undefined ? path : [...setting.path, String(value[setting.nameKey])])} already exists and is not Headway's. Rename it, or set Headway up with --no-mcp.`,
    )
  }
  // In a project's file, additions may be anyone's.
  if (whose.scope === "project" && serverFault(there, setting, whose) !== undefined)
    return [{ type: "remove", path }, whole]
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

const hookEdits = (setting: Setting & { kind: "hook" }, there: unknown, whose: Whose): Edit[] => {
  const { path, value } = setting
  const wanted = "event" in value ? value.command : (value.hooks[0]?.command ?? "")
  const found = ourHooks(there === undefined ? [] : listOf(there, path), eventNamedBy(setting))
  const foreign = whose.scope === "user" ? [] : found.filter((one) => hookFault(one, setting, whose) !== undefined)
  const ours = found.filter((one) => !foreign.includes(one))
  return [
    ...ours.flatMap(({ at, command }): Edit[] =>
      command === wanted ? [] : [{ type: "set", path: [...path, ...at], value: wanted }],
    ),
    // From the end, so that earlier positions stay valid.
    ...foreign.toReversed().map(({ whole }): Edit => ({ type: "remove", path: [...path, ...whole] })),
    ...(ours.length === 0 ? [{ type: "add" as const, path, value }] : []),
  ]
}

const programEdits = ({ path, value }: Setting & { kind: "program" }, there: unknown): Edit[] => {
  if (there === value) return []
  if (there === undefined || programWords(there) !== undefined) return [{ type: "set", path, value }]
  throw new HeadwayError("foreign-program", "A file of that name exists already and is not Headway's. Rename it.")
}

const listOf = (value: unknown, path: Path): unknown[] => {
  if (value === undefined) return []
  if (Array.isArray(value)) return value
  throw new HeadwayError("unexpected-config", `${settingNameOf(path)} is not a list, where a list was expected.`)
}

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
      // From the end, so that earlier positions stay valid.
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
