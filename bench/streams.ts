/** How quickly a home full of transcripts becomes plans: against ripgrep, against parsing every line, and the second time. */

import { spawnSync } from "node:child_process"
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { buildSync } from "esbuild"
import Database from "libsql"
import { type ScanState, scanFile } from "../src/sessions/index.ts"
import { streams as formats } from "../test/agents/loaded.ts"
import { bareStart, bin, byTurns, median, milliseconds, type Row, runNode } from "./measure.ts"
import { type Tree, writeTranscripts } from "./transcripts.ts"

const megabytes = Number(process.env.HEADWAY_BENCH_MB ?? 500)

export const streams = async (): Promise<Row[]> => {
  const home = mkdtempSync(join(tmpdir(), "headway-bench-"))
  try {
    const tree = writeTranscripts(home, megabytes)
    return [...(await reading(home, tree)), ...warm(home), ...following(), ...manyInOne()]
  } finally {
    rmSync(home, { recursive: true })
  }
}

type Probed = { time: number; memory: number; sessions: number; plans: number }

/** Runs a piece of code in a Node of its own that prints what it measured: starting Node is not part of it. */
const probe = (code: string): Probed => JSON.parse(runNode(["--input-type=module", "-e", code])) as Probed

const report =
  "console.log(JSON.stringify({ ...counted, time: performance.now() - started, memory: process.resourceUsage().maxRSS / 1024 }))"

/** What reads the sessions, by itself: in the command it is a part of a pack. */
const builtReader = (): string => {
  const outfile = resolve("dist/bench/cli/sessions-here.mjs")
  const entryPoints = ["src/cli/choose/sessions-here.ts"]
  buildSync({ entryPoints, outfile, bundle: true, minify: true, platform: "node", format: "esm", packages: "external" })
  return outfile
}

/** Everything `headway list` does about other agents, with nothing kept from before. */
const scanCode = (home: string): string => `
  const started = performance.now()
  const { sessionsHere } = await import(${JSON.stringify(pathToFileURL(builtReader()).href)})
  const io = { env: { HEADWAY_NO_ERROR_LOG: "1" }, home: ${JSON.stringify(home)}, cwd: "/", now: () => new Date(), err() {} }
  const found = await sessionsHere({ io, values: { root: ${JSON.stringify(home)} }, words: [] })
  const counted = { sessions: found.length, plans: found.filter(({ summary }) => summary).length }
  ${report}`

const readlineCode = (home: string): string => `
  import { createReadStream, readdirSync } from "node:fs"
  import { join } from "node:path"
  import { createInterface } from "node:readline"
  const started = performance.now()
  const counted = { sessions: 0, plans: 0 }
  for (const path of readdirSync(${JSON.stringify(home)}, { recursive: true })) {
    if (!path.endsWith(".jsonl")) continue
    counted.sessions += 1
    for await (const line of createInterface({ input: createReadStream(join(${JSON.stringify(home)}, path)) })) JSON.parse(line)
  }
  ${report}`

const ripgrep = (home: string): boolean => {
  const words = ["-j1", "-c", "--hidden", "--no-ignore", "--no-messages", "TodoWrite", home]
  return spawnSync("rg", words, { stdio: ["ignore", "pipe", "ignore"] }).status === 0
}

const timeOf = (action: () => void): number => {
  const started = performance.now()
  action()
  return performance.now() - started
}

/** The scan is what the command takes beyond a bare start of Node: under `--root` it keeps nothing, and so reads all of it. */
const reading = async (home: string, { files, bytes, lines, todoCalls }: Tree): Promise<Row[]> => {
  const hasRipgrep = ripgrep(home)
  const times = { scan: [] as number[], ripgrep: [] as number[], readline: [] as number[] }
  let memory = 0
  const scanned = probe(scanCode(home))
  if (scanned.sessions !== files) throw new Error(`${scanned.sessions} of ${files} sessions were found`)
  for (let round = 0; round < 7; round += 1) {
    memory = Math.max(memory, probe(scanCode(home)).memory)
    times.scan.push(timeOf(() => void runNode([bin, "list", "--all", "--root", home])) - timeOf(bareStart))
    times.ripgrep.push(hasRipgrep ? timeOf(() => void ripgrep(home)) : 0)
    if (round < 2) times.readline.push(probe(readlineCode(home)).time)
  }
  const [scan, rg, readline] = [median(times.scan), median(times.ripgrep), median(times.readline)]
  const size = `${Math.round(bytes / (1 << 20))} MB, ${files} files, ${lines} lines, ${todoCalls} todo calls`
  return [
    { what: "the tree", figure: size },
    hasRipgrep
      ? { what: "rg -j1 -c TodoWrite", figure: milliseconds(rg) }
      : { what: "rg -j1 -c TodoWrite", figure: "ripgrep is not installed: not compared" },
    { what: "readline + JSON.parse", figure: milliseconds(readline) },
    { what: "cold scan to plans", figure: milliseconds(scan), ...(hasRipgrep ? { ratio: scan / rg, limit: 3 } : {}) },
    { what: "the same against parsing all", figure: milliseconds(scan), ratio: scan / readline, limit: 0.1 },
    { what: "memory of it", figure: `${memory.toFixed(0)} MB`, ratio: memory, limit: 100 },
  ]
}

const warm = (home: string): Row[] => {
  const list = () => {
    const { status, stderr } = spawnSync(process.execPath, [bin, "list"], {
      env: { ...process.env, HOME: home, HEADWAY_HOME: join(home, ".headway") },
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 1 << 28,
    })
    if (status !== 0) throw new Error(`headway list ended with ${status}: ${stderr}`)
  }
  const times = byTurns({ bare: bareStart, list }, 15)
  return [
    { what: "node -e 0", figure: milliseconds(times.bare) },
    {
      what: "headway list, nothing changed",
      figure: milliseconds(times.list),
      ratio: times.list / times.bare,
      limit: 2,
    },
  ]
}

/** All sessions of one database, and twice as many: time must grow as they do. */
const manyInOne = (): Row[] => {
  const counts = [4_000, 8_000]
  const [half = 0, all = 0] = counts.map((count) => {
    const home = mkdtempSync(join(tmpdir(), "headway-bench-"))
    try {
      writeSessions(home, count)
      const found = Array.from({ length: 5 }, () => probe(scanCode(home)))
      if (found.some(({ plans }) => plans !== count)) throw new Error(`not all of ${count} plans were found`)
      return median(found.map(({ time }) => time))
    } finally {
      rmSync(home, { recursive: true })
    }
  })
  return [
    { what: `${counts[0]} sessions in one database`, figure: milliseconds(half) },
    { what: `${counts[1]} sessions in one database`, figure: milliseconds(all), ratio: all / half, limit: 3 },
  ]
}

const writeSessions = (home: string, count: number): void => {
  const folder = join(home, ".local", "share", "opencode")
  mkdirSync(folder, { recursive: true })
  const database = new Database(join(folder, "opencode.db"))
  database.exec("create table session (id text primary key, directory text)")
  database.exec(
    "create table todo (session_id text, content text, status text, position integer, time_updated integer)",
  )
  database.exec("begin")
  const session = database.prepare("insert into session values (?, '/p')")
  const todo = database.prepare("insert into todo values (?, ?, 'pending', ?, 1800000000000)")
  for (let id = 0; id < count; id += 1) {
    session.run(`ses_${id}`)
    for (let position = 0; position < 5; position += 1) todo.run(`ses_${id}`, `Todo ${position}`, position)
  }
  database.exec("commit")
  database.close()
}

/** One more line in a short file and in a long one. */
const following = (): Row[] => {
  const folder = mkdtempSync(join(tmpdir(), "headway-bench-"))
  const stream = formats["claude-transcript"]
  const about = { isSidechain: false, sessionId: "s", version: "2.1.120", cwd: "/p", timestamp: "2030-01-01T00:00:00Z" }
  const line = `${JSON.stringify({ ...about, type: "user", uuid: "u", message: { content: "word ".repeat(400) } })}\n`
  const files = [1, 200].map((size) => {
    const path = join(folder, `${size}.jsonl`)
    writeFileSync(path, "")
    const part = line.repeat(Math.floor((1 << 20) / line.length))
    for (let count = 0; count < size; count += 1) appendFileSync(path, part)
    return { path, state: scanFile(path, stream).state as ScanState | undefined, times: [] as number[] }
  })
  for (let round = 0; round < 60; round += 1) {
    for (const file of files) {
      appendFileSync(file.path, line)
      const started = performance.now()
      file.state = scanFile(file.path, stream, { from: file.state }).state
      file.times.push(performance.now() - started)
    }
  }
  rmSync(folder, { recursive: true })
  const [short = 0, long = 0] = files.map(({ times }) => median(times.slice(10)))
  return [
    { what: "one more line after 1 MB", figure: milliseconds(short) },
    { what: "one more line after 200 MB", figure: milliseconds(long), ratio: long / short, limit: 1.5 },
  ]
}
