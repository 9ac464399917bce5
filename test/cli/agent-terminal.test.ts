/** The agent as a person meets it: at a terminal that only knows lines, and in a shell that is interrupted. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, test } from "vitest"
import { createLoopback, readScript } from "../../src/scripted/index.ts"
import { namesIn, temporaryFolder } from "../stores/temporary.ts"
import { headwayIn, type Terminal } from "../terminal.ts"

const bin = fileURLToPath(new URL("../../dist/bin/headway.js", import.meta.url))

const list = {
  tool: "TodoWrite",
  input: { todos: [{ content: "Read", status: "in_progress", activeForm: "Reading" }, { content: "Write" }] },
}
const bash = (command: string) => ({ tool: "Bash", input: { command } })

const desk = (lines: unknown[]) => {
  const home = temporaryFolder()
  const cwd = temporaryFolder()
  const script = join(home, "script.json")
  writeFileSync(script, JSON.stringify(lines))
  return { home, cwd, argv: ["agent", "--model", `script:${script}`, "--new", "--session", "s"] }
}

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

describe("at a dumb terminal", () => {
  const open = (lines: unknown[], more: string[] = []): { terminal: Terminal; cwd: string; home: string } => {
    const { home, cwd, argv } = desk(lines)
    const env = { HOME: home, TERM: "dumb", USER: "ada" }
    const terminal = headwayIn([...argv, ...more], { env, cwd, columns: 100, rows: 40 })
    ends.push(() => terminal.kill("SIGKILL"))
    return { terminal, cwd, home }
  }

  test("a person is asked, answers, changes the list and leaves", async () => {
    const { terminal, cwd } = open([
      { text: "First the plan.", calls: [list] },
      { calls: [bash("touch a")] },
      { calls: [bash("touch b")] },
      { text: "Shall I go on?" },
      { text: "I heard of Ada?" },
    ])
    await terminal.waitFor(/^>$/m)
    terminal.type("Do it\r")
    await terminal.waitFor("Run a command? [y]es, [n]o")
    expect(existsSync(join(cwd, "a"))).toBe(false)
    terminal.type("y\r")
    await terminal.waitFor(/touch b\n.*\[y\]es/)
    terminal.type("n\r")
    await terminal.waitFor("Shall I go on?")
    expect(namesIn(cwd)).toEqual(["a"])
    terminal.type('/todo add "Ask Ada"\r')
    await terminal.waitFor('added 3 "Ask Ada"')
    terminal.type("/todos\r")
    await terminal.waitFor("3 todos:")
    terminal.type("/plan\r")
    await terminal.waitFor(/^plan>$/m)
    terminal.type("/plan\r")
    await terminal.waitFor("Plan mode off.")
    terminal.type("/nonsense\r")
    await terminal.waitFor("There is no command /nonsense.")
    terminal.type("Go on\r")
    await terminal.waitFor("I heard of Ada?")
    terminal.type("/exit\r")
    expect(await terminal.exited).toBe(0)
  })

  test("what the agent says before it acts is shown to its end, and so is an error", async () => {
    const says = `${"It says more than one line has room for, ".repeat(4)}and asks: may I delete the old orders?`
    const { terminal } = open([{ text: says, calls: [bash("touch a")] }, { text: "Done." }], ["Go"])
    await terminal.waitFor(/may\s+I\s+delete\s+the\s+old\s+orders\?/)
    await terminal.waitFor("[y]es, [n]o")
    terminal.type("n\r")
    await terminal.waitFor("Done.")
  })

  test("what was typed before a question does not answer it", async () => {
    const wait = bash("until [ -e begin ]; do sleep 0.05; done")
    const { terminal, cwd } = open([{ calls: [wait, bash("touch b")] }, { text: "Done." }], ["Go"])
    await terminal.waitFor("Run a command? [y]es, [n]o")
    terminal.type("y\r")
    await terminal.waitFor(/: y$/m)
    terminal.type("y")
    await terminal.waitFor(/^y$/m)
    writeFileSync(join(cwd, "begin"), "")
    await terminal.waitFor(/touch b\n.*\[y\]es/)
    terminal.type("\r")
    await terminal.waitFor("Done.")
    expect(namesIn(cwd)).toEqual(["begin"])
  })

  test("a line typed before a question is shown answers nothing", async () => {
    const { terminal, cwd } = open(
      [{ calls: [bash("touch a")] }, { calls: [bash("touch b")] }, { text: "Done." }],
      ["Go"],
    )
    await terminal.waitFor("[y]es, [n]o")
    terminal.type("y\r")
    await terminal.waitFor(/touch b\nRun a command\?/)
    terminal.type("y\r")
    await terminal.waitFor(/^Run a command\? y\nRun a command\? \[y\]es, \[n\]o/m)
    terminal.type("n\r")
    await terminal.waitFor("Done.")
    expect(namesIn(cwd)).toEqual(["a"])
  })

  test("no output of another agent comes between a question and its answer", async () => {
    const task = (prompt: string) => ({ tool: "Task", input: { description: prompt, prompt } })
    const { terminal, cwd, home } = open(
      [
        { calls: [task("Ask"), task("Pose")] },
        { text: "Done." },
        { thread: "asks", when: { prompt: "Ask" } },
        { calls: [bash("touch a")] },
        { text: "Asked." },
        { thread: "poses", when: { prompt: "Pose" } },
        { text: "│ ls\nRun a command? [y]es, [n]o:", calls: [{ tool: "Glob", input: { pattern: "*" } }], repeat: 20 },
        { text: "Posed." },
      ],
      ["Go"],
    )
    const sessions = join(home, ".headway", "sessions")
    const spoken = () => namesIn(sessions).map((name) => readFileSync(join(sessions, name), "utf8"))
    await expect.poll(() => spoken().some((text) => text.includes("Posed.")), { timeout: 20_000 }).toBe(true)
    await terminal.waitFor("[a]lways run any command:")
    terminal.type("n\r")
    await terminal.waitFor("Done.")
    expect(terminal.everything().join("\n")).toMatch(
      /│ touch a\nagent \w+: Run a command\? \[y\]es, \[n\]o, \[a\]lways run any command: n\n/,
    )
    expect(namesIn(cwd)).toEqual([])
  })

  test("a question is printed whole and visible, and an answer for one kind does not count for another", async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index + 1}`)
    const write = (file_path: string) => ({ tool: "Write", input: { file_path, content: `${lines.join("\n")}\n` } })
    const { terminal, cwd } = open(
      [
        { calls: [write("a.txt"), write("b.txt"), bash("touch c"), bash("touch d\u001b]0; \u0007")] },
        { text: "Shall I go on?" },
      ],
      ["Do it"],
    )
    await terminal.waitFor("Write a.txt? (51 lines above) [y]es, [n]o, [a]lways write here:")
    expect(terminal.everything().filter((row) => /^│ line \d+$/.test(row))).toHaveLength(50)
    terminal.type("add a test\r")
    await terminal.waitFor("Write b.txt? (51 lines above) [y]es")
    expect(existsSync(join(cwd, "a.txt"))).toBe(false)
    terminal.type("a\r")
    await terminal.waitFor("│ touch c\nRun a command? [y]es, [n]o, [a]lways run any command:")
    terminal.type("a\r")
    await terminal.waitFor(
      "It contains 2 invisible or control characters, shown as ⟨\\x1b⟩.\n│ touch d⟨\\x1b⟩]0; ⟨\\x07⟩\nRun a command? [y]es, [n]o:",
    )
    terminal.type("a\r")
    await terminal.waitFor("Shall I go on?")
    expect(namesIn(cwd)).toEqual(["b.txt", "c"])
    terminal.type("/exit\r")
    expect(await terminal.exited).toBe(0)
  })

  test("Ctrl+C interrupts what runs, then leaves; --resume goes on", async () => {
    const { terminal, home, cwd } = open(
      [{ calls: [list] }, { calls: [bash("touch begun; sleep 60")] }],
      ["--yes", "Do it"],
    )
    await terminal.waitFor("☐ Read")
    await expect.poll(() => existsSync(join(cwd, "begun")), { timeout: 20_000 }).toBe(true)
    terminal.type("\u0003")
    await terminal.waitFor("Interrupted. Say what to do instead.")
    terminal.type("\u0003")
    expect(await terminal.exited).toBe(0)
    writeFileSync(join(home, "later.json"), JSON.stringify([{ text: "Here I am?" }]))
    const argv = ["agent", "--model", `script:${join(home, "later.json")}`, "--resume", "s", "Go on"]
    const later = headwayIn(argv, { env: { HOME: home, TERM: "dumb" }, cwd, columns: 100, rows: 40 })
    ends.push(() => later.kill("SIGKILL"))
    await later.waitFor("Here I am?")
    // The end of input leaves too.
    later.type("\u0004")
    expect(await later.exited).toBe(0)
    expect(readFileSync(join(home, ".headway", "sessions", "s.jsonl"), "utf8")).toContain("It is paused")
  })

  test.runIf(process.platform === "linux").each([
    ["at a screen of lines", []],
    ["without a screen", ["--print"]],
  ])("a terminal that is closed ends the command that runs, %s", async (_, more) => {
    const { terminal, cwd } = open(
      [{ calls: [bash("setsid sleep 60 & echo $! > id; touch begun; sleep 60")] }],
      [...["--yes", "Do it", ...more]],
    )
    await expect.poll(() => existsSync(join(cwd, "begun")), { timeout: 20_000 }).toBe(true)
    terminal.kill("SIGHUP")
    await terminal.exited
    const id = readFileSync(join(cwd, "id"), "utf8").trim()
    await expect.poll(() => existsSync(`/proc/${id}/exe`), { timeout: 20_000 }).toBe(false)
  })

  test("a person who leaves during a question leaves a session that can be resumed", async () => {
    const { terminal, home } = open([{ calls: [list, bash("touch a")] }], ["Do it"])
    await terminal.waitFor("[y]es, [n]o")
    terminal.type("\u0004")
    expect(await terminal.exited).toBe(0)
    expect(readFileSync(join(home, ".headway", "sessions", "s.jsonl"), "utf8")).toContain("Interrupted by the user.")
  })
})

describe("without a terminal", () => {
  const start = (
    lines: unknown[],
    format = "text",
  ): { child: ChildProcess; home: string; cwd: string; out: () => string } => {
    const { home, cwd, argv } = desk(lines)
    const child = spawn(process.execPath, [bin, ...argv, "--yes", "--output-format", format, "Do it"], {
      cwd,
      env: { PATH: process.env.PATH, HOME: home },
      stdio: ["ignore", "pipe", "pipe"],
    })
    ends.push(() => child.kill("SIGKILL"))
    let out = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (bytes: Buffer) => {
        out += bytes.toString("utf8")
      })
    }
    return { child, home, cwd, out: () => out }
  }

  const ended = (child: ChildProcess): Promise<number | null> =>
    new Promise((resolve) => child.once("close", (code) => resolve(code)))

  const begun = (cwd: string) => expect.poll(() => existsSync(join(cwd, "begun")), { timeout: 20_000 }).toBe(true)

  test("an interruption ends it with exit code 1, and ends everything it started", async () => {
    const { child, cwd, out } = start([{ calls: [list] }, { calls: [bash("touch begun; sleep 60; touch never")] }])
    await begun(cwd)
    child.kill("SIGINT")
    expect(await ended(child)).toBe(1)
    expect(out()).toContain('continue with: headway agent --resume s "Go on"')
    expect(existsSync(join(cwd, "never"))).toBe(false)
  })

  test("a bash that comes with the project runs no command", async () => {
    const { home, cwd, argv } = desk([{ calls: [bash("touch ran")] }, { text: "Done." }])
    const folder = join(cwd, "node_modules", ".bin")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "bash"), '#!/bin/sh\ntouch stolen\nexec /bin/bash "$@"\n', { mode: 0o755 })
    const env = { PATH: `${folder}:${process.env.PATH}`, HOME: home }
    const child = spawn(process.execPath, [bin, ...argv, "--yes", "--print", "Do it"], { cwd, env, stdio: "ignore" })
    expect(await ended(child)).toBe(0)
    expect(namesIn(cwd)).toEqual(["node_modules", "ran"])
  })

  test("in stream-json the last line has the ending", async () => {
    const { child, cwd, out } = start([{ calls: [bash("touch begun; sleep 60")] }], "stream-json")
    await begun(cwd)
    child.kill("SIGTERM")
    expect(await ended(child)).toBe(1)
    expect(JSON.parse(out().trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ ending: "interrupted" })
  })

  test("a process that is killed leaves a session that resumes", async () => {
    const { child, cwd, home } = start([{ calls: [list, bash("touch begun; sleep 60")] }])
    await begun(cwd)
    child.kill("SIGKILL")
    await ended(child)
    const script = join(home, "later.json")
    writeFileSync(script, JSON.stringify([{ text: "Here I am?" }]))
    const argv = [bin, "agent", "--model", `script:${script}`, "--print", "--resume", "s", "Go on"]
    const later = spawn(process.execPath, argv, { cwd, env: { PATH: process.env.PATH, HOME: home }, stdio: "pipe" })
    expect(await ended(later)).toBe(0)
    const kept = readFileSync(join(home, ".headway", "sessions", "s.jsonl"), "utf8")
    expect(kept).toContain("#1 [in_progress] Read")
  })

  test.each([
    [[], "key  plain p"],
    [["--allow-env", "OTHER, ANTHROPIC_API_KEY"], "key k plain p"],
  ])("a command sees the key with %j as: %s", async (more, expected) => {
    const { home, cwd, argv } = desk([
      { calls: [bash("echo key $ANTHROPIC_API_KEY plain $PLAIN > out")] },
      { text: "?" },
    ])
    const env = { PATH: process.env.PATH, HOME: home, ANTHROPIC_API_KEY: "k", PLAIN: "p" }
    const child = spawn(process.execPath, [bin, ...argv, "--yes", "--print", ...more, "Do it"], { cwd, env })
    expect(await ended(child)).toBe(0)
    expect(readFileSync(join(cwd, "out"), "utf8").trim()).toBe(expected.replace("  ", " "))
  })

  test.each([
    ["anthropic/claude-x", "anthropic-messages"],
    ["openai/gpt-x", "openai-responses"],
    ["google/gemini-x", "gemini"],
    ["local/qwen", "openai-chat"],
  ])("the built command has all it needs for %s", async (model, wire) => {
    const { home, cwd } = desk([])
    const loopback = await createLoopback(readScript(JSON.stringify([{ calls: [list] }, { text: "Shall I go on?" }])))
    ends.push(() => void loopback.close())
    const { url } = loopback
    const env = {
      ...{ PATH: process.env.PATH, HOME: home, ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" },
      ...{ ANTHROPIC_BASE_URL: url, OPENAI_BASE_URL: `${url}/v1`, GOOGLE_GEMINI_BASE_URL: url },
      LOCAL_BASE_URL: `${url}/v1`,
    }
    const argv = [bin, "agent", "--model", model, "--print", "--output-format", "stream-json", "Do it"]
    const child = spawn(process.execPath, argv, { cwd, env, stdio: ["ignore", "pipe", "ignore"] })
    let out = ""
    child.stdout?.on("data", (bytes: Buffer) => {
      out += bytes.toString("utf8")
    })
    expect(await ended(child)).toBe(0)
    expect(
      out
        .split("\n")
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { type: string }).type),
    ).toEqual(["session_started", "todo_list", "text", "notice", "session_ended"])
    expect(loopback.requests.map((request) => request.wire)).toEqual([wire, wire])
  })
})
