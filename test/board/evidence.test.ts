/** The evidence for done todos on the board: computed for the visible plan, cached, and dropped when it is no longer true. */
import { execFileSync } from "node:child_process"
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { DoneMark } from "../../src/views/plan/evidence-marks.ts"
import { atHome } from "../cli/run-cli.ts"
import { boardAt, claudeLine, clock, homeWithAgent, later, type WatchedBoard } from "./live-board.ts"

/** A command of Claude Code, and what it printed. */
const runs = (file: string, at: number, command: string, prints: string): void => {
  const id = `toolu_run_${at}`
  const call = { type: "tool_use", id, name: "Bash", input: { command } }
  const answer = { type: "tool_result", tool_use_id: id, content: prints, is_error: false }
  appendFileSync(
    file,
    claudeLine(file, later(at), { type: "assistant", message: { role: "assistant", content: [call] } }) +
      claudeLine(file, later(at), { type: "user", message: { role: "user", content: [answer] } }),
  )
}

const contradicted = () => {
  const agent = homeWithAgent()
  agent.says(1, ["Fix login", "in_progress"])
  runs(agent.file, 2, "npm test | tail -5", "Tests  1 failed | 2 passed (3)")
  agent.says(3, ["Fix login", "completed"])
  return agent
}

const markOf = async (board: WatchedBoard, id = "1"): Promise<DoneMark | undefined> =>
  (await board.read(board.row().key)).marks?.[id]

const cached = (home: string): string[] => {
  const folder = join(home, ".headway/cache/evidence")
  return existsSync(folder) ? readdirSync(folder) : []
}

test("a session in view gets a mark for each completed todo, and its row names what is doubtful", async () => {
  const { home } = contradicted()
  const board = await boardAt(home)
  await board.until(async () => (await markOf(board)) !== undefined)
  expect(await markOf(board)).toMatchObject({ word: "contradicted" })
  expect((await markOf(board))?.sentences.join(" ")).toContain('"npm test | tail -5" failed')
  expect(board.row().contradicted).toBe(1)
})

test("a session at rest has its doubts on its row without being opened", async () => {
  const { home, file } = contradicted()
  const call = {
    type: "assistant",
    message: { role: "assistant", content: [{ type: "text", text: "Done." }], stop_reason: "end_turn" },
  }
  appendFileSync(file, claudeLine(file, later(4), call))
  const board = await boardAt(home)
  await board.until(() => board.row().contradicted === 1)
  expect(board.row().contradicted).toBe(1)
})

test("marks follow the session as it continues", async () => {
  const { home, file, says } = contradicted()
  const board = await boardAt(home)
  await board.until(async () => (await markOf(board))?.word === "contradicted")
  runs(file, 10, "npm test | tail -5", "Tests  3 passed (3)")
  says(11, ["Fix login", "completed"], ["Ship", "in_progress"])
  await board.until(async () => (await markOf(board))?.word === "nothing-seen")
  expect(board.row().contradicted).toBeUndefined()
})

test("evidence is cached, and the cache is not used when the file has changed", async () => {
  const { home, file } = contradicted()
  const { run } = atHome({ home, cwd: home, now: clock.now.toISOString() })
  const show = (): Promise<string> => run(["show", "11111111"]).then(({ out }) => out)
  expect(await show()).toContain("!☒ 1 Fix login")
  const [name = ""] = cached(home)
  const path = join(home, ".headway/cache/evidence", name)
  writeFileSync(path, readFileSync(path, "utf8").replaceAll('"contradicted"', '"backed"'))
  expect(await show()).toContain("+☒ 1 Fix login")
  runs(file, 20, "ls", "a")
  expect(await show()).toContain("!☒ 1 Fix login")
  writeFileSync(path, "{")
  expect(await show()).toContain("!☒ 1 Fix login")
})

test("the status line shows cached evidence, and works out none itself", async () => {
  const { home, file } = contradicted()
  const { run } = atHome({ home, cwd: home, now: clock.now.toISOString() })
  const input = JSON.stringify({ session_id: "11111111-2222-4333-8444-555555555555", transcript_path: file })
  const line = (): Promise<string> => run(["statusline"], { input }).then(({ out }) => out.trim())
  expect(await line()).toBe("✓ 1/1")
  expect(cached(home)).toEqual([])
  await run(["show", "11111111"])
  expect(await line()).toBe("!✓ 1/1 · 1 done?")
  expect(JSON.parse((await run(["statusline", "--json"], { input })).out)).toMatchObject({ contradicted: 1 })
  runs(file, 20, "ls", "a")
  expect(await line()).toBe("✓ 1/1")
})

test("a plan for a model, a checklist and a list have no marks, and listing works out no evidence", async () => {
  const { home } = contradicted()
  const { run } = atHome({ home, cwd: home, now: clock.now.toISOString() })
  await run(["list", "--json"])
  expect((await run(["show", "11111111", "--format", "markdown"])).out).not.toContain("!")
  expect((await run(["show", "11111111", "--for-model"])).out).not.toContain("!")
  expect(cached(home)).toEqual([])
})

test("a failed check of the whole plan is on the board: on each done todo, and on the row", async () => {
  const env = { PATH: process.env.PATH ?? "" }
  const { home, run } = atHome({ env })
  const cwd = join(home, "shop")
  mkdirSync(cwd)
  execFileSync("git", ["init", "-q"], { cwd })
  const todos = ["Fix login", "Write docs"].map((content) => ({ content, status: "completed" }))
  await run(["write", "--new", "--session", "s"], { cwd, input: JSON.stringify({ todos }) })
  await run(["check", "set", "exit 3", "--session", "s"], { cwd })
  await run(["check", "--session", "s"], { cwd })
  const board = await boardAt(home, {}, { env })
  await board.until(async () => (await markOf(board)) !== undefined)
  expect(await markOf(board)).toMatchObject({ word: "contradicted", sentences: [expect.stringContaining('"exit 3"')] })
  expect(board.row().contradicted).toBe(2)
})
