/** A todo stays open while a check of it fails that the person allowed: once for each state of the files. */
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { gateFor } from "../../src/cli/check/gate.ts"
import type { Context } from "../../src/cli/command.ts"
import type { Entry, Plan } from "../../src/plan/index.ts"
import { atHome } from "./run-cli.ts"

const env = { PATH: process.env.PATH ?? "" }

/** A repository with a plan of two todos, and what an agent's call of our tool comes to with the gate shut. */
const begun = async ({ isRepository = true, isKeptThere = false } = {}) => {
  const { home, run } = atHome({ env })
  const cwd = join(home, "shop")
  mkdirSync(cwd)
  if (isRepository) execFileSync("git", ["init", "-q"], { cwd })
  const headway = (...words: string[]) => run(words, { cwd })
  const write = (...todos: object[]) =>
    run(["write", "--session", "s", "--gate", "--json"], { cwd, input: JSON.stringify({ todos }) })
  await run(["write", "--new", "--session", "s", ...(isKeptThere ? ["--project"] : [])], {
    cwd,
    input: JSON.stringify({
      todos: [
        { content: "Fix login", status: "in_progress" },
        { content: "Write docs", status: "pending" },
      ],
    }),
  })
  const statuses = async (): Promise<string[]> => {
    const { todos } = JSON.parse((await headway("show", "--json")).out) as Plan
    return todos.map(({ status }) => status)
  }
  const gates = async (): Promise<(string | undefined)[]> => {
    const { entries } = JSON.parse((await headway("history", "--json")).out) as { entries: Entry[] }
    return entries.flatMap(({ events }) =>
      events.flatMap((event) => (event.type === "check-ran" ? [event.gate ?? event.outcome] : [])),
    )
  }
  return { home, cwd, run, headway, write, statuses, gates }
}

const done = { id: "1", status: "completed" }

describe("our own tool", () => {
  test("a todo whose check fails stays open with the reason; the second time it is accepted, and marked", async () => {
    const { headway, write, statuses, gates } = await begun()
    await headway("check", "set", "1", "echo 'not ok 1 - login'; exit 1")
    const first = await write(done, { id: "2", notes: ["Begin with the page"] })
    expect(first.code).toBe(1)
    expect(first.out).toContain('\\"Fix login\\" stays open')
    expect(first.out).toContain("not ok 1 - login")
    expect(await statuses()).toEqual(["in_progress", "pending"])
    // What else the call said is done.
    expect((await headway("show", "--json")).out).toContain("Begin with the page")
    expect(await write(done)).toMatchObject({ code: 0 })
    expect(await statuses()).toEqual(["completed", "pending"])
    expect(await gates()).toEqual(["refused", "overruled"])
    expect((await headway("check", "list")).out).toContain("marked done anyway")
  })

  test("the check counts again when files have changed since", async () => {
    const { cwd, headway, write, statuses, gates } = await begun()
    await headway("check", "set", "1", "test -s fixed")
    expect((await write(done)).code).toBe(1)
    writeFileSync(join(cwd, "a.txt"), "a try")
    expect((await write(done)).code).toBe(1)
    writeFileSync(join(cwd, "fixed"), "yes")
    expect((await write(done)).code).toBe(0)
    expect(await statuses()).toEqual(["completed", "pending"])
    expect(await gates()).toEqual(["refused", "refused", "passed"])
  })

  test.each([
    ["inside", true],
    ["outside", false],
  ])("the second attempt is checked again, %s of a repository", async (_, isRepository) => {
    const { cwd, headway, write, statuses, gates } = await begun({ isRepository })
    writeFileSync(join(cwd, ".gitignore"), "installed\n")
    await headway("check", "set", "1", "test -s installed")
    expect((await write(done)).code).toBe(1)
    writeFileSync(join(cwd, "installed"), "yes")
    expect((await write(done)).code).toBe(0)
    expect(await statuses()).toEqual(["completed", "pending"])
    expect(await gates()).toEqual(["refused", "passed"])
    expect((await headway("check", "list")).out).not.toContain("marked done anyway")
  })

  test("a check for which no time is left is recorded as timed out, and not passed over in silence", async () => {
    const { home, cwd, headway } = await begun()
    await headway("check", "set", "1", "false")
    const [plan, { entries }] = [
      JSON.parse((await headway("show", "--json")).out) as Plan,
      JSON.parse((await headway("history", "--json")).out) as { entries: Entry[] },
    ]
    const context = { io: { env: { ...env, USER: "ada" }, home, cwd }, values: {} } as unknown as Context
    const question = { completing: plan.todos.slice(0, 1), isLast: false, plan, entries: async () => entries }
    const { found } = await gateFor(context, 0)(question)
    expect(found?.ran).toMatchObject([{ check: { todo: "1", command: "false" }, outcome: "timed-out" }])
  })

  test("a check of the whole plan runs when nothing is left open", async () => {
    const { headway, write, statuses } = await begun()
    await headway("check", "set", "false")
    expect((await write(done)).code).toBe(0)
    expect((await write({ id: "2", status: "completed" })).code).toBe(1)
    expect(await statuses()).toEqual(["completed", "pending"])
  })

  test("a check that cannot be run, takes too long or was not allowed refuses nothing", async () => {
    const { headway, write, gates } = await begun()
    await headway("check", "set", "1", "no-such-program-here")
    expect((await write({ ...done, check: "touch hacked; false" })).code).toBe(0)
    expect(await gates()).toEqual(["failed"])
  })

  test("where the plan is kept in the repository it refuses once", async () => {
    const { headway, write, gates } = await begun({ isKeptThere: true })
    await headway("check", "set", "1", "false")
    expect([(await write(done)).code, (await write(done)).code]).toEqual([1, 0])
    expect(await gates()).toEqual(["refused", "overruled"])
  })

  test("outside of a repository it refuses once", async () => {
    const { headway, write } = await begun({ isRepository: false })
    await headway("check", "set", "1", "false")
    expect([(await write(done)).code, (await write(done)).code]).toEqual([1, 0])
  })

  test("without --gate nothing is run", async () => {
    const { cwd, run, headway, gates } = await begun()
    await headway("check", "set", "1", "false")
    const { code } = await run(["write", "--session", "s"], { cwd, input: JSON.stringify({ todos: [done] }) })
    expect([code, await gates()]).toEqual([0, []])
  })
})

describe("Claude Code's own tasks", () => {
  const task = { hook_event_name: "TaskCompleted", task_id: "7", task_subject: "Fix login", task_description: "x" }

  const asked = async (check: string, ...words: string[]) => {
    const { cwd, run, headway, gates } = await begun()
    const about = { session_id: "s", cwd }
    await headway("check", "set", "1", check)
    const hook = (event: object) =>
      run(["hook", "claude-code", ...words], { cwd, input: JSON.stringify({ ...about, ...event }) })
    return { hook: () => hook(task), gates }
  }

  test("a task whose check fails is kept open by exit code 2, with the reason on standard error, once", async () => {
    const { hook, gates } = await asked("echo 'not ok 1 - login'; exit 1", "--gate")
    const first = await hook()
    expect(first).toMatchObject({ code: 2, out: "" })
    expect(first.err).toMatch(/^"Fix login" stays open/)
    expect(first.err).toContain("not ok 1 - login")
    expect(await hook()).toEqual({ code: 0, out: "", err: "" })
    expect(await gates()).toEqual(["refused", "overruled"])
  })

  test("a refused task is not recorded as done, though its client reports the call", async () => {
    const { cwd, run, statuses } = await begun()
    const call = {
      ...{ hook_event_name: "PostToolUse", session_id: "s", cwd, tool_name: "TaskUpdate", tool_use_id: "t" },
      tool_input: { taskId: "1", status: "completed" },
      tool_response: { success: false, taskId: "1", updatedFields: [], error: "TaskCompleted hook feedback:\n[x]: no" },
    }
    await run(["hook", "claude-code"], { cwd, input: JSON.stringify(call) })
    expect(await statuses()).toEqual(["in_progress", "pending"])
  })

  test("a task whose check passes, and any without --gate, is accepted", async () => {
    expect(await (await asked("true", "--gate")).hook()).toEqual({ code: 0, out: "", err: "" })
    const open = await asked("false")
    expect(await open.hook()).toEqual({ code: 0, out: "", err: "" })
    expect(await open.gates()).toEqual([])
  })
})
