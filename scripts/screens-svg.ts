/** Draws screens one after the other as one SVG that plays them: without a script, and still for those who want no motion. */
import { picture, type Screen } from "./screen-svg.ts"

export type Frame = {
  screen: Screen
  /** How long it is seen, in seconds. */
  seconds: number
}

/** A row that stays the same from one frame to another is drawn once. */
type Span = { y: number; row: Screen[number]; from: number; to: number }

/** @param still Which frame is seen where motion is not wanted. */
export const screensSvg = (frames: readonly Frame[], title: string, still = frames.length - 1): string => {
  const starts = frames.map((_, index) => frames.slice(0, index).reduce((sum, { seconds }) => sum + seconds, 0))
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0)
  const percent = (index: number): number => Math.round(((starts[index] ?? total) / total) * 10_000) / 100
  const spans = spansOf(frames.map(({ screen }) => screen))
  const kinds = new Map<string, string>()
  for (const { from, to } of spans) {
    const name = `f${from}-${to}`
    const steps = [
      ...(from === 0 ? [] : ["0%{visibility:hidden}"]),
      `${percent(from)}%{visibility:visible}`,
      ...(to === frames.length ? [] : [`${percent(to)}%{visibility:hidden}`]),
    ]
    kinds.set(name, `@keyframes ${name}{${steps.join("")}}.${name}{animation-name:${name}}`)
  }
  const styles = [
    `.f{visibility:hidden;animation-duration:${total.toFixed(1)}s;animation-timing-function:step-end;animation-iteration-count:infinite}`,
    ...kinds.values(),
    "@media(prefers-reduced-motion:reduce){.f{animation:none}.still{visibility:visible}}",
  ].join("\n")
  const rows = Math.max(0, ...frames.map(({ screen }) => screen.length))
  const columns = Math.max(0, ...frames.flatMap(({ screen }) => screen.map((row) => row.length)))
  const groups = spans.map(({ y, row, from, to }) => ({
    y,
    row,
    classes: `f f${from}-${to}${from <= still && still < to ? " still" : ""}`,
  }))
  return picture({ rows, columns, title, styles, groups })
}

const spansOf = (screens: readonly Screen[]): Span[] => {
  const spans: Span[] = []
  const rows = Math.max(0, ...screens.map((screen) => screen.length))
  for (let y = 0; y < rows; y += 1) {
    let last: (Span & { key: string }) | undefined
    for (const [index, screen] of screens.entries()) {
      const row = screen[y] ?? []
      const key = JSON.stringify(row)
      if (last?.key === key) last.to = index + 1
      else {
        last = { y, row, from: index, to: index + 1, key }
        if (row.some(({ chars, background, inverse }) => chars.trim() !== "" || background !== undefined || inverse))
          spans.push(last)
      }
    }
  }
  return spans
}
