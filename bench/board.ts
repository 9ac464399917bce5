/** One frame of the board after one change, from the change to the bytes: 200 sessions, and plans of several lengths. */
import { progressOf } from "../src/plan/progress.ts"
import type { Plan } from "../src/plan/todo.ts"
import { createBoardModel } from "../src/tui/board/model.ts"
import { createFrameWriter } from "../src/tui/terminal/frame-writer.ts"
import type { Timer } from "../src/tui/terminal/pace.ts"
import { paintRows } from "../src/tui/terminal/paint.ts"
import type { BoardSession, BoardSource } from "../src/views/board/session.ts"
import { median, milliseconds, percentile, type Row } from "./measure.ts"

const rounds = 60
const size = { columns: 120, rows: 40, ascii: false }
const now = new Date("2030-01-01T12:00:00Z")

/** A plan at its first todo; another one of those in sight is done in every second revision. */
const planOf = (length: number, revision: number): Plan => ({
  todos: Array.from({ length }, (_, index) => ({
    id: String(index + 1),
    content: `Migrate module number ${index + 1} to the new interface and see that nothing else depends on the old one`,
    status: index === 0 ? "in_progress" : index === 5 && revision % 2 === 1 ? "completed" : "pending",
  })),
  phases: [],
  revision,
})

const sessionOf = (index: number, plan: Plan): BoardSession => ({
  key: `session ${String(index).padStart(3, "0")}`,
  agentType: "claude-code",
  session: `session-${index}`,
  agent: "main",
  project: `project ${index % 20}`,
  state: index % 4 === 0 ? "working" : "finished",
  planTool: "present",
  updated: now.toISOString(),
  progress: progressOf(plan),
  todos: plan.todos.length,
  current: "Migrating module number 1",
  plan,
  times: Object.fromEntries(plan.todos.map(({ id }) => [id, { started: now.toISOString() }])),
  isEditable: true,
  version: plan.revision,
})

/** Never lets anybody wait, so that only the work is measured. */
const hurried = (): Timer => {
  let time = 0
  return {
    now: () => {
      time += 1_000
      return time
    },
    after: () => () => undefined,
  }
}

const measure = async (length: number): Promise<{ times: number[]; ratios: number[]; bytes: number[] }> => {
  const small = planOf(12, 3)
  const others = Array.from({ length: 199 }, (_, index) => sessionOf(index + 1, small))
  let sessions: readonly BoardSession[] = [sessionOf(0, planOf(length, 0)), ...others]
  let changed = (): void => undefined
  const source: BoardSource = {
    get sessions() {
      return sessions
    },
    subscribe(listener) {
      changed = listener
      return () => undefined
    },
    show: () => undefined,
    edit: async () => ({ outcome: "unchanged", message: "" }),
    textOf: () => "",
  }
  const model = createBoardModel({
    source,
    size,
    now: () => now,
    editText: async () => undefined,
    onQuit: () => undefined,
    onPause: () => undefined,
    onRedraw: () => undefined,
    timer: hurried(),
  })
  let written = ""
  let onWrite = (): void => undefined
  const writer = createFrameWriter(
    {
      write(text) {
        written = text
        onWrite()
        return true
      },
      once: () => undefined,
    },
    hurried(),
  )
  let frame = ""
  const draw = (): void => {
    const next = paintRows(model.lines(), true)
    frame = next
    writer.show(next)
  }
  model.subscribe(draw)
  draw()

  const result = { times: [] as number[], ratios: [] as number[], bytes: [] as number[] }
  for (let round = 1; round <= rounds; round += 1) {
    const next = [sessionOf(0, planOf(length, round)), ...others]
    const before = frame.split("\n")
    const shown = new Promise<void>((resolve) => {
      onWrite = resolve
    })
    const started = performance.now()
    sessions = next
    changed()
    await shown
    result.times.push(performance.now() - started)
    const rows = frame.split("\n").filter((row, index) => row !== before[index])
    const wanted = rows.reduce((sum, row) => sum + Buffer.byteLength(row), 0)
    result.bytes.push(Buffer.byteLength(written))
    result.ratios.push(Buffer.byteLength(written) / wanted)
  }
  model.close()
  writer.close()
  return result
}

export const board = async (): Promise<Row[]> => {
  // The first run warms everything up.
  await measure(12)
  const short = await measure(12)
  const long = await measure(1_000)
  const longest = await measure(5_000)
  return [
    { what: "frame, 200 sessions, 12 todos", figure: timesOf(short.times) },
    { what: "frame, 200 sessions, 1,000 todos", figure: timesOf(long.times) },
    {
      what: "frame, 200 sessions, 5,000 todos, against 12",
      figure: timesOf(longest.times),
      ratio: median(longest.times) / median(short.times),
      limit: 3,
    },
    {
      what: "bytes after one change, against changed rows",
      figure: `${median(long.bytes)} bytes`,
      ratio: Math.max(...long.ratios),
      limit: 3,
    },
  ]
}

const timesOf = (times: readonly number[]): string =>
  `${milliseconds(median(times))}, p99 ${milliseconds(percentile(times, 0.99))}`
