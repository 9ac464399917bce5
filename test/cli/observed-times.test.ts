/** The times of a list that stood in an agent's session before a person's first change: those of the agent's own calls. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { temporaryFolder } from "../stores/temporary.ts"
import { claudeSteps } from "./agent-sessions.ts"
import { atHome } from "./run-cli.ts"

const session = "f0000000-0000-4000-8000-000000000001"

/** At ten the agent began A; ten minutes later it had done it, and began B. A person adds a todo at 10:50. */
const edited = async () => {
  const home = temporaryFolder()
  const cwd = join(home, "shop")
  mkdirSync(join(cwd, ".git"), { recursive: true })
  const steps = [
    { at: "2030-01-01T10:00:00.000Z", todos: { A: "in_progress", B: "pending" } },
    { at: "2030-01-01T10:10:00.000Z", todos: { A: "completed", B: "in_progress" } },
  ]
  claudeSteps(home, { session, cwd, steps })
  const { run } = atHome({ home, cwd, now: "2030-01-01T10:50:00.000Z" })
  await run(["todo", "add", "Mine"])
  return { home, cwd, run, steps }
}

test("a todo has the times of the agent's calls, and not of the change that began the plan", async () => {
  const { run } = await edited()
  const times = (await run(["history", "--times"])).out.split("\n")
  expect(times.slice(0, 2)).toEqual(["1  A: in_progress 10m, completed 40m", "2  B: in_progress 40m"])
})

test("the status line counts from when the agent began", async () => {
  const { run } = await edited()
  expect((await run(["statusline"])).out).toContain("40m")
})

test("history says when the agent wrote its list", async () => {
  const { run } = await edited()
  expect((await run(["history"])).out).toMatch(/\(40m ago\) {2}agent main/)
})

test("a list that is imported later has the times of its own calls too", async () => {
  const { home, cwd, run, steps } = await edited()
  const last = { at: "2030-01-01T10:55:00.000Z", todos: { A: "completed", B: "completed", C: "in_progress" } }
  claudeSteps(home, { session, cwd, steps: [...steps, last] })
  const { out } = await run(["history", "--times"], { now: "2030-01-01T11:00:00.000Z" })
  expect(out).toContain("B: in_progress 45m, completed 5m")
  expect(out).toContain("C: in_progress 5m")
})
