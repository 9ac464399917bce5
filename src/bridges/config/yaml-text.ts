/** YAML: entries are added and taken out as whole lines, values change where they are, every other byte stays as it was. */
import { type Document, isCollection, isMap, isSeq, LineCounter, type Node, parseAllDocuments } from "yaml"
import { HeadwayError } from "../../plan/headway-error.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { eolOf, lineStart } from "./_json-style.ts"
import { type Change, withChanges } from "./_text-change.ts"
import { assertShallow, type ConfigFormat, changed, type Edit, type Path, tooDeep, type Value } from "./edit.ts"

export const yamlText: ConfigFormat = {
  parse(text) {
    const document = documentOf(text)
    const value: unknown = within(() => document?.toJS()) ?? {}
    if (!isRecord(value)) throw new HeadwayError("invalid-config", "It is not an object, as a configuration must be.")
    assertShallow(value)
    return value
  },
  edit(text, edit) {
    const contents = documentOf(text)?.contents
    const change = isMap(contents)
      ? changeIn(text, contents, edit)
      : isEmpty(contents)
        ? addition(text, edit)
        : undefined
    return change ? withChanges(text, [change]) : text
  },
}

/** Undefined where there is none, as in a file of comments. */
const documentOf = (text: string): Document.Parsed | undefined => {
  if (text.length > longest)
    throw new HeadwayError(
      "invalid-config",
      `It has ${text.length} characters, and at most ${longest} are read. Make it shorter.`,
    )
  const lines = new LineCounter()
  // Made pretty, each error would have its surroundings, and a hostile file has thousands of errors.
  const options = { lineCounter: lines, prettyErrors: false }
  const [document, second] = within(() => [...parseAllDocuments(text, options)])
  const [error] = document?.errors ?? []
  if (!error && !second) return document
  const { line, col } = lines.linePos(error?.pos[0] ?? second?.range[0] ?? 0)
  const what = error?.message ?? "A second document begins"
  // The parser reports its own exhausted stack as if it stood in the text.
  if (/call stack/.test(what)) throw tooDeep()
  throw new HeadwayError("invalid-config", `It is not valid YAML: ${what} at line ${line}, column ${col}.`)
}

/** In characters. The parser compares each key of a map with all before it: more would take minutes. */
const longest = 256 * 1024

/** Deep nesting exhausts the stack, and a few aliases of each other can expand to millions of values. */
const within = <Result>(work: () => Result): Result => {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof RangeError) throw tooDeep()
    if (!(cause instanceof ReferenceError)) throw cause
    throw new HeadwayError("invalid-config", "It has too many aliases. Write out what they stand for.", { cause })
  }
}

type Collection = Extract<Node, { items: unknown }>

const isEmpty = (contents: unknown): boolean => contents === null || contents === undefined

/** Undefined where it cannot be made with certainty. */
const changeIn = (text: string, root: Collection, edit: Edit): Change | undefined => {
  const way = wayTo(root, edit.path)
  // What has a name may be meant elsewhere too.
  if (way.some(({ anchor }) => anchor)) return undefined
  const holders = edit.type === "add" ? way : way.slice(0, edit.path.length)
  const inline = holders.findIndex(({ flow }) => flow)
  if (inline >= 0) return inline === 0 ? undefined : printedAgain(text, way[inline], edit, inline)
  const isWhole = way.length > edit.path.length
  const holder = way.at(-1)
  if (!holder) return undefined
  if (edit.type === "remove") return removal(text, way[edit.path.length - 1], edit.path.at(-1) ?? "")
  if (edit.type === "add" && isWhole) return isSeq(holder) ? behindLast(text, holder, itemLines(edit.value)) : undefined
  const there = edit.type === "set" ? nodeAt(way[edit.path.length - 1], edit.path.at(-1) ?? "") : undefined
  if (edit.type === "set" && there) return { ...spanOf(text, there), text: JSON.stringify(edit.value) }
  return isMap(holder) ? behindLast(text, holder, missingLines(edit, way.length - 1)) : undefined
}

/** The collections that a path leads through, as far as there are any; the one it leads to is the last. */
const wayTo = (root: Collection, path: Path): Collection[] => {
  const way = [root]
  for (const key of path) {
    const next = nodeAt(way.at(-1), key)
    if (!isCollection(next)) break
    way.push(next as Collection)
  }
  return way
}

const nodeAt = (holder: Collection | undefined, key: string | number): Node | undefined =>
  (holder?.get(key, true) as Node | undefined) ?? undefined

/** The range of a value, without the line end and the comments after it. */
const spanOf = (text: string, { range }: Node): { from: number; to: number } => {
  const [from, end] = range ?? [0, 0]
  return { from, to: from + text.slice(from, end).trimEnd().length }
}

/** The start of the line after a value. */
const lineAfter = (text: string, { range }: Node): number => {
  const end = range?.[2] ?? 0
  if (text[end - 1] === "\n") return end
  const next = text.indexOf("\n", end)
  return next < 0 ? text.length : next + 1
}

/** The value of the last entry, or its name where it has no value. */
const lastOf = (holder: Collection): Node | undefined => {
  const last = holder.items.at(-1)
  if (isSeq(holder)) return last as Node
  const { key, value } = last as { key: Node; value: Node | null }
  return value ?? key
}

const behindLast = (text: string, holder: Collection, lines: readonly string[]): Change | undefined => {
  const last = lastOf(holder)
  const start = holder.range?.[0] ?? 0
  if (!last) return undefined
  return insertion(text, lineAfter(text, last), indented(lines, start - lineStart(text, start)))
}

/** At the end of a text without values. */
const addition = (text: string, edit: Edit): Change | undefined =>
  edit.type === "remove" ? undefined : insertion(text, text.length, missingLines(edit, 0))

const insertion = (text: string, at: number, lines: readonly string[]): Change => {
  const eol = eolOf(text)
  const before = at > 0 && text[at - 1] !== "\n" ? eol : ""
  return { from: at, to: at, text: `${before}${lines.map((line) => `${line}${eol}`).join("")}` }
}

/** Whole lines, of which nothing else is a part. What holds nothing any more is written as empty. */
const removal = (text: string, holder: Collection | undefined, key: string | number): Change | undefined => {
  const index = isSeq(holder) ? Number(key) : (holder?.items.findIndex((one) => isNamed(one, key)) ?? -1)
  const entry = holder?.items[index] as { key: Node; value: Node | null } | Node | undefined
  if (!holder || !entry) return undefined
  const [first, last] = "key" in entry ? [entry.key, entry.value ?? entry.key] : [entry, entry]
  const start = first.range?.[0] ?? 0
  const line = lineStart(text, start)
  const isAlone = holder.items.length === 1
  if (isAlone && line > 0 && isSeq(holder)) return { ...spanOf(text, holder), text: "[]" }
  const before = isSeq(holder) ? /^ *-[ \t]+$/ : /^ *$/
  return before.test(text.slice(line, start)) ? { from: line, to: lineAfter(text, last), text: "" } : undefined
}

const isNamed = (entry: unknown, key: string | number): boolean =>
  String((entry as { key?: { value?: unknown } }).key?.value) === String(key)

/** A value on one line in brackets is printed again, unless a comment in it would be lost. */
const printedAgain = (text: string, node: Collection | undefined, edit: Edit, depth: number): Change | undefined => {
  if (!node) return undefined
  const span = spanOf(text, node)
  const written = text.slice(span.from, span.to)
  if (/(?:^|\s)#/.test(written)) return undefined
  const holder: Record<string, unknown> = { value: documentOf(written)?.toJS() }
  changed(holder, { ...edit, path: ["value", ...edit.path.slice(depth)] })
  return { ...span, text: JSON.stringify(holder.value) }
}

/** The lines of what is not there yet, with the names that lead to it. `depth` is how far the way is there. */
const missingLines = (edit: Exclude<Edit, { type: "remove" }>, depth: number): string[] => {
  const names = edit.path.slice(depth)
  const value = names
    .slice(1)
    .reduceRight<Value>((inner, name) => ({ [name]: inner }), edit.type === "add" ? [edit.value] : edit.value)
  return entryLines(String(names[0] ?? ""), value)
}

const entryLines = (name: string, value: Value): string[] => {
  const key = /^[A-Za-z_][\w-]*$/.test(name) ? name : JSON.stringify(name)
  const inner = blockLines(value)
  return inner ? [`${key}:`, ...indented(inner, 2)] : [`${key}: ${JSON.stringify(value)}`]
}

/** Undefined for what is written on one line: plain values, and lists of them. */
const blockLines = (value: Value): string[] | undefined => {
  if (Array.isArray(value))
    return value.some((one) => isRecord(one)) ? value.flatMap((one: Value) => itemLines(one)) : undefined
  if (!isRecord(value) || Object.keys(value).length === 0) return undefined
  return Object.entries(value).flatMap(([key, one]) => entryLines(key, one as Value))
}

const itemLines = (value: Value): string[] => {
  const [first = JSON.stringify(value), ...others] = blockLines(value) ?? []
  return [`- ${first}`, ...indented(others, 2)]
}

const indented = (lines: readonly string[], columns: number): string[] =>
  lines.map((line) => `${" ".repeat(columns)}${line}`)
