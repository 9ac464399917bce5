/** The notice of what just happened, in as many lines as it needs, so that a narrow screen does not cut its end. */
import { fitted } from "../plan/row.ts"
import { cut, widthOf } from "../text/width.ts"
import { wrap } from "../text/wrap.ts"
import type { BoardGlyphs } from "./glyphs.ts"

/** More would hide what the notice is about. */
const mostLines = 4

export const noticeLines = (notice: string, columns: number, { ellipsis }: BoardGlyphs, most = mostLines): string[] => {
  const width = columns - 1
  const { lines, isWhole } = wrap(fitted(notice, { ellipsis, width: width * most }), width, most)
  if (isWhole || lines.length === 0) return lines.length > 0 ? lines : [""]
  return lines.map((line, index) =>
    index === lines.length - 1 ? `${cut(line, width - widthOf(ellipsis), "")}${ellipsis}` : line,
  )
}
