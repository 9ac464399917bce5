/** TOML: new tables go to the end, values change where they are, every other byte stays as it was. */
import { parse, TomlError } from "smol-toml"
import { HeadwayError } from "../../plan/headway-error.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { eolOf } from "./_json-style.ts"
import { type Change, withChanges } from "./_text-change.ts"
import { type Statement, statementsOf } from "./_toml-statements.ts"
import { assertShallow, type ConfigFormat, changed, type Edit, mostDepth, type Path, type Value } from "./edit.ts"

export const tomlText: ConfigFormat = {
  // A table that is only named on the way to others goes with the last of them, and so does a list of tables.
  dropsEmpty: true,
  parse(text) {
    const root = parsed(text)
    assertShallow(root)
    return root
  },
  edit(text, edit) {
    const statements = statementsOf(text)
    const inside = statements.find(({ kind, path }) => kind === "pair" && isWithin(edit.path, path))
    if (inside && (edit.type !== "remove" || inside.path.length < edit.path.length)) {
      return withChanges(text, [insideValue(text, inside, edit)])
    }
    if (edit.type === "remove") return withChanges(text, removal(text, statements, edit.path))
    if (edit.type === "add" && isRecord(edit.value)) return appended(text, listBlock(edit.path, edit.value))
    if (edit.type === "add") return setTable(text, statements, edit.path, [edit.value])
    return setTable(text, statements, edit.path, edit.value)
  },
}

const parsed = (text: string): Record<string, unknown> => {
  try {
    return parse(text, { integersAsBigInt: "asNeeded", maxDepth: mostDepth })
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause
    const [first = "", second = ""] = cause.message.split("\n")
    const what = first.replace(/^Invalid TOML document: /, "") || second
    throw new HeadwayError(
      "invalid-config",
      `It is not valid TOML: ${what} at line ${cause.line}, column ${cause.column}.`,
      { cause },
    )
  }
}

/** Whether a path is another one or leads on from it. */
const isWithin = (path: Path, outer: Path): boolean => outer.every((key, index) => path[index] === key)

/** A list or a table in one line, or a plain value: printed again with what changed in it. */
const insideValue = (text: string, { path, value }: Statement, edit: Edit): Change => {
  const below = edit.path.slice(path.length)
  if (edit.type === "set" && below.length === 0) return { ...value, text: inline(edit.value) }
  const holder = parse(`value = ${text.slice(value.from, value.to)}`, { integersAsBigInt: true, maxDepth: mostDepth })
  const own = edit.type === "remove" ? edit : { ...edit, value: asParsed(edit.value) as Value }
  changed(holder, { ...own, path: ["value", ...below] })
  return { ...value, text: inlineParsed(holder.value) }
}

/** A value of ours as the parser would say it, which tells whole numbers from those with a point. */
const asParsed = (value: unknown): unknown => {
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value)
  if (Array.isArray(value)) return value.map(asParsed)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asParsed(one)]))
}

/** Whole statements go, and the blank lines that set a table apart from what is before it. */
const removal = (text: string, statements: readonly Statement[], path: Path): Change[] =>
  statements
    .filter((one) => isWithin(one.path, path))
    .map(({ kind, from, to }) => {
      return { from: kind === "pair" ? from : startOfBlank(text, from), to, text: "" }
    })

/** Where the blank lines before a line begin. */
const startOfBlank = (text: string, line: number): number => {
  let at = line
  while (at > 0) {
    const before = at === 1 ? 0 : text.lastIndexOf("\n", at - 2) + 1
    if (text.slice(before, at).trim() !== "") return at
    at = before
  }
  return at
}

const setTable = (text: string, statements: readonly Statement[], path: Path, value: Value): string => {
  if (isRecord(value)) {
    const isThere = statements.some((one) => isWithin(one.path, path))
    if (!isThere) return appended(text, tableBlock(path, value as Record<string, Value>))
    return Object.entries(value).reduce(
      (now, [key, one]) => tomlText.edit(now, { type: "set", path: [...path, key], value: one as Value }),
      text,
    )
  }
  const [table, key] = [path.slice(0, -1), String(path.at(-1) ?? "")]
  const header = statements.findLast(({ kind, path: own }) => kind !== "pair" && isSamePath(own, table))
  if (!header) return appended(text, tableBlock(table, { [key]: value }))
  const next = statements.slice(statements.indexOf(header) + 1)
  const end = next.findIndex(({ kind }) => kind !== "pair")
  const at = (end < 0 ? next : next.slice(0, end)).at(-1)?.to ?? header.to
  const eol = eolOf(text)
  const isOpen = !text.slice(0, at).endsWith("\n")
  return withChanges(text, [{ from: at, to: at, text: `${isOpen ? eol : ""}${keyText(key)} = ${inline(value)}${eol}` }])
}

const isSamePath = (one: Path, other: Path): boolean => one.length === other.length && isWithin(one, other)

/** At the end of the text, one blank line apart. */
const appended = (text: string, block: string): string => {
  const eol = eolOf(text)
  const gap = text === "" ? "" : text.endsWith("\n") ? eol : `${eol}${eol}`
  return `${text}${gap}${block.replaceAll("\n", eol)}`
}

const header = (path: Path): string =>
  path
    .filter((key) => typeof key === "string")
    .map(keyText)
    .join(".")

const tableBlock = (path: Path, table: Record<string, Value>): string => `[${header(path)}]\n${bodyOf(path, table)}`

const listBlock = (path: Path, value: Value): string =>
  `[[${header(path)}]]\n${isRecord(value) ? bodyOf(path, value as Record<string, Value>) : ""}`

/** Plain values first, then tables, which need a header. */
const bodyOf = (path: Path, table: Record<string, Value>): string => {
  const lines: string[] = []
  const blocks: string[] = []
  for (const [key, value] of Object.entries(table)) {
    if (isListOfTables(value)) blocks.push(...value.map((one) => `\n${listBlock([...path, key], one)}`))
    else if (isRecord(value)) blocks.push(`\n${tableBlock([...path, key], value as Record<string, Value>)}`)
    else lines.push(`${keyText(key)} = ${inline(value)}\n`)
  }
  return [...lines, ...blocks].join("")
}

const isListOfTables = (value: Value): value is readonly Value[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord)

const keyText = (key: string): string => (/^[\w-]+$/.test(key) ? key : stringText(key))

/** JSON's strings are TOML's, but for one control character. */
const stringText = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f")

const inline = (value: Value): string => inlineParsed(asParsed(value))

const inlineParsed = (value: unknown): string => {
  if (typeof value === "string") return stringText(value)
  if (typeof value === "number") return floatText(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `[${value.map(inlineParsed).join(", ")}]`
  if (!isRecord(value)) return String(value)
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${keyText(key)} = ${inlineParsed(one)}`)
    .join(", ")} }`
}

/** What has no point would be a whole number. */
const floatText = (value: number): string => {
  if (Object.is(value, -0)) return "-0.0"
  if (!Number.isFinite(value)) return String(value).replace("Infinity", "inf").toLowerCase()
  return /[.e]/.test(String(value)) ? String(value) : `${value}.0`
}
