/** Configuration as all kinds of people write it: any style, comments, trailing commas, odd keys. */
import fc from "fast-check"
import type { Value } from "../../src/bridges/config/edit.ts"

const key = fc.oneof(
  fc.constantFrom(
    "model",
    "env",
    "hooks",
    "permissions",
    "mcpServers",
    "tools",
    "a b",
    "x.y",
    "ключ",
    "[t]",
    "#",
    "//",
  ),
  fc.string({ minLength: 1, maxLength: 6 }).filter((text) => text !== "__proto__" && text !== "headway"),
)

const leaf = fc.oneof(
  fc.boolean(),
  fc.integer(),
  fc.constantFrom(
    "plain",
    "// no comment",
    "[not.a.table]",
    'say "hi"',
    "back\\slash",
    "two\nlines",
    "it's",
    "]]}",
    "",
  ),
  fc.string({ maxLength: 8 }),
)

export type Doc = { [key: string]: Value }

/** `valueless` is what a format has no word for. */
const docs = (others: fc.Arbitrary<Value>): fc.Arbitrary<Doc> => {
  const { table } = fc.letrec<{ value: Value; table: Doc }>((tie) => ({
    value: fc.oneof({ depthSize: "small" }, leaf, others, fc.array(tie("value"), { maxLength: 3 }), tie("table")),
    table: fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  }))
  return table as fc.Arbitrary<Doc>
}

export type Style = {
  eol: "\n" | "\r\n"
  unit: string
  /** From which depth on things stand on one line. */
  inlineFrom: number
  comments: boolean
  trailingCommas: boolean
  endsInNewline: boolean
}

export const styles: fc.Arbitrary<Style> = fc.record({
  eol: fc.constantFrom("\n" as const, "\r\n" as const),
  unit: fc.constantFrom("  ", "    ", "\t"),
  inlineFrom: fc.constantFrom(0, 1, 2, 9),
  comments: fc.boolean(),
  trailingCommas: fc.boolean(),
  endsInNewline: fc.boolean(),
})

export const jsonDocs = docs(fc.constant(null))
export const tomlDocs = docs(fc.constant(true))

/** Comments are numbered, so that a lost or moved one is seen. */
export const writeJson = (doc: Doc, style: Style): string => {
  let count = 0
  const mark = (): string => {
    count += 1
    return `c${count} "{[,` // as nasty as a comment may be
  }
  const write = (value: Value, depth: number): string => {
    if (typeof value !== "object" || value === null) return JSON.stringify(value)
    const members = Array.isArray(value)
      ? value.map((one: Value) => write(one, depth + 1))
      : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${write(one, depth + 1)}`)
    const [open, close] = Array.isArray(value) ? "[]" : "{}"
    const last = style.trailingCommas && members.length > 0 ? "," : ""
    if (depth >= style.inlineFrom) {
      const inner = style.comments && members.length > 0 ? ` /* ${mark()} */` : ""
      return `${open}${members.join(", ")}${inner}${last}${close}`
    }
    const pad = style.eol + style.unit.repeat(depth + 1)
    const lines = members.map((member, index) => {
      const comma = index < members.length - 1 ? "," : last
      if (!style.comments) return `${pad}${member}${comma}`
      return `${pad}// ${mark()}${pad}${member}${comma} // ${mark()}`
    })
    const end = style.comments ? `${pad}// ${mark()}` : ""
    return `${open}${lines.join("")}${end}${style.eol}${style.unit.repeat(depth)}${close}`
  }
  return `${write(doc, 0)}${style.endsInNewline ? style.eol : ""}`
}

export const writeToml = (doc: Doc, style: Style): string => {
  let count = 0
  const note = (): string => {
    count += 1
    return style.comments ? ` # c${count} "[x]` : ""
  }
  const name = (text: string): string => (/^[\w-]+$/.test(text) ? text : JSON.stringify(text))
  const inline = (value: Value): string => {
    if (Array.isArray(value)) {
      const gap = style.comments ? `,${style.eol}  # c "[y]"${style.eol}` : ", "
      return `[${value.map((one: Value) => inline(one)).join(gap)}]`
    }
    if (typeof value === "object" && value !== null) {
      return `{ ${Object.entries(value)
        .map(([own, one]) => `${name(own)} = ${oneLine(one)}`)
        .join(", ")} }`
    }
    if (typeof value === "string" && value.includes("\n"))
      return `"""${style.eol}${JSON.stringify(value).slice(1, -1)}"""`
    return JSON.stringify(value)
  }
  const oneLine = (value: Value): string => {
    if (Array.isArray(value)) return `[${value.map((one: Value) => oneLine(one)).join(", ")}]`
    return typeof value === "object" && value !== null ? inline(value) : JSON.stringify(value)
  }
  const isTable = (value: Value): value is Doc => typeof value === "object" && value !== null && !Array.isArray(value)
  const table = (path: readonly string[], value: Doc): string[] => {
    const isInline = path.length > style.inlineFrom
    const own = Object.entries(value).filter(([, one]) => isInline || !isTable(one))
    const below = Object.entries(value).filter(([, one]) => !isInline && isTable(one))
    const head = path.length > 0 ? [`[${path.map(name).join(".")}]${note()}`] : []
    const pairs = own.map(([own_, one]) => `${name(own_)} = ${inline(one)}${note()}`)
    return [...head, ...pairs, "", ...below.flatMap(([own_, one]) => table([...path, own_], one as Doc))]
  }
  const text = table([], doc).join(style.eol)
  return style.endsInNewline ? text : text.trimEnd()
}

/** Blocks as far as the style has lines of their own for them, JSON below that, which YAML can read. */
export const writeYaml = (doc: Doc, style: Style): string => {
  let count = 0
  const note = (): string => {
    count += 1
    return style.comments ? ` # c${count} "[x]: -` : ""
  }
  const unit = style.unit === "\t" ? "  " : style.unit
  const isBlock = (value: Value, depth: number): value is Doc | Value[] =>
    typeof value === "object" && value !== null && Object.keys(value).length > 0 && depth <= style.inlineFrom
  const lines = (value: Doc | Value[], depth: number): string[] =>
    Object.entries(value).flatMap(([name, one]: [string, Value]) => {
      const lead = Array.isArray(value) ? "-" : `${JSON.stringify(name)}:`
      if (!isBlock(one, depth + 1)) return [`${lead} ${JSON.stringify(one)}${note()}`]
      return [`${lead}${note()}`, ...lines(one, depth + 1).map((line) => `${unit}${line}`)]
    })
  const text = [...(style.comments ? ["# first"] : []), ...lines(doc, 0)].join(style.eol)
  return `${text}${style.endsInNewline ? style.eol : ""}`
}
