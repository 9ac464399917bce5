/** A line editor: a text, a cursor, and the effect of each key. */
import { sanitiseOutput } from "../../plan/text/sanitise.ts"
import { graphemesOf, widthOf } from "../../views/text/width.ts"
import type { Key } from "./keyboard.ts"

export type Editor = {
  readonly text: string
  /** An index into the text, always between two whole characters. */
  readonly cursor: number
  /** The lines sent before, the newest last. */
  readonly history: readonly string[]
  /** The index of the shown history line, or the history's length for the person's own line. */
  readonly at: number
  /** The person's own line while a history line is shown. */
  readonly draft: string
}

export const emptyEditor: Editor = { text: "", cursor: 0, history: [], at: 0, draft: "" }

/** The longest text that can be typed or pasted. Longer text is cut. */
export const longestText = 100_000
const mostHistory = 200

/** Returns the editor after a key; undefined for a key without a function here. */
export const pressed = (editor: Editor, key: Key): Editor | undefined => {
  const name = key.ctrl ? `ctrl+${key.name}` : key.meta ? `meta+${key.name}` : key.name
  const act = actions[name]
  if (act) return act(editor)
  return key.text !== "" && !key.ctrl && !key.meta ? inserted(editor, key.text) : undefined
}

/** Inserts typed or pasted text, which may have several lines, at the cursor. */
export const inserted = (editor: Editor, given: string): Editor => {
  const { text, cursor } = editor
  const safe = sanitiseOutput(given)
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/\t/g, "  ")
    .replace(/[\v\f]/g, "")
    .slice(0, Math.max(0, longestText - text.length))
  return { ...editor, text: text.slice(0, cursor) + safe + text.slice(cursor), cursor: cursor + safe.length }
}

export const replaced = (editor: Editor, text: string): Editor => ({ ...editor, text, cursor: text.length })

/** Empties the line, and adds the sent text to the history for the arrow keys. */
export const sent = ({ text, history }: Editor): Editor => {
  const kept = text.trim() === "" || history.at(-1) === text ? history : [...history, text].slice(-mostHistory)
  return { ...emptyEditor, history: kept, at: kept.length }
}

export type EditorRow = { text: string; start: number; end: number }

/** The text in rows of this many columns, and the cursor's position. */
export const rowsOf = ({ text, cursor }: Editor, width: number): { rows: EditorRow[]; row: number; before: string } => {
  const rows: EditorRow[] = []
  let start = 0
  for (const line of text.split("\n")) {
    rows.push(...lineRows(line, start, Math.max(1, width)))
    start += line.length + 1
  }
  const found = rows.findLastIndex((row) => row.start <= cursor)
  const row = Math.max(0, found)
  return { rows, row, before: text.slice(rows[row]?.start ?? 0, cursor) }
}

/** One column stays free at the end of a full row for the cursor. */
const lineRows = (line: string, start: number, width: number): EditorRow[] => {
  const rows: EditorRow[] = []
  let from = 0
  let columns = 0
  for (const { grapheme, index } of graphemesOf(line)) {
    const size = widthOf(grapheme)
    if (columns + size > width - 1 && index > from) {
      rows.push({ text: line.slice(from, index), start: start + from, end: start + index })
      from = index
      columns = 0
    }
    columns += size
  }
  return [...rows, { text: line.slice(from), start: start + from, end: start + line.length }]
}

const moved = (editor: Editor, cursor: number): Editor => ({ ...editor, cursor })

type Place = Pick<Editor, "text" | "cursor">

const lineStart = ({ text, cursor }: Place): number => text.lastIndexOf("\n", cursor - 1) + 1

const lineEnd = ({ text, cursor }: Editor): number => {
  const end = text.indexOf("\n", cursor)
  return end < 0 ? text.length : end
}

/** The longest grapheme considered, because examining the whole text for each key would be too slow. */
const longestCharacter = 256

const before = (place: Place): number => {
  const { text, cursor } = place
  if (cursor === 0) return 0
  const from = Math.max(0, Math.min(lineStart(place), cursor - 1), cursor - longestCharacter)
  const last = [...graphemesOf(text.slice(from, cursor))].at(-1)
  return from + (last?.index ?? 0)
}

const after = ({ text, cursor }: Editor): number => {
  const [first] = graphemesOf(text.slice(cursor, cursor + longestCharacter))
  return cursor + (first?.grapheme.length ?? 0)
}

const wordBefore = ({ text, cursor }: Editor): number => text.slice(0, cursor).replace(/\S+\s*$|\s+$/, "").length

const wordAfter = ({ text, cursor }: Editor): number =>
  cursor + (/^\s*\S+/.exec(text.slice(cursor))?.[0].length ?? text.length - cursor)

const without = (editor: Editor, from: number, to: number): Editor => ({
  ...editor,
  text: editor.text.slice(0, from) + editor.text.slice(to),
  cursor: from,
})

const backspace = (editor: Editor): Editor => without(editor, before(editor), editor.cursor)
const deleteNext = (editor: Editor): Editor => without(editor, editor.cursor, after(editor))
const deleteWord = (editor: Editor): Editor => without(editor, wordBefore(editor), editor.cursor)
const toStart = (editor: Editor): Editor => moved(editor, lineStart(editor))
const toEnd = (editor: Editor): Editor => moved(editor, lineEnd(editor))
const toWordBefore = (editor: Editor): Editor => moved(editor, wordBefore(editor))
const toWordAfter = (editor: Editor): Editor => moved(editor, wordAfter(editor))

/** Up: the previous row of the text; from its first row, the previous history line. */
const up = (editor: Editor): Editor => {
  const start = lineStart(editor)
  if (start === 0) return older(editor)
  const above = lineStart(moved(editor, start - 1))
  return moved(editor, Math.min(above + (editor.cursor - start), start - 1))
}

const down = (editor: Editor): Editor => {
  const end = lineEnd(editor)
  if (end === editor.text.length) return newer(editor)
  const below = lineEnd(moved(editor, end + 1))
  return moved(editor, Math.min(end + 1 + (editor.cursor - lineStart(editor)), below))
}

const older = (editor: Editor): Editor => {
  const { history, at, text, draft } = editor
  const entry = history[at - 1]
  if (entry === undefined) return editor
  return { ...replaced(editor, entry), at: at - 1, draft: at === history.length ? text : draft }
}

const newer = (editor: Editor): Editor => {
  const { history, at, draft } = editor
  if (at >= history.length) return editor
  return { ...replaced(editor, history[at + 1] ?? draft), at: at + 1 }
}

const actions: Partial<Record<string, (editor: Editor) => Editor>> = {
  left: (editor) => moved(editor, before(editor)),
  right: (editor) => moved(editor, after(editor)),
  "ctrl+b": (editor) => moved(editor, before(editor)),
  "ctrl+f": (editor) => moved(editor, after(editor)),
  "ctrl+left": toWordBefore,
  "ctrl+right": toWordAfter,
  "meta+left": toWordBefore,
  "meta+right": toWordAfter,
  "meta+b": toWordBefore,
  "meta+f": toWordAfter,
  home: toStart,
  end: toEnd,
  "ctrl+a": toStart,
  "ctrl+e": toEnd,
  up,
  down,
  "ctrl+p": up,
  "ctrl+n": down,
  backspace,
  "ctrl+h": backspace,
  delete: deleteNext,
  "ctrl+d": deleteNext,
  "ctrl+w": deleteWord,
  "meta+backspace": deleteWord,
  "ctrl+u": (editor) => without(editor, lineStart(editor), editor.cursor),
  "ctrl+k": (editor) => without(editor, editor.cursor, lineEnd(editor)),
  // Ctrl+J; many terminals also send this for Shift+Enter.
  enter: (editor) => inserted(editor, "\n"),
  "meta+return": (editor) => inserted(editor, "\n"),
}
