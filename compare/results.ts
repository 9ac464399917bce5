/** What a comparison came to: the data, and the page that is written from it. */

/** A median, and the median of its ratios to the bare starts of Node that were run by turns with it; none inside a server. */
export type Time = {
  ms: number
  ratio?: number
  /** The same ratio for the time of the processor, which other work on the machine changes little. */
  cpu?: number
  runs: number
}

export type Figure =
  | Time
  /** A number of things, of how many, and what else is to be said. */
  | { count: number; of?: number; note?: string }
  /** Not measured. */
  | { none: string }

export type Table = {
  id: string
  title: string
  /** What was done, with the commands. */
  about: string
  columns: readonly string[]
  rows: readonly { name: string; figures: readonly Figure[] }[]
  /** What could not be measured here, and why. */
  leftOut: readonly { name: string; why: string }[]
  /** The load of the machine while this part ran, by its one-minute average. */
  load: { before: number; after: number }
  /** When it was measured, as an ISO date. */
  date: string
}

export type Machine = { cpu: string; cores: number; memory: string; system: string; node: string }

export type Results = {
  machine: Machine
  versions: Readonly<Record<string, string>>
  notes: readonly string[]
  tables: readonly Table[]
}

/** The new tables in place of the old ones of the same name; the order is that of `ids`. */
export const merged = (old: Results | undefined, next: Results, ids: readonly string[]): Results => ({
  ...next,
  versions: { ...old?.versions, ...next.versions },
  tables: ids.flatMap((id) => {
    const found = next.tables.find((table) => table.id === id) ?? old?.tables.find((table) => table.id === id)
    return found ? [found] : []
  }),
})

const grouped = (value: number): string => Math.round(value).toLocaleString("en-US")

export const ratioText = (ratio: number): string => `${ratio < 10 ? ratio.toFixed(2) : grouped(ratio)}x`

export const figureText = (figure: Figure): string => {
  if ("none" in figure) return "–"
  if ("ms" in figure) {
    const { ms, ratio, cpu } = figure
    const time = `${ms < 10 ? ms.toFixed(1) : grouped(ms)} ms`
    return ratio === undefined
      ? time
      : `${time} (${cpu === undefined ? `${ratioText(ratio)} by the clock` : ratioText(cpu)})`
  }
  const { count, of, note } = figure
  return `${grouped(count)}${of === undefined ? "" : ` of ${grouped(of)}`}${note === undefined ? "" : `, ${note}`}`
}

const escaped = (cell: string): string => cell.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ")

/** A Markdown table whose columns are aligned, so that it is read in a terminal as well. */
export const tableText = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const lines = [head, ...rows].map((cells) => cells.map(escaped))
  const widths = head.map((_, column) => Math.max(3, ...lines.map((cells) => [...(cells[column] ?? "")].length)))
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`
  const [first = [], ...others] = lines
  return [line(first), line(widths.map((width) => "-".repeat(width))), ...others.map(line)].join("\n")
}

/** Above this many runnable processes for each core, other work took a part of the time. */
const busy = 1

const loadText = ({ load, date }: Table, { cores }: Machine): string => {
  const highest = Math.max(load.before, load.after)
  const says = `Measured ${date.slice(0, 10)}, load average ${load.before.toFixed(1)} before and ${load.after.toFixed(1)} after`
  return highest / cores > busy
    ? `${says}: the machine was busy with other work too, so read the ratios of processor time and not the milliseconds.`
    : `${says}.`
}

const fewRuns = ({ rows }: Table): string[] => {
  const runs = rows.flatMap(({ figures }) => figures.flatMap((figure) => ("runs" in figure ? [figure.runs] : [])))
  if (runs.length === 0) return []
  const [least, most] = [Math.min(...runs), Math.max(...runs)]
  return [`Each time is the median of ${least === most ? least : `${least} to ${most}`} runs; slow tools got fewer.`]
}

const sectionText = (table: Table, machine: Machine): string =>
  [
    `## ${table.title}`,
    "",
    table.about,
    "",
    tableText(
      ["", ...table.columns],
      table.rows.map(({ name, figures }) => [name, ...figures.map(figureText)]),
    ),
    "",
    [loadText(table, machine), ...fewRuns(table)].join(" "),
    ...(table.leftOut.length > 0 ? ["", ...table.leftOut.map(({ name, why }) => `- ${name}: ${escaped(why)}`)] : []),
  ].join("\n")

export const resultsPage = (results: Results, plots: readonly { file: string; title: string }[]): string => {
  const { machine, versions, notes, tables } = results
  return `${[
    "# Headway beside others",
    "",
    "Written by `npm run compare` from `bench/results.json`; do not edit it. All rows of a table did the same work on the same machine in the same",
    "run. In brackets is the processor time as a multiple of that of `node -e 0`, which was run by turns with each measured call: 1.0x is what",
    "a program written for Node cannot go below. It is steadier than the clock on a busy machine, but leaves out the wait for a disk; the",
    "data file has the ratio by the clock too. Tables may be of different runs: each says when, and which tools it lacks. A dash is a figure that was not measured, with the reason below its table.",
    "",
    `Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memory}, ${machine.system}, Node ${machine.node}.`,
    `Versions: ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}.`,
    "",
    ...plots.flatMap(({ file, title }) => [`![${title}](../${file})`, ""]),
    ...tables.flatMap((table) => [sectionText(table, machine), ""]),
    "## How far to trust this",
    "",
    ...notes.map((note) => `- ${note}`),
  ].join("\n")}\n`
}
