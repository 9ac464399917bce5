/** The conversation as lines for the scroll-back: wrapped, sanitised and brief. */
import { isRecord } from "../../plan/log/shape.ts"
import { sanitise, sanitiseBlock, sanitiseOutput } from "../../plan/text/sanitise.ts"
import { makeLineVisible } from "../../plan/text/visible.ts"
import { fitted, layoutOf, narrowed } from "../../views/plan/row.ts"
import { detailLines } from "../../views/text/question.ts"
import type { Line, Style } from "../../views/text/span.ts"
import { widthOf } from "../../views/text/width.ts"
import { wrap } from "../../views/text/wrap.ts"

export type Room = { width: number; ascii: boolean }

/** The most rows one block takes. A person can open the original for more. */
const mostRows = 400

/** `› Fix the tests`, with the rows below it indented. */
export const askedLines = (text: string, { width, ascii }: Room): Line[] =>
  bounded(wrapped(sanitiseBlock(text), width - 2)).map((row, index) => [
    { text: index === 0 ? `${promptSymbol(ascii)} ` : "  ", style: { colour: "cyan" } },
    { text: row, style: { bold: true } },
  ])

export const promptSymbol = (ascii: boolean): string => (ascii ? ">" : "›")

/** A sentence of the screen itself, or of the agent's loop. */
export const notedLines = (text: string, { width }: Room, style: Style = { dim: true }): Line[] =>
  bounded(wrapped(sanitiseBlock(text), width)).map((row) => [{ text: row, style }])

/** The subject of an answered question; while it is open, the person can scroll through all of it. */
export const shownLines = (detail: string, room: Room): Line[] => {
  const lines = detailLines(detail, room)
  const more = lines.length - mostRows
  return more <= 0 ? lines : [...lines.slice(0, mostRows), [{ text: `(${more} more rows)`, style: { dim: true } }]]
}

const bounded = (rows: readonly string[]): readonly string[] =>
  rows.length <= mostRows ? rows : [...rows.slice(0, mostRows), `(${rows.length - mostRows} more rows)`]

export type EndedCall = {
  label: string
  isError: boolean
  text: string
  display?: string | undefined
  /** The caller, if it is not the main agent. */
  agent?: string | undefined
}

/** A finished call in one line: `• Bash npm test: Done`. A long label is cut before the result. */
export const callLine = ({ label, isError, text, display, agent }: EndedCall, room: Room): Line => {
  const [done, wrong] = room.ascii ? ["*", "x"] : ["•", "✗"]
  const symbol = `${agent === undefined ? "" : "  "}${isError ? wrong : done} `
  const layout = narrowed(layoutOf(room), symbol.length)
  const what = agent === undefined ? label : `${sanitise(agent)} ${label}`
  const result = resultOf(label, sanitise(display ?? (isError ? firstLine(text) : "")))
  const isNamed = namesItsTarget(label, result)
  const shown = isNamed ? what.slice(0, what.length - label.length) + result : what
  const end = isNamed || result === "" ? "" : `: ${result}`
  const before = Math.max(Math.floor(layout.width / 2), layout.width - widthOf(end))
  return [
    { text: symbol, style: { colour: isError ? "red" : "green" } },
    { text: fitted(fitted(shown, { ...layout, width: before }) + end, layout), style: { dim: true } },
  ]
}

const firstLine = (text: string): string => text.trimStart().split("\n", 1)[0] ?? ""

/** The result, or empty if it only repeats the label. */
const resultOf = (label: string, result: string): string => (label.endsWith(` ${result}`) ? "" : result)

/** Whether a result such as `Read a.ts: 20 lines` already names the call's file, and so can replace the label. */
const namesItsTarget = (label: string, result: string): boolean =>
  /^(?:Read|Write|Edit) /.test(label) && /^(?:Read|Wrote|Created|Edited) /.test(result)

/** A short label for a call: `Bash npm test`. The input is untrusted: a model may send anything. */
export const callLabel = (tool: string, input: unknown): string => {
  const fields = isRecord(input) ? input : {}
  const target = targetFields.map((field) => fields[field]).find((value) => typeof value === "string")
  const words = typeof target === "string" ? makeLineVisible(target.slice(0, 500).toWellFormed()) : ""
  return `${sanitise(tool.slice(0, 100))}${words === "" ? "" : ` ${words}`}`
}

/** The input fields in which agents' tools name their target, the most informative first. */
const targetFields = ["file_path", "path", "command", "pattern", "description", "query", "url", "prompt"]

/** Splits a text that arrives in pieces into rows. Returns each row as soon as it is final, and keeps the last one. */
export type RowStream = {
  /** Adds a piece. Returns the rows that are now final. */
  push(piece: string, width: number): string[]
  /** Returns the remaining rows. The next piece begins a new text. */
  end(width: number): string[]
  /** The row that is still being written. */
  readonly tail: string
}

/** Never holds more than one row and one piece, however long the text is. */
export const createRowStream = (): RowStream => {
  let kept = ""
  /** An incomplete escape sequence or character at the end of a piece, which the next piece completes. */
  let held = ""
  const take = (text: string, width: number): string[] => {
    const lines = sanitiseOutput(text)
      .replace(/\r\n?/g, "\n")
      .replace(/[\t\v\f]/g, "  ")
      .split("\n")
    const rows = lines.map((line) => wrapped(line, width))
    const last = lines.at(-1) ?? ""
    const tail = rows.at(-1)?.pop() ?? ""
    kept = tail.trimEnd() + last.slice(last.trimEnd().length)
    return rows.flat().map((row) => row.trimEnd())
  }
  return {
    push(piece, width) {
      const text = held + piece
      const cutAt = unfinished.exec(text)?.index ?? text.length
      held = text.slice(cutAt)
      return take(kept + text.slice(0, cutAt), width)
    },
    end(width) {
      const rows = [...take(kept + held, width), kept.trimEnd()]
      kept = ""
      held = ""
      while (rows.at(-1) === "") rows.pop()
      return rows
    },
    get tail() {
      return kept
    },
  }
}

const unfinished = /(?:\u001b(?:\[[0-?]{0,64}[ -/]{0,8})?|[\ud800-\udbff]|\r)$/

/** Wraps to at least one column, however narrow the screen is. */
const wrapped = (text: string, width: number): string[] => wrap(text, Math.max(1, Math.floor(width))).lines
