/** A listing of tens of thousands of agents' sessions, of which nothing has changed: CPU time and memory of the whole command. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writeSessions } from "./live.ts"
import { bin, median, milliseconds, type Row } from "./measure.ts"

const sessions = Number(process.env.HEADWAY_BENCH_MANY ?? 50_000)

/** Prints what the process has used once it ends. */
const meter = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => { const { user, system } = process.cpuUsage(); console.error("used", (user + system) / 1000, process.resourceUsage().maxRSS / 1024) })',
)}`

type Used = { time: number; memory: number }

const list = (home: string): Used => {
  const { status, stderr } = spawnSync(process.execPath, ["--import", meter, bin, "list"], {
    env: { ...process.env, HOME: home, HEADWAY_HOME: join(home, ".headway") },
    encoding: "utf8",
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(`headway list ended with ${status}: ${stderr}`)
  const [, time, memory] = /^used ([\d.]+) ([\d.]+)$/m.exec(stderr) ?? []
  return { time: Number(time), memory: Number(memory) }
}

export const many = async (): Promise<Row[]> => {
  const home = mkdtempSync(join(tmpdir(), "headway-bench-"))
  try {
    writeSessions(home, sessions)
    const first = list(home)
    const used = Array.from({ length: 5 }, () => list(home))
    const [time, memory] = [median(used.map((one) => one.time)), median(used.map((one) => one.memory))]
    return [
      { what: `${sessions} sessions, nothing kept`, figure: `${milliseconds(first.time)} of CPU time` },
      {
        what: "the same, nothing changed",
        figure: `${milliseconds(time)} of CPU time`,
        ratio: time / 1_000,
        limit: 1,
      },
      { what: "memory of it", figure: `${memory.toFixed(0)} MB`, ratio: memory, limit: 200 },
    ]
  } finally {
    rmSync(home, { recursive: true })
  }
}
