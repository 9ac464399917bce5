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

/** A sentence of the screen's own, or of the agent's loop. */
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

/** One call that has ended, in one line: `• Bash npm test: Done`. Of a long one the result stays. */
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

/** Empty if it only repeats the label. */
const resultOf = (label: string, result: string): string => (label.endsWith(` ${result}`) ? "" : result)

/** `Read a.ts: 20 lines` says which file, and says it shorter than the model did. */
const namesItsTarget = (label: string, result: string): boolean =>
  /^(?:Read|Write|Edit) /.test(label) && /^(?:Read|Wrote|Created|Edited) /.test(result)

/** What a call is about, in a few words: `Bash npm test`. Its input may be anything a model sends. */
export const callLabel = (tool: string, input: unknown): string => {
  const fields = isRecord(input) ? input : {}
  const target = targetFields.map((field) => fields[field]).find((value) => typeof value === "string")
  const words = typeof target === "string" ? makeLineVisible(target.slice(0, 500).toWellFormed()) : ""
  return `${sanitise(tool.slice(0, 100))}${words === "" ? "" : ` ${words}`}`
}

/** Where the tools of agents say what they work on, the most telling first. */
const targetFields = ["file_path", "path", "command", "pattern", "description", "query", "url", "prompt"]

/** A text that comes in pieces: full rows are handed on as soon as nothing can change them, the last one is kept. */
export type RowStream = {
  /** Rows that are complete now. */
  push(piece: string, width: number): string[]
  /** The rest; the next piece begins a new text. */
  end(width: number): string[]
  /** The row that is still being written. */
  readonly tail: string
}

/** Never holds more than one row and one piece, however long the text. */
export const createRowStream = (): RowStream => {
  let kept = ""
  /** The beginning of something that a later piece ends: an escape sequence, half a character. */
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

/** However narrow the screen is, there is a column. */
const wrapped = (text: string, width: number): string[] => wrap(text, Math.max(1, Math.floor(width))).lines
