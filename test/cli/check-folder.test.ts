/** The folder in which checks run, if the session of the plan works in another one than the person. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { boardAt } from "../board/live-board.ts"
import { claudeSession } from "./agent-sessions.ts"
import { atHome } from "./run-cli.ts"

const env = { PATH: process.env.PATH ?? "" }

/** A repository with a worktree, and another repository. The check of each plan leaves a file where it ran. */
const begun = async () => {
  const { home, run } = atHome({ env })
  const [shop, other, worktree] = [join(home, "shop"), join(home, "other"), join(home, "worktree")]
  for (const cwd of [shop, other]) {
    mkdirSync(cwd)
    execFileSync("git", ["init", "-q"], { cwd })
  }
  const commit = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"]
  execFileSync("git", commit, { cwd: shop })
  execFileSync("git", ["worktree", "add", "-q", worktree], { cwd: shop })
  /** An agent's hook in a folder begins its plan, with a check. */
  const session = async (cwd: string, id: string): Promise<void> => {
    const todos = [{ content: "Fix login", status: "completed", activeForm: "x" }]
    const call = { tool_name: "TodoWrite", tool_input: { todos }, tool_use_id: `call-${id}` }
    const event = { session_id: id, cwd, hook_event_name: "PostToolUse", ...call }
    await run(["hook", "claude-code"], { cwd, input: JSON.stringify(event) })
    await run(["check", "set", "touch ran", "--session", id], { cwd })
  }
  const ran = (): string[] => [shop, other, worktree].filter((folder) => existsSync(join(folder, "ran")))
  return { home, run, shop, other, worktree, session, ran }
}

test("a check of a session in another project is not run, and it is said where to run it", async () => {
  const { run, shop, other, session, ran } = await begun()
  await session(shop, "s-1")
  const refused = await run(["check", "--session", "s-1"], { cwd: other })
  expect(refused).toMatchObject({ code: 1, out: "" })
  expect(refused.err).toContain(`cd ${shop} && headway check --session s-1`)
  expect(ran()).toEqual([])
  expect((await run(["check", "--session", "s-1"], { cwd: shop })).code).toBe(0)
  expect(ran()).toEqual([shop])
})

test("a check cannot be set for such a session either, and nothing is allowed in the wrong place", async () => {
  const { run, shop, other, session } = await begun()
  await session(shop, "s-1")
  const refused = await run(["check", "set", "rm -r build", "--session", "s-1"], { cwd: other })
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("another project") })
  expect((await run(["check", "list", "--session", "s-1"], { cwd: other })).out).not.toContain("rm -r build")
  expect((await run(["check", "list", "--session", "s-1"], { cwd: other })).out).toContain("touch ran  not run yet")
})

test("a check of a session in another worktree of the repository runs in that worktree, and it is said", async () => {
  const { run, shop, worktree, session, ran } = await begun()
  await session(worktree, "s-1")
  const { code, err } = await run(["check", "--session", "s-1"], { cwd: shop })
  expect([code, ran()]).toEqual([0, [worktree]])
  expect(err).toContain(`its checks run there: ${worktree}`)
})

test("so does that of a session without hooks, by the folder in its file", async () => {
  const { home, run, shop, worktree, ran } = await begun()
  claudeSession(home, { session: "s-1", cwd: worktree, at: "2029-12-31T23:00:00Z", todos: ["Fix login"] })
  await run(["todo", "done", "1", "--session", "s-1"], { cwd: shop })
  await run(["check", "set", "touch ran", "--session", "s-1"], { cwd: shop })
  expect((await run(["check", "--session", "s-1"], { cwd: shop })).code).toBe(0)
  expect(ran()).toEqual([worktree])
  for (const cwd of [shop, worktree]) expect((await run(["show", "s-1"], { cwd })).out).toContain("✓☒ 1 Fix login")
})

test("a check runs in the person's folder if that of its session is gone", async () => {
  const { run, shop, worktree, session, ran } = await begun()
  await session(worktree, "s-1")
  rmSync(worktree, { recursive: true })
  expect((await run(["check", "--session", "s-1"], { cwd: shop })).code).toBe(0)
  expect(ran()).toEqual([shop])
})

test("a check of a plan that a person began runs in the worktree they are in", async () => {
  const { run, shop, worktree, ran } = await begun()
  await run(["write", "--new", "--session", "mine"], { cwd: shop, input: '{"todos":[{"content":"Fix login"}]}' })
  await run(["check", "set", "touch ran", "--session", "mine"], { cwd: shop })
  expect((await run(["check", "--session", "mine"], { cwd: worktree })).code).toBe(0)
  expect(ran()).toEqual([worktree])
})

test("whether files have changed since a check is looked up in the session's worktree, wherever the command is typed", async () => {
  const { run, shop, worktree, session } = await begun()
  await session(worktree, "s-1")
  await run(["check", "--session", "s-1"], { cwd: worktree })
  const shownIn = async (cwd: string) => ({
    show: (await run(["show", "s-1"], { cwd })).out,
    list: (await run(["check", "list", "--session", "s-1"], { cwd })).out,
    evidence: (await run(["evidence", "--session", "s-1"], { cwd })).out,
  })
  const verified = {
    show: expect.stringContaining("✓☒ 1 Fix login"),
    list: expect.not.stringContaining("stale"),
    evidence: expect.stringContaining("done and verified"),
  }
  writeFileSync(join(shop, "only-here"), "changed")
  for (const cwd of [shop, worktree]) expect(await shownIn(cwd)).toEqual(verified)
  writeFileSync(join(worktree, "broken"), "changed")
  const stale = {
    show: expect.stringContaining("~☒ 1 Fix login"),
    list: expect.stringContaining("stale"),
    evidence: expect.stringContaining("stale"),
  }
  for (const cwd of [shop, worktree]) expect(await shownIn(cwd)).toEqual(stale)
})

test("the board looks there too", async () => {
  const { home, run, shop, worktree, session } = await begun()
  await session(worktree, "s-1")
  await run(["check", "--session", "s-1"], { cwd: worktree })
  const board = await boardAt(home, {}, { cwd: shop, env })
  const mark = async () => (await board.read(board.row("s-1").key)).marks?.["1"]
  await board.until(async () => (await mark()) !== undefined)
  expect(await mark()).toMatchObject({ word: "verified" })
})
