/** The subject of a question as rows of a screen: complete and exact, with invisible characters made visible. */
import { drawnCharacters, hiddenIn, madeVisible, makeLineVisible, makeVisible } from "../../plan/text/visible.ts"
import type { Line, Span, Style } from "./span.ts"

export type DetailOptions = { width: number; ascii: boolean }

/**
 * Visible text in rows that fit, with every letter and space. A row that continues a line has another edge than a row
 * that begins one, because a line break ends a command.
 */
export const detailLines = (visible: string, { width, ascii }: DetailOptions): Line[] => {
  const [begins, goesOn] = ascii ? ["| ", ": "] : ["│ ", "┆ "]
  const room = Math.max(1, Math.floor(width) - begins.length)
  const lines = visible.split("\n").map((line) => outsideMade(line, makeVisible))
  return lines.flatMap((line) => {
    const style = changeStyle(line)
    return rowsOf(line, room).map(
      (row, index): Line => [
        { text: index === 0 ? begins : goesOn, style: { dim: true } },
        ...visibleSpans(row, style),
      ],
    )
  })
}

/** Visible text on one line, such as the question itself, in rows that fit. */
export const questionRows = (visible: string, width: number): string[] =>
  rowsOf(outsideMade(visible, makeLineVisible), Math.max(1, Math.floor(width)))

/** Leaves visible text as it is, and makes the rest visible: a host may pass any text to our screens. */
const outsideMade = (text: string, make: (part: string) => string): string =>
  isAscii.test(text)
    ? text
    : text
        .split(/(⟨\\[^⟨⟩]*⟩)/)
        .map((part, index) => (index % 2 === 1 ? part : make(part)))
        .join("")

/** Visible text on one row, with the characters that were made visible marked. */
export const visibleSpans = (text: string, style?: Style): Span[] => {
  const spans: Span[] = []
  let from = 0
  const add = (to: number): void => {
    if (to > from) spans.push({ text: text.slice(from, to), style })
  }
  for (const { index, 0: made } of text.matchAll(madeVisible)) {
    add(index)
    spans.push({ text: made, style: { ...style, inverse: true } })
    from = index + made.length
  }
  add(text.length)
  return spans
}

/** The note above a text with hidden characters; undefined if there are none. */
export const hiddenNote = (visible: string): string | undefined => {
  const { length, 0: first } = hiddenIn(visible)
  if (first === undefined) return undefined
  return `It contains ${length} invisible or control character${length === 1 ? "" : "s"}, shown as ${first}.`
}

/** Visible text in rows of this many columns, broken after spaces where possible. The rows joined are the text. */
const rowsOf = (text: string, width: number): string[] => {
  if (text.length <= width && isAscii.test(text)) return [text]
  const rows: string[] = []
  let row = ""
  let used = 0
  const put = (part: string, columns: number): void => {
    if (used > 0 && used + columns > width) {
      rows.push(row)
      row = ""
      used = 0
    }
    row += part
    used += columns
  }
  for (const word of text.match(words) ?? []) {
    const columns = columnsOf(word)
    if (columns <= width) put(word, columns)
    else for (const character of word.match(drawnCharacters) ?? []) put(character, columnsOf(character))
  }
  return [...rows, row]
}

const isAscii = /^[ -~]*$/
/** An escape for an invisible character, otherwise a word and the spaces after it. */
const words = /⟨\\[^⟨⟩]*⟩|[^⟨ ]+ *| +|⟨/g

/** Assumes the widest drawing of any terminal, so that no row runs over its end. */
const columnsOf = (text: string): number => {
  if (isAscii.test(text)) return text.length
  let columns = 0
  for (const character of text) columns += isAscii.test(character) ? 1 : 2
  return columns
}

const changeStyle = (line: string): Style | undefined => {
  if (line.startsWith("+ ")) return { colour: "green" }
  return line.startsWith("- ") ? { colour: "red" } : undefined
}

/** The permission that an agent asks for. */
type Permission = {
  action: keyof typeof alwaysWords
  isOutside: boolean
  canRunPrograms?: true
  question: string
  detail?: string | undefined
}

/**
 * The exact wording of what "always" allows until the person exits; undefined if "always" is not offered. Actions
 * outside the folder, files that can make programs run, and commands with hidden characters need an answer each time.
 */
export const alwaysOffer = ({
  action,
  isOutside,
  canRunPrograms,
  question,
  detail = "",
}: Permission): string | undefined => {
  const isHidden = action === "run" && hiddenIn(question + detail).length > 0
  return isOutside || canRunPrograms || isHidden ? undefined : alwaysWords[action]
}

const alwaysWords = {
  run: "always run any command",
  write: "always write here",
  read: "always read here",
} as const
