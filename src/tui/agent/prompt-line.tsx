/** The input line: as many rows as it needs, or those around the cursor if there is less room. */
import { Box } from "ink"
import { startOf } from "../../views/plan/window.ts"
import type { Line as SpanLine } from "../../views/text/span.ts"
import { graphemesOf } from "../../views/text/width.ts"
import { useAppearance } from "../components/appearance.tsx"
import { Line } from "../components/line.tsx"
import { type Editor, type EditorRow, rowsOf } from "../terminal/line-editor.ts"
import { promptSymbol } from "./transcript.ts"

export type PromptLineProps = {
  editor: Editor
  width: number
  height: number
  /** Shown while the line is empty. */
  placeholder?: string
  /** Whether the line receives the keys. */
  hasCursor: boolean
}

/** The symbol and the space after it. */
const margin = 2

/** How many rows the whole text takes. */
export const promptRows = (editor: Editor, width: number): number => rowsOf(editor, width - margin).rows.length

export const PromptLine = ({ editor, width, height, placeholder = "", hasCursor }: PromptLineProps) => {
  const { colour, ascii } = useAppearance()
  const { rows, row: current, before } = rowsOf(editor, width - margin)
  const from = startOf(rows.length, current, height)
  const shown = rows.slice(from, from + height)
  return (
    <Box flexDirection="column">
      {shown.map((row, index) => {
        const symbol = {
          text: from + index === 0 ? `${promptSymbol(ascii)} ` : "  ",
          style: { colour: "cyan" as const },
        }
        const hasCursorHere = hasCursor && from + index === current
        const text = hasCursorHere ? withCursor(row, before.length, { colour, ascii }) : [{ text: row.text }]
        const hint = editor.text === "" ? [{ text: placeholder, style: { dim: true } }] : []
        return <Line key={row.start} line={[symbol, ...text, ...hint]} />
      })}
    </Box>
  )
}

/** Ink uses the terminal's own cursor, so ours is a character in inverse video, or a bar without styles. */
const withCursor = (row: EditorRow, at: number, { colour, ascii }: { colour: boolean; ascii: boolean }): SpanLine => {
  const [before, rest] = [row.text.slice(0, at), row.text.slice(at)]
  if (!colour) return [{ text: before }, { text: ascii ? "_" : "▏" }, { text: rest }]
  const [under] = graphemesOf(rest)
  const character = under?.grapheme ?? " "
  return [{ text: before }, { text: character, style: { inverse: true } }, { text: rest.slice(character.length) }]
}
