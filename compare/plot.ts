/** Draws figures as bars, in an SVG that needs nothing else and is readable on light and on dark paper. */

export type Bar = {
  name: string
  /** `undefined` where it was not measured. */
  value: number | undefined
  /** The figure as it is written behind the bar. */
  label: string
  /** Ours, or what is to be seen first. */
  isOurs?: boolean
}

export type Plot = {
  title: string
  /** What the length of a bar means. */
  scale: string
  groups: readonly { name: string; bars: readonly Bar[] }[]
  /** Where figures differ by orders of magnitude, each step to the right is a factor. */
  isLogarithmic?: boolean
}

const width = 760
const left = 240
const right = 130
const barHeight = 18
const step = 26
const head = 62
const groupHead = 30

export const plotSvg = ({ title, scale, groups, isLogarithmic = false }: Plot): string => {
  const values = groups.flatMap(({ bars }) => bars.flatMap(({ value }) => (value === undefined ? [] : [value])))
  const most = Math.max(...values, 1)
  const least = isLogarithmic ? Math.min(...values.filter((value) => value > 0), 1) / 2 : 0
  const room = width - left - right
  const lengthOf = (value: number): number => {
    if (!isLogarithmic) return (value / most) * room
    return value <= least ? 0 : (Math.log(value / least) / Math.log(most / least)) * room
  }
  const parts: string[] = []
  let y = head
  for (const { name, bars } of groups) {
    if (name !== "") {
      parts.push(`<text class="ink bold" x="16" y="${y + 14}">${escaped(name)}</text>`)
      y += groupHead - 4
    }
    for (const bar of bars) {
      const length = bar.value === undefined ? 0 : Math.max(1, round(lengthOf(bar.value)))
      parts.push(
        `<text class="${bar.isOurs ? "ink bold" : "ink"}" x="${left - 10}" y="${y + 13.5}" text-anchor="end">${escaped(bar.name)}</text>`,
        `<rect class="${bar.isOurs ? "ours" : "theirs"}" x="${left}" y="${y}" width="${length}" height="${barHeight}" rx="3"/>`,
        `<text class="${bar.isOurs ? "ink bold" : "soft"}" x="${round(left + length + 8)}" y="${y + 13.5}">${escaped(bar.label)}</text>`,
      )
      y += step
    }
    y += 10
  }
  const height = y + 6
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${styles}</style>`,
    `<rect class="paper" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10"/>`,
    `<g font-family="${fonts}" font-size="13">`,
    `<text class="ink bold" x="16" y="28" font-size="16">${escaped(title)}</text>`,
    `<text class="soft" x="16" y="48">${escaped(scale)}</text>`,
    ...parts,
    "</g>",
    "</svg>",
    "",
  ].join("\n")
}

const round = (value: number): number => Math.round(value * 10) / 10

const escaped = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")

const fonts = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"

const styles = [
  ".bold{font-weight:600}",
  ".paper{fill:#fff;stroke:#d0d7de}.ink{fill:#1f2328}.soft{fill:#57606a}.ours{fill:#0969da}.theirs{fill:#afb8c1}",
  "@media(prefers-color-scheme:dark){.paper{fill:#0d1117;stroke:#30363d}.ink{fill:#e6edf3}.soft{fill:#9198a1}.ours{fill:#58a6ff}.theirs{fill:#484f58}}",
].join("\n")
