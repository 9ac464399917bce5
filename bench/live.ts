/** From a line an agent appends to its session file to the board's data, and to the frame on the screen that shows it. */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { setTimeout as pause } from "node:timers/promises"
import xterm from "@xterm/headless"
import { type LiveBoard, openLiveBoard } from "../src/cli/board/open-board.ts"
import type { Io } from "../src/cli/io.ts"
import { createOpened } from "../src/cli/opened.ts"
import { openBoardScreen } from "../src/tui/board/screen.ts"
import { silentIo } from "../test/cli/silent-io.ts"
import { milliseconds, percentile, type Row } from "./measure.ts"

const sessions = Number(process.env.HEADWAY_BENCH_SESSIONS ?? 200)
const appends = 200
/** Longer than bursts are gathered for: each line is a change of its own. */
const restful = 70
/** What was not shown after so long never will be. */
const timeLimit = 10_000

const fixture = "test/fixtures/streams/claude-2.1.197/todowrite/home/.claude/projects/-home-user-project"
const recorded = "d8e9bb8e-98b3-4ce1-8fdb-1f15aec289c3"

export const live = (): Promise<Row[]> =>
  withBoard(async (board, file) => [
    { what: "the home", figure: `${sessions} sessions, ${appends} lines appended to one` },
    ...rowsOf("a line to the board's data", await toData(board, file, restful)),
    ...rowsOf("the same, lines in a burst", await toData(board, file, 5)),
    ...rowsOf("a line to the frame that shows it", await toFrame(board, file)),
  ])

/** Milliseconds from lines of an agent to the frames of the terminal board that show them. */
export const timesToFrame = (): Promise<number[]> => withBoard(toFrame)

const withBoard = async <Result>(use: (board: LiveBoard, file: string) => Promise<Result>): Promise<Result> => {
  const home = mkdtempSync(join(tmpdir(), "headway-bench-"))
  try {
    const file = writeSessions(home)
    const board = await openLiveBoard({ io: ioAt(home), values: {}, words: [], behind: [], opened: createOpened() })
    try {
      if (board.sessions.length !== sessions)
        throw new Error(`${board.sessions.length} sessions instead of ${sessions}`)
      return await use(board, file)
    } finally {
      await board.close()
    }
  } finally {
    rmSync(home, { recursive: true })
  }
}

/** Times as a row. */
export const rowsOf = (what: string, times: readonly number[]): Row[] => [
  { what, figure: `p50 ${milliseconds(percentile(times, 0.5))}, p99 ${milliseconds(percentile(times, 0.99))}` },
]

/** Copies of a recorded session under other ids, in ten projects, all long over but the last. Returns its file. */
export const writeSessions = (home: string, count = sessions): string => {
  const text = readFileSync(join(fixture, `${recorded}.jsonl`), "utf8").replaceAll("2026-11-", "2025-11-")
  let file = ""
  for (let index = 0; index < count; index += 1) {
    const id = `${String(index).padStart(8, "0")}${recorded.slice(8)}`
    const folder = join(home, ".claude/projects", `-p${index % 10}`)
    mkdirSync(folder, { recursive: true })
    file = join(folder, `${id}.jsonl`)
    writeFileSync(file, text.replaceAll(recorded, id).replaceAll("/home/user/project", `/p${index % 10}`))
  }
  say(file, "Begin")
  return file
}

const say = (file: string, content: string): void => {
  const timestamp = new Date().toISOString()
  const sessionId = file.slice(-"00000000-0000-0000-0000-000000000000.jsonl".length, -".jsonl".length)
  const input = { todos: [{ content, status: "in_progress", activeForm: content }] }
  const call = { type: "tool_use", id: `toolu_${content}`, name: "TodoWrite", input }
  const about = { parentUuid: "u", isSidechain: false, uuid: content, sessionId, version: "2.1.197", cwd: "/p0" }
  const result = { type: "tool_result", tool_use_id: call.id, content: "Todos have been modified successfully." }
  // A call counts when it has been answered; agents write both at once.
  const lines = [
    { ...about, timestamp, type: "assistant", message: { role: "assistant", content: [call] } },
    { ...about, timestamp, type: "user", message: { role: "user", content: [result] } },
  ]
  appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
}

/** Milliseconds from each append until what was asked for is so. */
export const timed = async (
  file: string,
  gap: number,
  shows: (content: string, done: () => void) => void,
): Promise<number[]> => {
  const times: number[] = []
  for (let count = 0; count < appends; count += 1) {
    await pause(gap)
    const content = `Step ${gap}.${count}`
    const shown = new Promise<true>((resolve) => shows(content, () => resolve(true)))
    const started = performance.now()
    say(file, content)
    if (!(await Promise.race([shown, pause(timeLimit, false, { ref: false })])))
      throw new Error(`"${content}" was never shown`)
    times.push(performance.now() - started)
  }
  return times
}

const toData = async (board: LiveBoard, file: string, gap: number): Promise<number[]> => {
  let look = (): void => {}
  const stop = board.subscribe(() => look())
  const times = await timed(file, gap, (content, done) => {
    look = () => {
      if (board.sessions.some(({ current }) => current === content)) done()
    }
  })
  stop()
  return times
}

const toFrame = async (board: LiveBoard, file: string): Promise<number[]> => {
  let look = (): void => {}
  const [columns, rows] = [160, 50]
  // Only a terminal knows what is on the screen: a frame may say no more than what has changed.
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true })
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns, rows })
  stdout.on("data", (chunk: Buffer) => emulator.write(chunk, () => look()))
  const isOnScreen = (content: string): boolean =>
    Array.from({ length: rows }, (_, row) => emulator.buffer.active.getLine(row)?.translateToString()).some((line) =>
      line?.includes(content),
    )
  const noKeys = { isTTY: true, setRawMode: () => stdin, ref: () => stdin, unref: () => stdin }
  const stdin = Object.assign(new PassThrough(), noKeys)
  const ended = openBoardScreen({
    source: board,
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    appearance: { colour: false, ascii: false },
    now: () => new Date(),
    editText: (text: string) => text,
  })
  const times = await timed(file, restful + 1, (content, done) => {
    look = () => {
      if (isOnScreen(content)) done()
    }
  })
  stdin.write("q")
  await ended
  return times
}

const ioAt = (home: string): Io => silentIo(home, { env: { HEADWAY_NO_ERROR_LOG: "1" } })
