/** Draws a terminal's screen as an SVG that needs nothing else: text, colours, a window around it. */

/** A cell of a screen. A colour is one of the terminal's sixteen by number, or `#rrggbb`; without one it is the theme's. */
export type Cell = {
  /** Empty behind a wide character. */
  chars: string
  /** In columns: 0 behind a wide character. */
  width: number
  foreground?: number | string | undefined
  background?: number | string | undefined
  bold?: boolean
  dim?: boolean
  struck?: boolean
  inverse?: boolean
}

export type Screen = readonly (readonly Cell[])[]

const cellWidth = 8.4
const cellHeight = 18
const padding = 16
const titleBar = 34

export const screenSvg = (screen: Screen, title: string): string => {
  const columns = Math.max(0, ...screen.map((row) => row.length))
  return windowSvg({ rows: screen.length, columns, title }, [
    ...screen.flatMap(backgrounds),
    ...drawn(screen),
    ...screen.flatMap((row, y) => runsOf(row).map((run) => textOf(run, y))),
  ])
}

export type Picture = {
  rows: number
  columns: number
  title: string
  /** Beside those of every screen. */
  styles?: string
  groups: readonly { y: number; row: Screen[number]; classes: string }[]
}

/** Rows of several screens in one window, each in a group that its classes show and hide. */
export const picture = ({ groups, ...about }: Picture): string =>
  windowSvg(
    about,
    groups.map(({ y, row, classes }) => {
      // The shapes of a row are placed as if it were the first; the group brings them down.
      const parts = [...backgrounds(row, 0), ...drawn([row]), ...runsOf(row).map((run) => textOf(run, 0))]
      return `<g class="${classes}" transform="translate(0 ${y * cellHeight})">${parts.join("")}</g>`
    }),
  )

const windowSvg = (
  { rows, columns, title, styles: more }: Omit<Picture, "groups">,
  parts: readonly string[],
): string => {
  const width = round(columns * cellWidth + 2 * padding)
  const height = round(rows * cellHeight + titleBar + padding)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${[styles, ...(more === undefined ? [] : [more])].join("\n")}</style>`,
    `<rect class="fill-paper stroke-edge" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10"/>`,
    ...[20, 38, 56].map((x) => `<circle class="fill-edge" cx="${x}" cy="18" r="5.5"/>`),
    `<g class="fill-ink" font-family="${fonts}" font-size="14" transform="translate(${padding} ${titleBar})">`,
    ...parts,
    "</g>",
    "</svg>",
    "",
  ].join("\n")
}

/** Cells that are not the window's own colour. */
const backgrounds = (row: readonly Cell[], y: number): string[] => {
  const found: { x: number; columns: number; colour: number | string }[] = []
  for (const [x, { inverse, foreground, background }] of row.entries()) {
    const colour = inverse ? (foreground ?? "ink") : background
    if (colour === undefined) continue
    const last = found.at(-1)
    if (last?.colour === colour && last.x + last.columns === x) last.columns += 1
    else found.push({ x, columns: 1, colour })
  }
  return found.map(({ x, columns, colour }) => {
    const place = `x="${round(x * cellWidth)}" y="${y * cellHeight}" width="${round(columns * cellWidth)}"`
    return `<rect ${place} height="${cellHeight}"${look("fill", colour)}/>`
  })
}

/** Lines of boxes, in a cell of 8.4 × 18. Fonts leave gaps between rows, so these are drawn and not written. */
const strokes: Readonly<Record<string, string>> = {
  "─": "M0 9h8.4",
  "│": "M4.2 0v18",
  "╭": "M8.4 9h-1.2q-3 0-3 3v6",
  "╮": "M0 9h1.2q3 0 3 3v6",
  "╰": "M8.4 9h-1.2q-3 0-3-3v-6",
  "╯": "M0 9h1.2q3 0 3-3v-6",
  "┌": "M8.4 9h-4.2v9",
  "┐": "M0 9h4.2v9",
  "└": "M8.4 9h-4.2v-9",
  "┘": "M0 9h4.2v-9",
  "├": "M4.2 0v18M4.2 9h4.2",
  "┤": "M4.2 0v18M4.2 9h-4.2",
  "┬": "M0 9h8.4M4.2 9v9",
  "┴": "M0 9h8.4M4.2 9v-9",
  "┼": "M0 9h8.4M4.2 0v18",
}

/** Pieces of bars: how thick their ink is. */
const blocks: Readonly<Record<string, number>> = { "█": 1, "▓": 0.75, "▒": 0.5, "░": 0.25 }
const block = "M0 4h8.4v10h-8.4z"

/** Boxes and bars: one path for all that look alike. */
const drawn = (screen: Screen): string[] => {
  const paths = new Map<string, string>()
  for (const [y, row] of screen.entries()) {
    for (const [x, cell] of row.entries()) {
      const ink = blocks[cell.chars]
      const shape = ink === undefined ? strokes[cell.chars] : block
      if (shape === undefined) continue
      const dim = cell.dim ? ["dim"] : []
      const key =
        ink === undefined
          ? `${look("stroke", inkOf(cell), dim)} fill="none"`
          : `${look("fill", inkOf(cell), dim)} fill-opacity="${ink}"`
      paths.set(key, (paths.get(key) ?? "") + moved(shape, x * cellWidth, y * cellHeight))
    }
  }
  return [...paths].map(([key, path]) => `<path${key} d="${path}"/>`)
}

const moved = (shape: string, x: number, y: number): string =>
  shape.replace(/M([\d.]+) ([\d.]+)/g, (_, left, top) => `M${round(Number(left) + x)} ${round(Number(top) + y)}`)

type Run = { x: number; columns: number; text: string; cell: Cell }

/** Neighbours that look alike are one piece of text. Signs that a font may lack stand alone, so that they move nothing. */
const runsOf = (row: readonly Cell[]): Run[] => {
  const runs: Run[] = []
  for (const [x, cell] of row.entries()) {
    const { chars, width } = cell
    if (chars in strokes || chars in blocks || chars.trim() === "") continue
    const last = runs.at(-1)
    const gap = last ? x - last.x - last.columns : 0
    const isBeside = last && isPlain(last.text) && isPlain(chars) && gap <= 1 && looksAlike(last.cell, cell)
    if (isBeside && (gap === 0 || looksAlike(last.cell, row[x - 1] ?? cell))) {
      last.text += " ".repeat(gap) + chars
      last.columns += gap + width
    } else runs.push({ x, columns: width, text: chars, cell })
  }
  return runs
}

/** Characters every monospaced font has, all of one width. */
const isPlain = (text: string): boolean => /^[ -~\u00a1-\u017f]*$/.test(text)

const looksAlike = (one: Cell, other: Cell): boolean => lookOf(one) === lookOf(other)

const lookOf = (cell: Cell): string =>
  look(
    "fill",
    inkOf(cell),
    (["bold", "dim", "struck"] as const).filter((name) => cell[name]),
  )

/** A run is as long as its cells whatever the font; a sign is centred in its own instead. */
const textOf = ({ x, columns, text, cell }: Run, y: number): string => {
  const baseline = round(y * cellHeight + 13.2)
  const place = isPlain(text)
    ? `x="${round(x * cellWidth)}" y="${baseline}" textLength="${round(columns * cellWidth)}"`
    : `x="${round((x + columns / 2) * cellWidth)}" y="${baseline}" text-anchor="middle"`
  return `<text ${place}${lookOf(cell)}>${escaped(text)}</text>`
}

const inkOf = ({ inverse, foreground, background }: Cell): number | string =>
  inverse ? (background ?? "paper") : (foreground ?? "ink")

/** The attributes that give something its colour. Those of a theme are classes; the ink of text needs none. */
const look = (what: "fill" | "stroke", colour: number | string, classes: readonly string[] = []): string => {
  const isOwn = String(colour).startsWith("#")
  const names = isOwn || (what === "fill" && colour === "ink") ? classes : [...classes, `${what}-${colour}`]
  return `${names.length > 0 ? ` class="${names.join(" ")}"` : ""}${isOwn ? ` ${what}="${escaped(String(colour))}"` : ""}`
}

const round = (value: number): number => Math.round(value * 10) / 10

const escaped = (text: string): string =>
  text
    // XML knows no control characters, not even written as numbers.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")

/** Black, red, green, yellow, blue, magenta, cyan, white, and the bright ones of each; then ink, paper and edge. */
const names = [...Array.from({ length: 16 }, (_, index) => String(index)), "ink", "paper", "edge"]
const dark =
  "484f58 ff7b72 3fb950 d29922 58a6ff bc8cff 39c5cf b1bac4 7d8590 ffa198 56d364 e3b341 79c0ff d2a8ff 56d4dd ffffff e6edf3 0d1117 30363d"
const light =
  "24292f cf222e 116329 7d4e00 0969da 8250df 1b7c83 57606a 656d76 a40e26 1a7f37 633c01 218bff a475f9 3192aa 8c959f 1f2328 ffffff d0d7de"

const theme = (colours: string): string =>
  colours
    .split(" ")
    .map((colour, index) => `.fill-${names[index]}{fill:#${colour}}.stroke-${names[index]}{stroke:#${colour}}`)
    .join("")

const fonts = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"

const styles = [
  ".bold{font-weight:700}.dim{opacity:.62}.struck{text-decoration:line-through}",
  theme(dark),
  `@media(prefers-color-scheme:light){${theme(light)}}`,
].join("\n")
