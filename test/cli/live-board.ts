/** A live board for the tests: a person's home with recorded sessions, agents that go on writing, and no sleeping. */
import { appendFileSync, cpSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { onTestFinished } from "vitest"
import { type BoardOptions, type LiveBoard, openBoardSource } from "../../src/cli/board-source.ts"
import type { Io } from "../../src/cli/io.ts"
import type { BoardSession } from "../../src/views/board/session.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { silentIo } from "./silent-io.ts"

const recorded = resolve("test/fixtures/streams")

/** Some minutes after the recordings were made. */
export const clock = { now: new Date("2026-11-15T19:00:00Z") }

export const homeWith = (...recordings: string[]): string => {
  const home = temporaryFolder()
  for (const name of recordings) cpSync(join(recorded, name, "home"), home, { recursive: true })
  return home
}

/** The one session file of an agent whose path holds these words. */
export const fileIn = (home: string, ...words: string[]): string => {
  const paths = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".jsonl"))
  const [path = "", ...others] = paths.filter((one) => words.every((word) => one.includes(word)))
  if (path === "" || others.length > 0) throw new Error(`${words.join(" ")} names ${paths.join(", ")}`)
  return join(home, path)
}

export const ioAt = (home: string, io: Partial<Io> = {}): Io => silentIo(home, { now: () => clock.now, ...io })

export type WatchedBoard = LiveBoard & {
  /** Resolves when the board says so. */
  until(holds: (board: LiveBoard) => boolean): Promise<void>
  /** The first session whose id begins so, or the main one of all. */
  session(begin?: string, agent?: string): BoardSession
}

export const boardAt = async (home: string, options: BoardOptions = {}): Promise<WatchedBoard> => {
  const board = await openBoardSource({ io: ioAt(home), values: {}, words: [], behind: [] }, options)
  onTestFinished(board.close)
  const until = (holds: (board: LiveBoard) => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!holds(board)) return
        stop()
        resolve()
      }
      const stop = board.subscribe(look)
      look()
    })
  const session = (begin = "", agent = "main"): BoardSession => {
    const found = board.sessions.find((one) => one.session.startsWith(begin) && one.agent.startsWith(agent))
    if (!found) throw new Error(`no session ${begin} ${agent}`)
    return found
  }
  return Object.assign(board, { until, session })
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

/** A todo each: status and words. */
export const told = ({ plan }: BoardSession): string[] =>
  plan?.todos.map(({ status, content }) => `${status} ${content}`) ?? []

export const linesOf = (path: string): string[] => readFileSync(path, "utf8").split("\n").filter(Boolean)
