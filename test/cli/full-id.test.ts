/** A session that is named by its whole id, as programs do, is the same as one named by a part of it. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { temporaryFolder } from "../stores/temporary.ts"
import { type ClaudeStep, claudeSteps, todoWrite } from "./agent-sessions.ts"
import { atHome } from "./run-cli.ts"

const session = "5e000000-0000-4000-8000-000000000001"
const part = session.slice(0, 8)

const [first, then, later] = ["2030-01-01T10:00:00Z", "2030-01-01T10:10:00Z", "2030-01-01T10:20:00Z"]

/** Its first list came through a hook; what it did after that stands only in its file. */
const hookedOnce = async (steps: readonly ClaudeStep[]) => {
  const home = temporaryFolder()
  const cwd = join(home, "shop")
  mkdirSync(join(cwd, ".git"), { recursive: true })
  const { run } = atHome({ home, cwd, now: later })
  const begun = { Read: "in_progress", Fix: "pending" }
  const transcript = claudeSteps(home, { session, cwd, steps: [{ at: first, todos: begun }] })
  const call = { tool_name: "TodoWrite", tool_use_id: "call-1", tool_input: todoWrite(begun) }
  const event = { session_id: session, transcript_path: transcript, cwd, hook_event_name: "PostToolUse", ...call }
  await run(["hook", "claude-code"], { input: JSON.stringify(event), now: first })
  claudeSteps(home, { session, cwd, steps: [{ at: first, todos: begun }, ...steps] })
  return { home, cwd, run }
}

const finished: ClaudeStep = { at: then, todos: { Read: "completed", Fix: "completed", Deploy: "in_progress" } }

test("its list is the one that its session has now", async () => {
  const { run } = await hookedOnce([finished])
  const whole = await run(["show", session])
  expect(whole.out).toContain("▶ 3 Deploy")
  expect(await run(["show", part])).toEqual(whole)
})

test("its todos are changed as its session has them now", async () => {
  const { run } = await hookedOnce([finished])
  expect(await run(["todo", "done", "Deploy", "--session", session])).toMatchObject({ code: 0 })
  expect((await run(["statusline", "--session", session])).out).toContain("3/3")
})

test("its history is that of its session", async () => {
  const { run } = await hookedOnce([finished])
  const whole = await run(["history", "--session", session])
  expect(whole.out).toContain('added 3 "Deploy"')
  expect(await run(["history", "--session", part])).toEqual(whole)
})

test("its evidence is the same", async () => {
  const { run } = await hookedOnce([
    { at: then, failed: "npm test" },
    { at: then, todos: { Read: "completed" } },
  ])
  const whole = await run(["show", session, "--evidence"])
  expect(whole.out).toContain("npm test")
  expect(await run(["show", part, "--evidence"])).toEqual(whole)
  expect(await run(["show", session])).toEqual(await run(["show", part]))
})

test("a person's change does not keep a list of before from being imported", async () => {
  const { home, cwd, run } = await hookedOnce([])
  await run(["todo", "note", "2", "Ask Maria", "--session", session], { now: later })
  const begun = { Read: "in_progress", Fix: "pending" }
  claudeSteps(home, { session, cwd, steps: [{ at: first, todos: begun }, finished] })
  expect((await run(["list"], { now: later })).out).toContain("2/3")
  expect((await run(["show", session, "--json"], { now: later })).out).toContain("Ask Maria")
})

test("a plan whose agent leaves no session files is shown without looking for one", async () => {
  const { home, run } = await hookedOnce([])
  await run(["write", "--session", "mine", "--new"], { input: '{"todos":["Mine"]}' })
  // Every look at the sessions reports it.
  const misnamed = join(home, ".claude/projects/-p", session, "subagents/agent-main.jsonl")
  mkdirSync(dirname(misnamed), { recursive: true })
  writeFileSync(misnamed, "{}\n")
  expect(await run(["show", session])).toMatchObject({ code: 0, err: expect.stringContaining("was skipped") })
  expect(await run(["show", "mine"])).toMatchObject({ code: 0, err: "" })
})
