/** JSON, with or without comments and trailing commas: changed where it must be, every other byte as it was. */
import {
  createScanner,
  type Node,
  type ParseError,
  type ParseOptions,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser"
import { HeadwayError } from "../../plan/headway-error.ts"
import { isDeeper, parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { indentAt, type JsonStyle, lineStart, printJson, restOfLine, styleOf } from "./_json-style.ts"
import { type Change, withChanges } from "./_text-change.ts"
import { type ConfigFormat, type Edit, mostDepth, type Path, tooDeep, type Value } from "./edit.ts"

const tolerant: ParseOptions = { allowTrailingComma: true }

/** In characters. Reading text that is not plain JSON costs a hundred times as much, and a repository may hold any. */
const longestTolerant = 2 << 20

export const jsonText: ConfigFormat = {
  parse(text) {
    if (text.trim() === "") return {}
    const plain = isDeeper(text, mostDepth) ? undefined : parseJson(text)
    if (isRecord(plain)) return plain
    if (text.length > longestTolerant) throw tooLong()
    assertShallow(text)
    const errors: ParseError[] = []
    const root = parseTree(text, errors, tolerant)
    const [first] = errors
    if (first) throw invalid(text, first)
    const value = root && valueIn(root)
    if (!isRecord(value)) throw new HeadwayError("invalid-config", "It is not an object, as a configuration must be.")
    return value
  },
  repeated(text, path) {
    let node = parseTree(text, [], tolerant)
    for (const key of path) {
      const same = node?.type === "object" ? membersOf(node, key) : []
      if (same.length > 1) {
        const lines = same.map(({ offset }) => lineAndColumn(text, offset).line).join(", ")
        return `The key "${key}" appears more than once in the same object (lines ${lines}), and only the last one counts. Keep one of them, then try again.`
      }
      node = node && childOf(node, key)
    }
    return undefined
  },
  edit(text, edit) {
    const full = text.trim() === "" ? `{}${text === "" ? "\n" : text}` : text
    const root = parseTree(full, [], tolerant)
    if (!root) return full
    return withChanges(full, changesFor(full, root, edit))
  },
}

/** Counted token by token, as the parser calls itself for each level and would run out of room. */
const assertShallow = (text: string): void => {
  const scanner = createScanner(text, true)
  let depth = 0
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const sign = text[scanner.getTokenOffset()]
    if (sign === "{" || sign === "[") depth += 1
    if (sign === "}" || sign === "]") depth -= 1
    if (depth > mostDepth) throw tooDeep()
  }
}

const tooLong = (): HeadwayError =>
  new HeadwayError(
    "invalid-config",
    `It is longer than ${longestTolerant >> 20} million characters, so it must be plain JSON of at most ${mostDepth} levels.`,
  )

/** As JSON.parse does: of a duplicate key the last one counts, and "__proto__" is a key like any other. */
const valueIn = (node: Node): unknown => {
  if (node.type === "array") return node.children?.map(valueIn) ?? []
  if (node.type !== "object") return node.value
  const members = node.children ?? []
  return Object.fromEntries(
    members.flatMap(({ children: [key, value] = [] }) => (key && value ? [[key.value, valueIn(value)]] : [])),
  )
}

/** The first thing in a text that plain JSON does not allow, and where it is; undefined when every parser can read it. */
export const beyondPlainJson = (text: string): { what: "comments" | "a trailing comma"; line: number } | undefined => {
  if (parseJson(text) !== undefined) return undefined
  const comments: ParseError[] = []
  parse(text, comments, { allowTrailingComma: true, disallowComments: true })
  const [comment] = comments
  if (comment) return { what: "comments", line: lineAndColumn(text, comment.offset).line }
  const commas: ParseError[] = []
  parse(text, commas, { allowTrailingComma: false })
  const [comma] = commas
  return comma && { what: "a trailing comma", line: lineAndColumn(text, comma.offset).line }
}

const invalid = (text: string, { error, offset }: ParseError): HeadwayError => {
  const { line, column } = lineAndColumn(text, offset)
  const words = printParseErrorCode(error)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
  return new HeadwayError("invalid-config", `It is not valid JSON: ${words} at line ${line}, column ${column}.`)
}

const lineAndColumn = (text: string, offset: number): { line: number; column: number } => {
  const before = text.slice(0, offset).split("\n")
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 }
}

const changesFor = (text: string, root: Node, edit: Edit): Change[] => {
  if (edit.type === "remove") return removal(text, root, edit.path)
  const style = styleOf(text)
  const { node, depth } = deepest(root, edit.path)
  const rest = edit.path.slice(depth)
  if (rest.length > 0) {
    const [key, ...below] = rest
    const value = wrapped(below, edit.type === "add" ? [edit.value] : edit.value)
    return insertion(text, node, key, value, style)
  }
  if (edit.type === "add") return insertion(text, node, undefined, edit.value, style)
  const shown = printJson(edit.value, { ...style, indent: indentAt(text, node.offset) })
  return [{ from: node.offset, to: endOf(node), text: shown }]
}

/** As far as the path leads. Of a key that occurs twice the last one counts, as for every parser. */
const deepest = (root: Node, path: Path): { node: Node; depth: number } => {
  let node = root
  for (const [depth, key] of path.entries()) {
    const child = childOf(node, key)
    if (!child) return { node, depth }
    node = child
  }
  return { node, depth: path.length }
}

const childOf = (node: Node, key: string | number): Node | undefined => {
  if (node.type === "array" && typeof key === "number") return node.children?.[key]
  return membersOf(node, key).at(-1)?.children?.[1]
}

const membersOf = (node: Node, key: string | number): Node[] =>
  node.children?.filter(({ children }) => children?.[0]?.value === key) ?? []

const wrapped = (keys: Path, value: Value): Value =>
  keys.reduceRight<Value>((inner, key) => ({ [String(key)]: inner }), value)

const endOf = ({ offset, length }: Node): number => offset + length

/** A new last member of an object or a list. A comma goes after the one before; a trailing comma stays the style. */
const insertion = (
  text: string,
  holder: Node,
  key: string | number | undefined,
  value: Value,
  style: JsonStyle,
): Change[] => {
  const member = (indent: string, isInline: boolean): string =>
    `${typeof key === "string" ? `${JSON.stringify(key)}:${style.isCompact ? "" : " "}` : ""}${printJson(value, { ...style, indent, isInline: isInline || style.isInline })}`
  const last = holder.children?.at(-1)
  if (!last) return intoEmpty(text, holder, member, style)
  const comma = commaAfter(text, endOf(last), endOf(holder) - 1)
  if (text.slice(lineStart(text, last.offset), last.offset).trim() !== "") {
    const separator = style.isCompact ? "," : ", "
    return [{ from: endOf(last), to: endOf(last), text: `${separator}${member("", true)}` }]
  }
  const indent = indentAt(text, last.offset)
  const behind = comma === undefined ? endOf(last) : comma + 1
  const at = behind + restOfLine(text.slice(behind, endOf(holder) - 1)).length
  const line = `${style.eol}${indent}${member(indent, false)}${comma === undefined ? "" : ","}`
  const needed = comma === undefined ? [{ from: endOf(last), to: endOf(last), text: "," }] : []
  return [...needed, { from: at, to: at, text: line }]
}

const intoEmpty = (
  text: string,
  holder: Node,
  member: (indent: string, isInline: boolean) => string,
  style: JsonStyle,
): Change[] => {
  const [from, to] = [holder.offset + 1, endOf(holder) - 1]
  const outer = indentAt(text, holder.offset)
  const inner = `${outer}${style.unit}`
  if (text.slice(from, to).trim() === "") {
    const shown = style.isInline ? member("", true) : `${style.eol}${inner}${member(inner, false)}${style.eol}${outer}`
    return [{ from, to, text: shown }]
  }
  // It holds a person's comments: they stay in front.
  const isAlone = text.slice(lineStart(text, to), to).trim() === ""
  const at = isAlone ? lineStart(text, to) : to
  return [{ from: at, to: at, text: isAlone ? `${inner}${member(inner, false)}${style.eol}` : `${member("", true)} ` }]
}

/** The position of the comma after a member, if there is one before the holder ends. */
const commaAfter = (text: string, from: number, end: number): number | undefined => {
  const scanner = createScanner(text, true)
  scanner.setPosition(from)
  scanner.scan()
  const at = scanner.getTokenOffset()
  return at < end && text[at] === "," ? at : undefined
}

const removal = (text: string, root: Node, path: Path): Change[] => {
  const { node, depth } = deepest(root, path)
  if (depth < path.length) return []
  const member = node.parent?.type === "property" ? node.parent : node
  const holder = member.parent
  const members = holder?.children ?? []
  if (!holder) return []
  const before = members[members.indexOf(member) - 1]
  const own = commaAfter(text, endOf(member), endOf(holder) - 1)
  const isJoined = own !== undefined && text.slice(endOf(member), own).trim() === ""
  const main = wholeLines(text, member.offset, isJoined ? own + 1 : endOf(member), endOf(holder) - 1)
  if (members.length === 1) return [emptied(text, holder, main)]
  const lone = own !== undefined && !isJoined ? own : undefined
  const comma = own === undefined && before ? commaAfter(text, endOf(before), member.offset) : lone
  if (comma === undefined) return [main]
  const isOneRun = main.from === member.offset && text.slice(comma + 1, member.offset).trim() === ""
  if (isOneRun && comma < member.offset) return [{ from: comma, to: endOf(member), text: "" }]
  return [{ from: comma, to: comma + 1, text: "" }, main]
}

/** A member that has its lines for itself takes them along; else the space that kept it apart. */
const wholeLines = (text: string, from: number, to: number, end: number): Change => {
  const start = lineStart(text, from)
  const newline = text.indexOf("\n", to)
  const isAlone = text.slice(start, from).trim() === "" && newline >= 0 && newline < end
  if (isAlone && text.slice(to, newline).trim() === "") return { from: start, to: newline + 1, text: "" }
  const space = /^[ \t]*/.exec(text.slice(to, end))?.[0].length ?? 0
  return { from, to: to + space, text: "" }
}

/** Nothing is left in it: no lines either, unless they hold comments. */
const emptied = (text: string, holder: Node, main: Change): Change => {
  const [from, to] = [holder.offset + 1, endOf(holder) - 1]
  const left = `${text.slice(from, main.from)}${text.slice(Math.min(main.to, to), to)}`
  return left.trim() === "" ? { from, to, text: "" } : main
}
