/** `headway serve` as a process: from a line on disk to the event a page gets, its memory with many pages, its CPU at rest. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { bin, milliseconds, percentile, type Row } from "./measure.ts"

const sessions = Number(process.env.HEADWAY_BENCH_SESSIONS ?? 200)
const changes = Number(process.env.HEADWAY_BENCH_CHANGES ?? 200)
const pages = 100
/** Longer than bursts are gathered for: each line is a change of its own. */
const restful = 70
/** How long the server is left alone, in milliseconds. */
const idle = 10_000

export const web = async (): Promise<Row[]> => {
  const home = mkdtempSync(join(tmpdir(), "headway-bench-"))
  const file = writeSessions(home)
  const { child, origin, headers } = await serve(home)
  try {
    const alone = memoryOf(child)
    const first = await timesOf(origin, headers, file, 0)
    // One after the other: the server closes the oldest of many connections that have not sent a token yet.
    const open: Listening[] = []
    while (open.length < pages) open.push(await openPage(origin, headers))
    await Promise.all(open.map((page) => page.until(() => true)))
    const with100 = memoryOf(child)
    const atRest = await cpuOf(child, idle)
    const many = await timesOf(origin, headers, file, changes)
    const after = memoryOf(child)
    open.forEach((page) => void page.close())
    return [
      { what: "the home", figure: `${sessions} sessions, ${changes} lines appended to one` },
      { what: "a line to the event a page gets", figure: figureOf(first) },
      { what: `the same with ${pages} pages`, figure: figureOf(many) },
      {
        what: `memory with ${pages} pages`,
        figure: `${mib(with100)}, ${mib(alone)} with none`,
        ratio: with100 / alone,
        limit: 2,
      },
      { what: `memory after ${changes} more changes`, figure: mib(after), ratio: after / with100, limit: 1.5 },
      {
        what: `CPU at rest with ${pages} pages`,
        figure: `${(atRest * 100).toFixed(2)} % of a core`,
        ratio: atRest / 0.02,
        limit: 1,
      },
    ]
  } finally {
    child.kill("SIGTERM")
    await once(child, "exit")
    rmSync(home, { recursive: true })
  }
}

const figureOf = (times: readonly number[]): string =>
  `p50 ${milliseconds(percentile(times, 0.5))}, p99 ${milliseconds(percentile(times, 0.99))}`

const mib = (bytes: number): string => `${(bytes / (1 << 20)).toFixed(0)} MiB`

type Server = { child: ChildProcess; origin: string; headers: Record<string, string> }

const serve = async (home: string): Promise<Server> => {
  const child = spawn(process.execPath, [resolve(bin), "serve", "--port", "0", "--json"], {
    cwd: home,
    env: { ...process.env, HOME: home, HEADWAY_HOME: join(home, ".headway") },
    stdio: ["ignore", "pipe", "inherit"],
  })
  let text = ""
  for await (const chunk of child.stdout) {
    text += chunk
    if (text.endsWith("}\n")) break
  }
  const page = new URL((JSON.parse(text) as { page: string }).page)
  return { child, origin: page.origin, headers: { authorization: `Bearer ${page.searchParams.get("token")}` } }
}

type Listening = { until(holds: (event: string) => boolean): Promise<void>; close(): void }

const openPage = async (origin: string, headers: Record<string, string>): Promise<Listening> => {
  const controller = new AbortController()
  const { body } = await fetch(`${origin}/api/events`, { headers, signal: controller.signal })
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ""
  return {
    async until(holds) {
      for (;;) {
        const end = text.lastIndexOf("\n\n")
        if (end >= 0 && holds(text.slice(0, end))) {
          text = text.slice(end + 2)
          return
        }
        const read = await reader?.read()
        if (!read || read.done) throw new Error("The stream ended.")
        text += decoder.decode(read.value, { stream: true })
      }
    },
    close: () => controller.abort(),
  }
}

/** The milliseconds from each appended list to the event that has its first todo. */
const timesOf = async (
  origin: string,
  headers: Record<string, string>,
  file: string,
  from: number,
): Promise<number[]> => {
  const page = await openPage(origin, headers)
  await page.until((text) => text.includes('"isWhole":true'))
  const times: number[] = []
  for (let number = from; number < from + changes; number += 1) {
    const words = `Step ${number} of the bench`
    const started = performance.now()
    appendFileSync(file, says(words, new Date().toISOString()))
    await page.until((text) => text.includes(words))
    times.push(performance.now() - started)
    await pause(restful)
  }
  page.close()
  return times
}

const memoryOf = ({ pid }: ChildProcess): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024

/** The share of a core that a process takes while it is left alone. */
const cpuOf = async (child: ChildProcess, time: number): Promise<number> => {
  await pause(2_000)
  const before = ticksOf(child)
  await pause(time)
  return (ticksOf(child) - before) / 100 / (time / 1000)
}

const ticksOf = ({ pid }: ChildProcess): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return Number(fields[11]) + Number(fields[12])
}

/** Sessions that are over, each with a list, and one that goes on. Returns its file. */
const writeSessions = (home: string): string => {
  let file = ""
  for (let count = 0; count < sessions; count += 1) {
    const folder = join(home, ".claude/projects", `-p${count % 10}`)
    mkdirSync(folder, { recursive: true })
    file = join(folder, `${String(count).padStart(8, "0")}-2222-4333-8444-555555555555.jsonl`)
    writeFileSync(file, says(`Step of session ${count}`, "2025-11-15T19:00:00Z"))
  }
  return file
}

let calls = 0

/** Claude Code says its whole list, and is told that it worked. */
const says = (content: string, at: string): string => {
  calls += 1
  const id = `toolu_${calls}`
  const call = {
    type: "tool_use",
    id,
    name: "TodoWrite",
    input: { todos: [{ content, status: "in_progress", activeForm: content }] },
  }
  const result = { type: "tool_result", tool_use_id: id, content: "Done" }
  const line = (type: string, part: object): string =>
    `${JSON.stringify({ parentUuid: "u", isSidechain: false, uuid: `${id}${type}`, version: "2.1.120", cwd: "/p", timestamp: at, type, message: { role: type, content: [part] } })}\n`
  return line("assistant", call) + line("user", result)
}
