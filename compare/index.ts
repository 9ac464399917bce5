/**
 * `npm run compare -- [PART…] [--cache DIR] [--only PEER,…] [--draw]`: installs other tools from npm and Debian, gives all of them
 * the same work, and writes `bench/results.json`, `bench/results.md` and the plots. A part that is not asked for keeps its figures.
 * `--draw` measures nothing and writes the page and the plots again.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { cpus, loadavg, release, tmpdir, totalmem, type } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { install } from "./install.ts"
import { parts } from "./parts/index.ts"
import { peers } from "./peers/index.ts"
import { drawnPlots } from "./plots.ts"
import { type Machine, merged, type Results, resultsPage, type Table } from "./results.ts"
import type { Contender } from "./stage.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cache: { type: "string", default: process.env.HEADWAY_COMPARE_CACHE ?? join(tmpdir(), "headway-compare-cache") },
    only: { type: "string" },
    draw: { type: "boolean", default: false },
  },
})

const [dataFile, pageFile] = ["bench/results.json", "bench/results.md"]

const mustKnow = (what: string, names: readonly string[], known: readonly string[]): void => {
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  console.error(`There is no ${what} ${unknown.join(", ")}. There are: ${known.join(", ")}.`)
  process.exit(2)
}

const only = values.only?.split(",") ?? peers.map(({ id }) => id)
mustKnow("part", positionals, Object.keys(parts))
mustKnow(
  "peer",
  only,
  peers.map(({ id }) => id),
)

const begun = performance.now()
const say = (line: string): void =>
  console.log(`${String(Math.round((performance.now() - begun) / 1000)).padStart(5)} s  ${line}`)

const machine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  cores: cpus().length,
  memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  system: `${type()} ${release().split("-")[0]}`,
  node: process.version,
})

const notes = [
  "Medians of a few runs on one machine. Repeat it with `npm run compare`; a single part with `npm run compare -- writers kill`.",
  "Concurrent writers and kills are one trial each: read the order of magnitude, not the last digit.",
  "Every writer changed todos of its own, so a tool with a file for each task cannot collide. Two writers of the same todo were not tried.",
  "Where we lose: Taskwarrior and todo.txt are faster in nearly every row of the shell, because they start faster than any program for Node can, and because creating a todo beside 10,000 others takes us longer too. ripgrep scans transcripts six to ten times as fast. backlog.md loses no write either, and no store by kill -9.",
  ...peers.flatMap(({ title, note }) => (note === undefined ? [] : [`${title}: ${note}.`])),
]

const write = (results: Results): void => {
  const plots = drawnPlots(results)
  writeFileSync(dataFile, `${JSON.stringify(results, null, 2)}\n`)
  execFileSync("npx", ["biome", "format", "--write", dataFile], { stdio: "ignore" })
  writeFileSync(pageFile, resultsPage(results, plots))
  for (const { file, svg } of plots) writeFileSync(file, svg)
}

const old = existsSync(dataFile) ? (JSON.parse(readFileSync(dataFile, "utf8")) as Results) : undefined

if (values.draw) {
  if (old) write({ ...old, notes })
  process.exit(old ? 0 : 1)
}

const versions: Record<string, string> = {}
const contenders: Contender[] = []
const missing: Table["leftOut"][number][] = peers
  .filter(({ id }) => !only.includes(id))
  .map(({ title }) => ({ name: title, why: "not measured in this run" }))
for (const peer of peers.filter(({ id }) => only.includes(id))) {
  try {
    const ready = await install(values.cache, peer.source)
    versions[peer.title] = ready.version
    contenders.push({ peer, ready })
    say(`${peer.title} ${ready.version}`)
  } catch (cause) {
    const why = `cannot be installed: ${String(cause).split("\n").slice(0, 2).join(" ").slice(0, 200)}`
    say(`${peer.title} ${why}`)
    missing.push({ name: peer.title, why })
  }
}

let results = old
for (const [id, part] of Object.entries(parts)) {
  if (positionals.length > 0 && !positionals.includes(id)) continue
  say(`${id} …`)
  const [before = 0] = loadavg()
  const version = (name: string, found: string): void => {
    versions[name] = found
  }
  const measured = await part({ contenders, cache: values.cache, say: (line) => say(`${id}: ${line}`), version })
  const [after = 0] = loadavg()
  const leftOut = [...missing, ...measured.leftOut]
  const table: Table = { ...measured, leftOut, load: { before, after }, date: new Date().toISOString() }
  results = merged(results, { machine: machine(), versions, notes, tables: [table] }, Object.keys(parts))
  write(results)
}
say(`${pageFile} is written.`)
process.exit(0)
