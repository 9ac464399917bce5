/** Which figures of a comparison are drawn, and where. */
import { type Bar, type Plot, plotSvg } from "./plot.ts"
import { type Figure, figureText, type Results, ratioText } from "./results.ts"

type Wanted = {
  file: string
  title: string
  scale: string
  table: string
  columns: readonly string[]
  isLogarithmic?: boolean
}

export const plots: readonly Wanted[] = [
  {
    file: "docs/compare-writers.svg",
    title: "Eight processes write at once: how many of their writes survive",
    scale: "share of the writes that are in the store afterwards, of 400 or of as many as were made in 70 seconds",
    table: "writers",
    columns: ["kept"],
  },
  {
    file: "docs/compare-update.svg",
    title: "Marking one todo as done from the shell",
    scale: "processor time as a multiple of node -e 0; a step to the right is a factor, shorter is better",
    table: "store",
    columns: ["update at 1,000", "update at 10,000"],
    isLogarithmic: true,
  },
  {
    file: "docs/compare-tokens.svg",
    title: "Tokens a model reads before its first call",
    scale: "all tool definitions an MCP server offers by default; shorter is better",
    table: "mcp",
    columns: ["definition tokens"],
  },
]

const lengthOf = (figure: Figure | undefined): number | undefined => {
  if (figure === undefined || "none" in figure) return undefined
  if ("ms" in figure) return figure.cpu ?? figure.ratio
  return figure.of === undefined ? figure.count : figure.count / figure.of
}

const labelOf = (figure: Figure | undefined): string => {
  if (figure === undefined || "none" in figure) return "not measured"
  return "cpu" in figure && figure.cpu !== undefined ? ratioText(figure.cpu) : figureText(figure)
}

/** The plots that can be drawn from these results, by their files. */
export const drawnPlots = ({ tables }: Results): { file: string; title: string; svg: string }[] =>
  plots.flatMap(({ file, title, scale, table: id, columns, isLogarithmic }) => {
    const table = tables.find((one) => one.id === id)
    if (!table) return []
    const groups: Plot["groups"] = columns.map((column) => {
      const at = table.columns.indexOf(column)
      const bars = table.rows.map(({ name, figures }): Bar => {
        const figure = figures[at]
        return { name, value: lengthOf(figure), label: labelOf(figure), isOurs: name.startsWith("Headway") }
      })
      return { name: columns.length > 1 ? column : "", bars }
    })
    return [{ file, title, svg: plotSvg({ title, scale, groups, isLogarithmic: isLogarithmic === true }) }]
  })
