/** The comparison with other tools: its plots, its tables, and that the page says what was measured. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { plotSvg } from "../compare/plot.ts"
import { drawnPlots, plots } from "../compare/plots.ts"
import { figureText, merged, type Results, resultsPage, type Table, tableText } from "../compare/results.ts"

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), "utf8")

const table = (id: string, figures: Table["rows"][number]["figures"]): Table => ({
  id,
  title: `About ${id}`,
  about: "What was done.",
  columns: ["kept"],
  rows: [{ name: "Headway", figures }],
  leftOut: [],
  load: { before: 0.5, after: 1.25 },
  date: "2030-01-02T03:04:05.000Z",
})

const machine = { cpu: "A processor", cores: 2, memory: "8 GB", system: "Linux 6.1", node: "v20.19.0" }
const results = (...tables: Table[]): Results => ({ machine, versions: { Headway: "1" }, notes: ["A note."], tables })

describe("a figure", () => {
  test("is given with its ratio of processor time, or of the clock where there is no other", () => {
    expect(figureText({ ms: 1234.4, ratio: 9.5, cpu: 1.234, runs: 5 })).toBe("1,234 ms (1.23x)")
    expect(figureText({ ms: 8.04, ratio: 12.4, runs: 5 })).toBe("8.0 ms (12x by the clock)")
    expect(figureText({ ms: 8, runs: 5 })).toBe("8.0 ms")
  })

  test("is a number, of how many, with a note, or a dash", () => {
    expect(figureText({ count: 400, of: 1000 })).toBe("400 of 1,000")
    expect(figureText({ count: 3, note: "whole" })).toBe("3, whole")
    expect(figureText({ none: "it did not start" })).toBe("–")
  })
})

describe("a table", () => {
  test("has columns of one width, and no text can end a cell or a row", () => {
    const text = tableText(["", "time"], [["a|b\nc", "1 ms"]])
    expect(text.split("\n")).toEqual(["|        | time |", "| ------ | ---- |", "| a\\|b c | 1 ms |"])
  })

  test("of a part that was measured again takes the place of the old one, and the others stay in order", () => {
    const old = results(table("one", [{ count: 1 }]), table("two", [{ count: 2 }]))
    const next = results(table("one", [{ count: 9 }]))
    expect(merged(old, next, ["two", "one"]).tables.map(({ id, rows }) => [id, rows[0]?.figures])).toEqual([
      ["two", [{ count: 2 }]],
      ["one", [{ count: 9 }]],
    ])
  })
})

describe("the page of results", () => {
  test("names the machine, the date, and what is missing and why", () => {
    const left = { ...table("one", [{ none: "gone" }]), leftOut: [{ name: "A tool", why: "cannot be installed" }] }
    const page = resultsPage(results(left), [])
    expect(page).toContain("Machine: A processor, 2 cores, 8 GB, Linux 6.1, Node v20.19.0.")
    expect(page).toContain("Measured 2030-01-02, load average 0.5 before and 1.3 after.")
    expect(page).toContain("- A tool: cannot be installed")
  })

  test("warns when the machine was busy", () => {
    const busy = { ...table("one", [{ count: 1 }]), load: { before: 1, after: 7 } }
    expect(resultsPage(results(busy), [])).toContain("busy with other work")
  })
})

describe("a plot", () => {
  const bars = [
    { name: "Ours", value: 400, label: "400", isOurs: true },
    { name: "<Theirs>", value: 100, label: "100" },
    { name: "Not there", value: undefined, label: "not measured" },
  ]
  const widths = (svg: string): number[] =>
    [...svg.matchAll(/<rect class="(?:ours|theirs)" [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width))

  test("draws lengths in proportion, and none for what was not measured", () => {
    const [ours = 0, theirs = 0, missing] = widths(plotSvg({ title: "T", scale: "s", groups: [{ name: "", bars }] }))
    expect(ours / theirs).toBeCloseTo(4, 1)
    expect(missing).toBe(0)
  })

  test("on a scale of factors, equal factors are equal steps", () => {
    const values = [1, 10, 100].map((value) => ({ name: String(value), value, label: "" }))
    const svg = plotSvg({ title: "T", scale: "s", groups: [{ name: "", bars: values }], isLogarithmic: true })
    const [one = 0, ten = 0, hundred = 0] = widths(svg)
    expect(hundred - ten).toBeCloseTo(ten - one, 0)
  })

  test("follows the theme of its reader, and no name becomes markup", () => {
    const svg = plotSvg({ title: "T & T", scale: "s", groups: [{ name: "", bars }] })
    expect(svg).toContain("@media(prefers-color-scheme:dark)")
    expect(svg).toContain("&lt;Theirs&gt;")
    expect(svg).toContain("<title>T &amp; T</title>")
    expect(svg).not.toContain("<Theirs>")
  })
})

describe("bench/results.md", () => {
  const data = JSON.parse(read("bench/results.json")) as Results

  test("is rendered from its data, and so are the plots", () => {
    const drawn = drawnPlots(data)
    expect(drawn.map(({ file }) => file)).toEqual(plots.map(({ file }) => file))
    expect(read("bench/results.md"), 'run "npm run compare -- --draw"').toBe(resultsPage(data, drawn))
    for (const { file, svg } of drawn) expect(read(file)).toBe(svg)
  })

  test("names no folder of the machine it was measured on", () => {
    const texts = [read("bench/results.json"), read("bench/results.md"), ...plots.map(({ file }) => read(file))]
    for (const text of texts) expect(text).not.toMatch(/\/(?:tmp|home|root|work|Users)\//)
  })

  test("has a figure or a reason for every cell", () => {
    const cells = data.tables.flatMap(({ columns, rows }) =>
      rows.map(({ figures }) => [columns.length, figures.length]),
    )
    expect(cells.length).toBeGreaterThan(10)
    expect(cells.filter(([columns, figures]) => columns !== figures)).toEqual([])
  })
})
