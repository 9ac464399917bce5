/** A live board for the tests: a person's home with recorded sessions, agents that go on writing, and no sleeping. */
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { onTestFinished } from "vitest"
import type { Board } from "../../src/board/board.ts"
import { type OpenBoardOptions, openBoardHere } from "../../src/cli/board/open-board.ts"
import type { Io } from "../../src/cli/io.ts"
import { createOpened } from "../../src/cli/opened.ts"
import type { Plan, TodoSpan } from "../../src/plan/index.ts"
import type { BoardEdit, SessionRow } from "../../src/views/board/session.ts"
import { silentIo } from "../cli/silent-io.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const recorded = resolve("test/fixtures/streams")

/** Some minutes after the recordings were made. */
export const clock = { now: new Date("2026-11-15T19:00:00Z") }

export const homeWith = (...recordings: string[]): string => {
  const home = temporaryFolder()
  for (const name of recordings) cpSync(join(recorded, name, "home"), home, { recursive: true })
  return home
}

/**
 * The same, as if a person had started Claude Code at a terminal and not a program for one task. The folder it works in
 * is on no machine, so that the processes of this one say nothing about it.
 */
export const homeWithPerson = (...recordings: string[]): string => {
  const home = homeWith(...recordings)
  for (const name of readdirSync(home, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".jsonl")) continue
    const path = join(home, name)
    const text = readFileSync(path, "utf8").replaceAll('"entrypoint":"sdk-cli"', '"entrypoint":"cli"')
    writeFileSync(path, text.replaceAll(`"cwd":"${recordedFolder}"`, `"cwd":"${folderOnNoMachine}"`))
  }
  return home
}

/** The folder that the recordings were made in. A machine may have it. */
export const recordedFolder = "/home/user/project"

/** A file has no folders in it. */
export const folderOnNoMachine = "/dev/null/project"

/** So many seconds after the minute before the clock. */
export const later = (seconds: number): string =>
  new Date(Date.parse("2026-11-15T18:59:00Z") + seconds * 1000).toISOString()

/** One Claude Code session that says the lists it is told to say. */
export const homeWithAgent = () => {
  const home = temporaryFolder()
  const folder = join(home, ".claude/projects/-p")
  mkdirSync(folder, { recursive: true })
  const file = join(folder, "11111111-2222-4333-8444-555555555555.jsonl")
  writeFileSync(file, claudeLine(file, later(0), { type: "user", message: { role: "user", content: "Go" } }))
  return { home, file, says: (at: number, ...items: Item[]) => claudeSays(file, later(at), ...items) }
}

/** The one session file of an agent whose path holds these words. */
export const fileIn = (home: string, ...words: string[]): string => {
  const paths = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".jsonl"))
  const [path = "", ...others] = paths.filter((one) => words.every((word) => one.includes(word)))
  if (path === "" || others.length > 0) throw new Error(`${words.join(" ")} names ${paths.join(", ")}`)
  return join(home, path)
}

export const ioAt = (home: string, io: Partial<Io> = {}): Io => silentIo(home, { now: () => clock.now, ...io })

export type WatchedBoard = Board & {
  /** Resolves when the board says so. */
  until(holds: (board: Board) => boolean | Promise<boolean>): Promise<void>
  /** The first session whose id begins so, or the main one of all. */
  row(begin?: string, agent?: string): SessionRow
  /** Its todos: status and words. */
  todos(begin?: string, agent?: string): Promise<string[]>
  /** When a todo of the first session was begun and finished. */
  times(id: string): Promise<TodoSpan | undefined>
  /** Resolves with the line that says what happened. */
  edited(key: string, change: BoardEdit, seen?: Plan): Promise<string>
}

export const boardAt = async (
  home: string,
  options: OpenBoardOptions = {},
  io: Partial<Io> = {},
): Promise<WatchedBoard> => {
  const board = await openBoardHere(
    { io: ioAt(home, io), values: {}, words: [], behind: [], opened: createOpened() },
    options,
  )
  onTestFinished(board.close)
  const row: WatchedBoard["row"] = (begin = "", agent = "main") => {
    const found = board.rows.find((one) => one.session.startsWith(begin) && one.agent.startsWith(agent))
    if (!found) throw new Error(`no session ${begin} ${agent}`)
    return found
  }
  return Object.assign(board, {
    row,
    until: untilOf(board),
    async todos(begin?: string, agent?: string) {
      const { plan } = await board.read(row(begin, agent).key)
      return plan?.todos.map(({ status, content }) => `${status} ${content}`) ?? []
    },
    times: async (id: string) => (await board.read(row().key)).times[id],
    edited: async (key: string, change: BoardEdit, seen?: Plan) => (await board.edit(key, change, seen)).message,
  })
}

const untilOf =
  (board: Board): WatchedBoard["until"] =>
  async (holds) => {
    let changes = 0
    let wake = (): void => {}
    const stop = board.subscribe(() => {
      changes += 1
      wake()
    })
    for (let before = changes; !(await holds(board)); before = changes) {
      if (changes === before)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
    stop()
  }

type Item = [content: string, status: string]

/** Claude Code says its whole list, and is told that it worked. */
export const claudeSays = (file: string, at: string, ...items: Item[]): void => {
  const todos = items.map(([content, status]) => ({ content, status, activeForm: content }))
  const id = `toolu_${at}`
  const call = { type: "tool_use", id, name: "TodoWrite", input: { todos } }
  const answer = { type: "tool_result", tool_use_id: id, content: "Done" }
  appendFileSync(
    file,
    claudeLine(file, at, { type: "assistant", message: { role: "assistant", content: [call] } }) +
      claudeLine(file, at, { type: "user", message: { role: "user", content: [answer] } }),
  )
}

export const claudeLine = (file: string, at: string, fields: object): string => {
  const sessionId = /([^/]+)\.jsonl$/.exec(file)?.[1]
  const about = { parentUuid: "u", isSidechain: false, uuid: at, sessionId, version: "2.1.120", cwd: "/p" }
  return `${JSON.stringify({ ...about, timestamp: at, ...fields })}\n`
}

export const linesOf = (path: string): string[] => readFileSync(path, "utf8").split("\n").filter(Boolean)
