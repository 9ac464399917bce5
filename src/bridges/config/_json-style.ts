/** Detects the style of a JSON file (indentation, line ends, spacing), and prints values in it. */
import type { Value } from "./edit.ts"

export type JsonStyle = {
  eol: string
  /** One step of indentation. */
  unit: string
  /** All on one line. */
  isInline: boolean
  /** Without a space after colons and commas. */
  isCompact: boolean
}

export const styleOf = (text: string): JsonStyle => {
  const body = text.trim()
  const isInline = !body.includes("\n") && !/^\{\s*\}$/.test(body)
  return {
    eol: eolOf(text),
    unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ",
    isInline,
    isCompact: isInline && /":\S/.test(body) && !/": /.test(body),
  }
}

/** The line end most lines have. */
export const eolOf = (text: string): string => {
  const windows = text.split("\r\n").length - 1
  return windows > (text.split("\n").length - 1) / 2 ? "\r\n" : "\n"
}

export const lineStart = (text: string, offset: number): number => text.lastIndexOf("\n", offset - 1) + 1

/** The indentation of the line at a position. */
export const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? ""

/** What still belongs to the line before: spaces and comments, when nothing else follows on it. */
export const restOfLine = (text: string): string =>
  /^(?:[ \t]|\/\*(?:(?!\*\/)[^\n])*\*\/)*(?:\/\/[^\r\n]*)?(?=\r?\n)/.exec(text)?.[0] ?? ""

type Printed = JsonStyle & { indent: string }

/** A value in the file's style; lists of plain values stay on one line. */
export const printJson = (value: Value, style: Printed): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const [open, close] = isList ? "[]" : "{}"
  const inner = { ...style, indent: `${style.indent}${style.unit}` }
  const colon = style.isCompact ? ":" : ": "
  const members = isList
    ? value.map((one: Value) => printJson(one, inner))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}${colon}${printJson(one, inner)}`)
  const isPlain = isList && value.every((one: Value) => typeof one !== "object" || one === null)
  if (members.length === 0 || isPlain || style.isInline) {
    const [gap, edge] = style.isCompact ? [",", ""] : [", ", isList || members.length === 0 ? "" : " "]
    return `${open}${edge}${members.join(gap)}${edge}${close}`
  }
  const lines = members.map((member) => `${style.eol}${inner.indent}${member}`)
  return `${open}${lines.join(",")}${style.eol}${style.indent}${close}`
}
