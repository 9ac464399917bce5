/** The session that a command is about where none is named, and the todos that are meant by several words. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { temporaryFolder } from "../stores/temporary.ts"
import { claudeSession, codexSession } from "./agent-sessions.ts"
import { atHome } from "./run-cli.ts"

const claude = "11111111-2222-4333-8444-555555555555"
const codex = "01a1e08b-9d72-7a13-b8f2-1d8b7c1f0a11"

/** A project in which Claude Code worked at ten, and Codex at nine; and another person's at noon. */
const shared = () => {
  const home = temporaryFolder()
  const project = join(home, "shop")
  mkdirSync(join(project, ".git"), { recursive: true })
  mkdirSync(join(project, "src"))
  claudeSession(home, { session: claude, cwd: project, at: "2030-01-01T10:00:00Z", todos: ["Read", "Write"] })
  codexSession(home, { session: codex, cwd: join(project, "src"), at: "2030-01-01T09:00:00Z", steps: ["Look"] })
  claudeSession(home, { session: "99999999-2", cwd: home, at: "2030-01-01T12:00:00Z", todos: ["Elsewhere"] })
  const { run } = atHome({ home, cwd: project, now: "2030-01-01T13:00:00Z" })
  return { home, project, run }
}

const newest = 'headway: the newest session of this project is "Repair the login" (Claude Code 11111111)\n'

test("an agent without a plan is named in a session that has one", async () => {
  const { run } = atHome()
  await run(["write", "--session", "s", "--new"], { input: '{"todos":[{"content":"Read"}]}' })
  const { code, err } = await run(["show", "s", "--agent", "helper"])
  expect([code, err]).toEqual([1, expect.stringContaining('There is no plan of agent "helper" in session "s" yet.')])
})

describe("without --session", () => {
  test("a command is about this project's newest session, of any agent, and names it", async () => {
    const { run } = shared()
    expect(await run(["show"])).toEqual({
      code: 0,
      out: "Repair the login\n2 todos:\n\n☐ 1 Read\n☐ 2 Write\n",
      err: newest,
    })
    expect(await run(["statusline"])).toMatchObject({ code: 0, err: newest })
    expect(JSON.parse((await run(["show", "--json"])).out).session).toBe(claude)
    const added = await run(["todo", "add", "Ask Ada"])
    expect(added).toMatchObject({ code: 0, out: 'added 3 "Ask Ada"\n', err: expect.stringContaining(newest) })
    const history = await run(["history"])
    expect(history).toMatchObject({ code: 0, out: expect.stringContaining('added 3 "Ask Ada"'), err: newest })
  })

  test("a call that is written to the plan of an agent's session names it", async () => {
    const { run } = shared()
    await run(["todo", "add", "Ask Ada"])
    const input = '{"todos":["Mine"]}'
    expect(await run(["write"], { input })).toMatchObject({
      code: 0,
      out: expect.stringContaining("+ 4 Mine"),
      err:
        `headway: the newest session of this project is ${claude} (Claude Code)\n` +
        "headway: this call is not from the session of Claude Code, which has not been told of your changes yet\n",
    })
    expect(await run(["write", "--new", "--session", "nightly"], { input })).toMatchObject({ code: 0, err: "" })
    expect(await run(["write"], { input, now: "2030-01-01T14:00:00Z" })).toMatchObject({ code: 0, err: "" })
  })

  test("a session without a kept plan has no history yet, and that is reported", async () => {
    const { run } = shared()
    for (const words of [["history"], ["todo", "undo"]]) {
      const { code, out, err } = await run(words)
      expect([code, out]).toEqual([1, ""])
      expect(err).toContain(`Headway does not keep the plan of session ${claude} yet`)
    }
  })

  test("a plan of ours counts like any other session, and so does the time of a forged one", async () => {
    const { home, project, run } = shared()
    await run(["write"], { input: '{"todos":["Mine"]}', now: "2030-01-01T12:30:00Z" })
    const shown = await run(["show"])
    expect(shown.out).toContain("☐ 1 Mine")
    expect(shown.err).toBe("headway: the newest session of this project is shop-1 (Headway)\n")
    claudeSession(home, { session: "forged", cwd: project, at: "2099-01-01T00:00:00Z", todos: ["Forged"] })
    expect((await run(["show"])).out).toContain("☐ 1 Mine")
  })

  test("an old session without a list is skipped while another has one", async () => {
    const { home, project, run } = shared()
    claudeSession(home, { session: "planless", cwd: project, at: "2030-01-01T11:00:00Z" })
    expect((await run(["show"])).out).toContain("☐ 1 Read")
    // While it is going on, it is the one that is meant.
    const during = await run(["show"], { now: "2030-01-01T11:00:01Z" })
    expect(during).toMatchObject({
      code: 1,
      err: expect.stringContaining('"Repair the login" (Claude Code planless) has no plan'),
    })
  })

  test("a project without sessions has none, and a todo begins one there", async () => {
    const { home, run } = shared()
    const cwd = join(home, "empty")
    mkdirSync(join(cwd, ".git"), { recursive: true })
    expect(await run(["show"], { cwd })).toMatchObject({ code: 1, err: expect.stringContaining("There is no plan in") })
    expect(await run(["statusline"], { cwd })).toEqual({ code: 0, out: "", err: "" })
    expect((await run(["todo", "add", "Begin"], { cwd })).err).toContain("started session empty-1")
  })
})

describe("a session as the words of a command", () => {
  test("names it as --session does", async () => {
    const { run } = shared()
    expect(await run(["show", "01a1e08b"])).toEqual({ code: 0, out: "1 todo:\n\n☐ 1 Look\n", err: "" })
    await run(["todo", "done", "1", "--session", "01a1"])
    expect((await run(["history", "01a1e08b"])).out).toContain('1 "Look": now completed')
  })

  test("is accepted only once", async () => {
    const { run } = shared()
    for (const command of ["show", "history"]) {
      const { code, err } = await run([command, "01a1e08b", "--session", "1111"])
      expect([code, err]).toEqual([2, expect.stringContaining("The session is named twice")])
    }
  })
})

describe("an edit reports whether the agent learns of it", () => {
  test("an agent that is not connected does not, and the command that connects it is printed", async () => {
    const { run } = shared()
    const { err } = await run(["todo", "done", "1", "--session", "01a1"])
    expect(err).toBe(
      "headway: Codex is not connected here, so it will not see this. To connect it: headway setup codex\n",
    )
  })

  test("an agent that is set up may, and set-up is not mentioned", async () => {
    const { run } = shared()
    await run(["setup", "codex"])
    await run(["setup", "claude"])
    for (const [session, agent] of [
      ["1111", "Claude Code"],
      ["01a1", "Codex"],
    ] as const) {
      const { err } = await run(["todo", "done", "1", "--session", session])
      expect(err).toBe(
        `headway: it is not known whether ${agent} will see this: none of its hooks has run in this session\n`,
      )
    }
  })
})

describe("everything that show prints for people", () => {
  const five = async () => {
    const { run } = atHome()
    const todos = [
      { content: "Wait", status: "pending" },
      { content: "Work", status: "in_progress" },
      { content: "Stick", status: "blocked" },
      { content: "Finish", status: "completed" },
      { content: "Leave", status: "cancelled" },
    ]
    await run(["write", "--new", "--session", "s"], { input: JSON.stringify({ todos }) })
    return async (...words: string[]) => (await run(["show", "s", ...words])).out
  }

  test.each(["text", "panel", "tree", "plan"])(
    "has the id of each todo, and distinguishes five statuses: %s",
    async (format) => {
      const show = await five()
      for (const more of [[], ["--ascii"]]) {
        const lines = (await show("--format", format, ...more)).split("\n")
        const rows = ["1 Wait", "2 Work", "3 Stick", "4 Finish", "5 Leave"].map((text) => {
          const row = lines.find((line) => line.includes(text)) ?? ""
          return row.slice(0, row.indexOf(text))
        })
        expect(new Set(rows).size, rows.join("|")).toBe(5)
        expect(rows).not.toContain("")
      }
    },
  )

  test("is as wide as requested, including ids", async () => {
    const show = await five()
    for (const format of ["text", "panel", "tree", "plan"])
      for (const line of (await show("--format", format, "--ascii", "--width", "10")).split("\n"))
        expect(line.length, `${format}: ${line}`).toBeLessThanOrEqual(10)
  })
})

describe("several todos at once", () => {
  const open = async () => {
    const { run } = atHome()
    const todos = ["Read the code", "Write the tests", "Run 2 3 tests", "Ask Ada", "Ship"]
    await run(["write", "--new", "--session", "s"], { input: JSON.stringify({ todos }) })
    const todo = (...words: string[]) => run(["todo", ...words, "--session", "s"])
    const statuses = async () =>
      (JSON.parse((await run(["show", "s", "--json"])).out).todos as { status: string }[]).map(({ status }) => status)
    return { run, todo, statuses }
  }

  test("are named by their ids, in one change that is undone as one", async () => {
    const { todo, statuses } = await open()
    expect(await todo("done", "1", "2", "#3", "1")).toMatchObject({
      code: 0,
      out: '1 "Read the code": now completed\n2 "Write the tests": now completed\n3 "Run 2 3 tests": now completed\n',
    })
    expect(await statuses()).toEqual(["completed", "completed", "completed", "pending", "pending"])
    await todo("undo")
    expect(await statuses()).toEqual(Array.from({ length: 5 }, () => "pending"))
  })

  test.each([
    ["start", "in_progress"],
    ["drop", "cancelled"],
    ["block", "blocked"],
  ])("are changed together with %s", async (verb, status) => {
    const { todo, statuses } = await open()
    expect((await todo(verb, "4", "5")).code).toBe(0)
    expect((await statuses()).slice(3)).toEqual([status, status])
    if (verb === "block") {
      await todo("unblock", "4", "5")
      expect((await statuses()).slice(3)).toEqual(["pending", "pending"])
    }
    await todo("rm", "4", "5")
    expect(await statuses()).toHaveLength(3)
  })

  test("are named by texts in quotes, and by ids and texts together", async () => {
    const { todo, statuses } = await open()
    await todo("done", "read the code", "Ship", "2")
    expect(await statuses()).toEqual(["completed", "completed", "pending", "pending", "completed"])
  })

  test("are not meant by the words of one todo", async () => {
    const { todo, statuses } = await open()
    expect((await todo("done", "Write", "the", "tests")).out).toBe('2 "Write the tests": now completed\n')
    expect((await todo("done", "Run", "2", "3", "tests")).out).toBe('3 "Run 2 3 tests": now completed\n')
    const { code, err } = await todo("done", "read", "ada")
    expect([code, err]).toEqual([1, expect.stringContaining('There is no todo "read ada"')])
    expect((await statuses()).filter((status) => status === "completed")).toHaveLength(2)
  })

  test("change nothing if one of them does not exist", async () => {
    const { todo, statuses } = await open()
    const { code, err } = await todo("rm", "1", "Not there at all")
    expect([code, err]).toEqual([1, expect.stringContaining("There is no todo")])
    expect(await statuses()).toHaveLength(5)
  })
})
