/** What a careless hand or a hostile text must not be able to do on the command line. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { atHome } from "./run-cli.ts"

const list = '{"todos":[{"content":"Read","status":"completed"},{"content":"Write","status":"in_progress"}]}'
const hostile = "a\u001b[31mb\u202ec\u009b31md"
const steers = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

describe("surplus words", () => {
  test.each([
    ["list", "one"],
    ["write", "call.json"],
    ["gc", "one"],
    ["todo", "clear", "2"],
    ["todo", "export", "a", "b"],
  ])("%s %s is wrong usage and changes nothing", async (...words) => {
    const { run } = atHome()
    await run(["write", "--new", "--session", "one"], { input: list })
    const { code, err } = await run([...words, ...(words[0] === "gc" ? ["--older-than", "0s"] : [])], {
      env: { HEADWAY_SESSION: "one" },
    })
    expect([code, err]).toEqual([2, expect.stringContaining("not expected here")])
    expect((await run(["show", "--session", "one"])).out).toContain("2 todos:")
  })
})

describe("gc", () => {
  test("removes only the session that is named", async () => {
    const { run } = atHome()
    for (const session of ["one", "two"]) await run(["write", "--new", "--session", session], { input: list })
    const { out } = await run(["gc", "--older-than", "0s", "--unfinished", "--session", "two"], {
      now: "2031-01-01T00:00:00Z",
    })
    expect(out).toMatch(/^removed two main /)
    expect((await run(["show", "--session", "one"])).code).toBe(0)
    expect((await run(["show", "--session", "two"])).code).toBe(1)
  })
})

describe("G8 nothing that is quoted steers the terminal", () => {
  test.each([
    [[hostile]],
    [["show", `--${hostile}`]],
    [["show", "--format", hostile]],
    [["show", "--session", hostile]],
    [["write", "--dialect", hostile]],
    [["write", "--tool", hostile]],
    [["show", "--store", hostile]],
    [["events", "--from", hostile]],
    [["events", `/no/${hostile}`]],
    [["gc", "--older-than", hostile]],
    [["todo", hostile]],
    [["todo", "done", hostile, "--session", "one"]],
    [["todo", "import", `/no/${hostile}`, "--session", "one"]],
  ])("in the message about %j", async (words) => {
    const { run } = atHome()
    await run(["write", "--new", "--session", "one"], { input: list })
    const { code, err } = await run(words)
    expect(code).toBeGreaterThan(0)
    expect(err).not.toMatch(steers)
  })

  test("in the name of a folder", async () => {
    const { home, run } = atHome()
    const folder = join(home, hostile)
    mkdirSync(folder)
    const { err } = await run(["todo", "add", "Read"], { cwd: folder })
    expect(err).toMatch(/started session/)
    expect(err).not.toMatch(steers)
  })

  test("in a journal of another program, as text and as JSON", async () => {
    const { home, run } = atHome()
    await run(["write", "--new", "--session", "one"], { input: list })
    const path = join(home, ".headway", "journal", "one-agent-main.jsonl")
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace('"dialect":"headway"', `"dialect":${JSON.stringify(hostile)}`),
    )
    for (const words of [["history"], ["history", "--json"], ["show", "--json"], ["list", "--json"]]) {
      const { code, out } = await run([...words, "--session", "one"])
      expect([words, code, steers.test(out)]).toEqual([words, 0, false])
    }
  })

  test("in another program's list", async () => {
    const { home, run } = atHome()
    mkdirSync(join(home, "other", "todos"), { recursive: true })
    writeFileSync(
      join(home, "other", "todos", "s-agent-s.json"),
      JSON.stringify([{ content: hostile, status: "pending" }]),
    )
    const { out } = await run(["show", "--root", "other", "--session", "s", "--json"])
    expect(JSON.parse(out).todos[0].content).toBe("abcd")
  })
})

describe("a plan is not emptied by accident", () => {
  test("an empty import changes nothing and names the command that would", async () => {
    const { run } = atHome()
    await run(["write", "--new", "--session", "one"], { input: list })
    const { code, err } = await run(["todo", "import", "-", "--session", "one"], { input: " \n" })
    expect([code, err]).toEqual([1, expect.stringContaining("headway todo clear")])
    expect((await run(["show", "--session", "one"])).out).toContain("2 todos:")
  })

  test("lines of an import that are not todos are named", async () => {
    const { run } = atHome()
    await run(["write", "--new", "--session", "one"], { input: list })
    const { code, err } = await run(["todo", "import", "-", "--session", "one"], { input: "- [ ] Read\nNew thing\n" })
    expect([code, err]).toEqual([0, expect.stringContaining("New thing")])
  })

  test.each([
    "Error: 429 rate limited",
    "<html><body>502</body></html>",
    "Sure! Here is the plan:",
    "\ufffd\ufffd\u0000",
  ])("N2 %j is neither a call nor a todo", async (input) => {
    const { run } = atHome()
    const { code, out } = await run(["write", "--new", "--session", "one"], { input })
    expect([code, out]).toEqual([1, expect.stringContaining("A valid input is")])
  })
})

test("an undo can be undone by its name", async () => {
  const { run } = atHome()
  await run(["write", "--new", "--session", "one"], { input: list })
  await run(["todo", "done", "Write", "--session", "one"])
  await run(["todo", "undo", "--session", "one"])
  const { entries } = JSON.parse((await run(["history", "--json", "--session", "one"])).out) as {
    entries: { id: string }[]
  }
  const redo = await run(["todo", "undo", entries.at(-1)?.id ?? "", "--session", "one"])
  expect(redo).toMatchObject({ code: 0, out: '2 "Write": now completed\n' })
  expect(await run(["todo", "undo", "nope", "--session", "one"])).toMatchObject({
    code: 1,
    err: expect.stringContaining('"nope"'),
  })
})

test("C30 colour is printed only where it is wanted", async () => {
  const { run } = atHome()
  await run(["write", "--new", "--session", "one"], { input: list })
  const show = ["show", "--session", "one"]
  expect((await run(show)).out).not.toContain("\u001b")
  expect((await run(show, { env: { FORCE_COLOR: "1" } })).out).toContain(
    "\u001b[2;9m☒ 1 Read\u001b[0m\n\u001b[1m▶ 2 Write\u001b[0m",
  )
  for (const more of [{ env: { FORCE_COLOR: "1", NO_COLOR: "1" } }, {}]) {
    expect((await run([...show, "--no-color"], more)).out).not.toContain("\u001b")
  }
})

test("a home that cannot exist is refused at once", async () => {
  const { code, err } = await atHome().run(["todo", "add", "Read", "--home", "/proc/nowhere/headway"])
  expect(code).toBe(1)
  expect(err).toContain("/proc/nowhere")
})
