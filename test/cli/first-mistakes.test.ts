/** What a person is told who does not know Headway yet: a command typed too soon, in the wrong place, or in a terminal. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { headwayIn } from "../terminal.ts"
import { atHome } from "./run-cli.ts"

test("where there is no plan yet, a person is told what starts one", async () => {
  const { code, err } = await atHome().run(["show"])
  expect(code).toBe(1)
  expect(err).toBe(
    'headway: There is no plan in this project yet. See all with "headway list"; start one with: headway todo add "TEXT"\n',
  )
  const { err: elsewhere } = await atHome().run(["show", "--home", "plans"])
  expect(elsewhere).toContain(
    'See all with "headway list --home plans"; start one with: headway todo add "TEXT" --home plans',
  )
})

test("todo without a verb, or without a todo, says what to type", async () => {
  const { run } = atHome()
  await run(["todo", "add", "Read"])
  const { code, err } = await run(["todo"])
  expect(code).toBe(2)
  expect(err).toMatch(
    /^headway: todo needs a verb, such as: headway todo add "Review it"\n {2}The verbs are: add, start, /,
  )
  expect((await run(["todo", "done"])).err).toContain('or a part of it. "headway show" lists them.\n')
})

test("a home that cannot be used is named, with what to use instead", async () => {
  const { home, run } = atHome()
  writeFileSync(join(home, "file"), "")
  const folder = join(home, "file", "headway")
  for (const words of [
    ["todo", "add", "Read"],
    ["serve", "--port", "0"],
  ]) {
    const { code, err } = await run(words, { env: { HEADWAY_HOME: folder } })
    expect(code).toBe(1)
    expect(err).toContain(
      `\n  Headway keeps its files in ${folder}. To keep them in another folder, name it with --home DIR or HEADWAY_HOME.\n`,
    )
  }
  expect((await run(["events", join(home, "file", "x.jsonl")])).err).not.toContain("Headway keeps its files")
})

test("todo export into a folder that does not exist names the folder", async () => {
  const { home, run } = atHome()
  await run(["todo", "add", "Read"])
  const { code, err } = await run(["todo", "export", "nowhere/plan.md"])
  expect(code).toBe(1)
  expect(err).toContain(`headway: There is no folder ${join(home, "nowhere")}, so nothing was written.\n`)
})

test("todo edit opens no editor of its own choice without a terminal", async () => {
  const { run } = atHome()
  await run(["todo", "add", "Read"])
  const { code, err } = await run(["todo", "edit"])
  expect(code).toBe(1)
  expect(err).toContain("An editor needs a terminal. Without one, use export and import, or set EDITOR.")
})

test("a script for the agent that does not exist is named in words", async () => {
  const { home, run } = atHome()
  const { code, err } = await run(["agent", "--print", "--model", "script:nope.json", "Build it"])
  expect([code, err]).toEqual([1, `headway: There is no script ${join(home, "nope.json")}.\n`])
})

test("a session without an agent's record has no evidence, and the text says why", async () => {
  const { run } = atHome()
  await run(["todo", "add", "Read", "--session", "s", "--new"])
  const { code, err } = await run(["evidence", "--session", "s"])
  expect([code, err]).toEqual([
    1,
    "headway: There is no evidence for session s: no file of an agent records what was done in it.\n",
  ])
})

describe("set-up says what to do next", () => {
  test("for an agent that is not installed", async () => {
    const { err } = await atHome({ env: { PATH: "" } }).run(["setup", "claude-code"])
    expect(err).toContain("Done. Claude Code was not found on this machine; once you have installed it, it uses this.")
  })

  test("for an agent that is not installed, and the doctor still says that its program is missing", async () => {
    const { run } = atHome({ env: { PATH: "" } })
    await run(["setup", "opencode"])
    expect((await run(["doctor", "opencode", "--look"])).out).toContain("  program: not found in your PATH\n")
  })

  test("for an agent that is", async () => {
    const { home, run } = atHome()
    const folder = join(home, "bin")
    mkdirSync(folder)
    writeFileSync(join(folder, "claude"), "#!/bin/sh\n")
    chmodSync(join(folder, "claude"), 0o700)
    const { err } = await run(["setup", "claude-code"], { env: { PATH: `${folder}${delimiter}${process.env.PATH}` } })
    expect(err).toContain('Done. Restart Claude Code to use it, and check it with "headway doctor".')
  })
})

test("set-up undoes nothing until an agent is named", async () => {
  expect(await atHome().run(["setup", "--undo"])).toEqual({
    code: 2,
    out: "",
    err: "headway: Which agent? headway setup AGENT --undo\n",
  })
})

describe("a command that an agent starts, in a terminal,", () => {
  test.each([
    [["mcp"], "this waits for an agent on standard input"],
    [["hook", "claude-code"], "this waits for an event of Claude Code on standard input"],
  ])("says what it waits for and how to end it: %j", async (words, sentence) => {
    const { home } = atHome()
    const terminal = headwayIn(words, { columns: 200, cwd: home, env: { HOME: home } })
    onTestFinished(() => terminal.kill())
    await terminal.waitFor(sentence)
    expect(terminal.screen().join("\n")).toMatch(/Ctrl\+[CD] ends it/)
  })
})
