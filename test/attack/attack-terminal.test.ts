/** G8 The bytes themselves: what the built command writes to a real terminal, and through pipes, when files are hostile. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { fakeAgent, recordingOf } from "../cli/fake-agent.ts"
import { runCli } from "../cli/run-cli.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { headwayIn, type Terminal } from "../terminal.ts"
import { hostileTexts, leaksIn, mark } from "./hostile.ts"
import { appended, changedFile, copyChanged } from "./inject.ts"

const bin = resolve("dist/bin/headway.js")
const [[, text] = ["", ""]] = hostileTexts

/** All that our screens may ask of a terminal: modes, clearing, moving the cursor. Styles are looked at apart. */
const ownSequences =
  /\u001b\[(?:\?(?:1000|1006|1049|25|7|2004|2026)[hl]|[012]?[JK]|m|H|\d+;1H|\d+[AG]|A)|\r(?=\n|\u001b|\r|$)|(?<=\u001b\[\d*A|\n)\r/g

const open: Terminal[] = []
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill("SIGKILL")
})

/** A home where Claude Code, Codex and Headway itself have kept hostile plans. */
const hostileHome = async (): Promise<string> => {
  const home = temporaryFolder()
  for (const name of ["claude-2.1.197/subagents-todowrite", "codex-0.166.0/plan"])
    copyChanged(join("test/fixtures/streams", name, "home"), home, appended(text))
  const todos = ["pending", "in_progress", "blocked", "completed"].map((status) => ({
    ...{ content: text, activeForm: text, phase: text, notes: [text], description: text, owner: text },
    ...{ status, reason: text, waitsFor: text },
  }))
  for (const session of [`own${text}`, "mine"])
    await runCli(["write", "--new", "--session", session], {
      home,
      input: JSON.stringify({ todos }),
      now: "2026-01-01T00:00:00Z",
    })
  return home
}

const inTerminal = (argv: readonly string[], home: string): Terminal => {
  const terminal = headwayIn(argv, { env: { HOME: home, FORCE_COLOR: "1" }, cwd: home, columns: 110, rows: 32 })
  open.push(terminal)
  return terminal
}

describe("on the board", () => {
  test.each([[["--all"]], [["watch", "--all"]]])("headway %j, through all of its pages", async (argv) => {
    const terminal = inTerminal(argv, await hostileHome())
    await terminal.waitFor(mark)
    // Down the list, into a plan, a todo, its history, help; a filter, a notice; and back.
    for (const key of ["j", "j", "\r", "j", "\r", "h", "\u001b", "\t", "d", "u", "?", "\u001b", "/", mark, "\r", "k"]) {
      terminal.type(key)
      await terminal.waitFor(() => true)
    }
    terminal.type("\u001b")
    terminal.resize(70, 20)
    await terminal.waitFor(mark)
    terminal.kill("SIGTERM")
    await terminal.exited
    expect(terminal.written).toContain(mark)
    expect(leaksIn(terminal.written, { styles: true, sequences: ownSequences })).toEqual([])
  })
})

describe("the agent, in a folder with a hostile name and a session that is named by it", () => {
  test.each([
    ["on its screen", "xterm-256color"],
    ["at a terminal that only knows lines", "dumb"],
  ])("%s", async (_, TERM) => {
    const home = temporaryFolder()
    const cwd = join(home, "evil\u001b]52;c;aGk=\u0007\u009b2J\u202e$(touch pwned)")
    mkdirSync(cwd)
    const argv = ["agent", "--model", "script:demo"]
    const terminal = headwayIn(argv, { env: { HOME: home, TERM }, cwd, columns: 110, rows: 32 })
    open.push(terminal)
    await terminal.waitFor("/help shows")
    terminal.type("/exit\r")
    await terminal.exited
    const resume = /--resume (.*)\r/.exec(terminal.written)?.[1]
    expect(resume).toBe(TERM === "dumb" ? undefined : "'evil$(touch pwned)-1'")
    expect(terminal.written).not.toMatch(/\u001b\]52|\u009b|\u202e/)
  })
})

describe("run", () => {
  const words = (): string[] => {
    const recording = join(temporaryFolder(), "stdout.jsonl")
    const lines = readFileSync(recordingOf("claude-2.1.197/todowrite"), "utf8")
    writeFileSync(recording, changedFile(lines, appended(text)))
    const say = `process.stdout.write(require("fs").readFileSync(${JSON.stringify(recording)}));process.stderr.write(${JSON.stringify(`${text}\n`)})`
    return [
      "run",
      "--member",
      `${mark}:green`,
      "--",
      process.execPath,
      "-e",
      `${say};console.log(${JSON.stringify(text)})`,
    ]
  }

  test("in a terminal", async () => {
    const terminal = inTerminal(words(), temporaryFolder())
    expect(await terminal.exited).toBe(0)
    expect(terminal.written).toContain(mark)
    expect(leaksIn(terminal.written, { styles: true, sequences: ownSequences, breaks: true })).toEqual([])
  })

  test.each([[[]], [["--json"]]])("through pipes with %j", (more) => {
    const [command = "", ...rest] = words()
    const { stdout, stderr, status } = spawned([command, ...more, ...rest], temporaryFolder())
    expect(status).toBe(0)
    expect(`${stdout}${stderr}`).toContain(mark)
    // An agent's words are lines of their own; all else of them is taken out.
    expect([leaksIn(stdout, { breaks: true }), leaksIn(stderr, { breaks: true })]).toEqual([[], []])
  })

  test("with an agent that cannot be started", () => {
    const { stdout, stderr } = spawned(
      ["run", "--", ...fakeAgent(undefined, "--exit", "3"), text.replaceAll("\0", "")],
      temporaryFolder(),
    )
    expect([leaksIn(stdout), leaksIn(stderr, { breaks: true })]).toEqual([[], []])
  })
})

describe("through pipes", () => {
  test("the built command lists, shows and removes", async () => {
    const home = await hostileHome()
    const commands = [
      ["list"],
      ["list", "--json"],
      ["show", "--session", "mine"],
      ["show", "--session", "mine", "--json"],
      ["doctor", "--look"],
      ["gc", "--older-than", "0s", "--unfinished"],
    ]
    for (const argv of commands) {
      const { stdout, stderr } = spawned(argv, home)
      expect([argv, leaksIn(stdout), leaksIn(stderr)]).toEqual([argv, [], []])
      if (argv[0] !== "doctor") expect(stdout.toString()).toContain(mark)
    }
  })

  test("messages of the MCP server say the same in safe characters", () => {
    const messages = [
      {
        method: "initialize",
        id: 1,
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: text, version: text } },
      },
      { method: "notifications/initialized" },
      { method: "tools/call", id: 2, params: { name: `no-${text}`, arguments: {} } },
      { method: "tools/call", id: 3, params: { name: "todo", arguments: { todos: [{ content: text }] } } },
      { method: "resources/read", id: 4, params: { uri: `plan://${text}/main` } },
    ]
    const input = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("")
    const { stdout, stderr } = spawned(["mcp"], temporaryFolder(), input)
    expect([leaksIn(stdout), leaksIn(stderr)]).toEqual([[], []])
    const answers = stdout
      .toString()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: number; result?: unknown })
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 3, 4])
    expect(JSON.stringify(answers.find(({ id }) => id === 2)?.result)).toContain('There is no tool \\"no-Mallory')
  })

  test("with an unforeseen error", () => {
    const code = `process.once("newListener", () => setImmediate(() => { throw new Error(${JSON.stringify(text)}) }))`
    const preload = `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`
    const { stderr, status } = spawned(["mcp"], temporaryFolder(), undefined, ["--import", preload])
    expect(status).toBe(1)
    expect(stderr.toString()).toContain(mark)
    expect(leaksIn(stderr)).toEqual([])
  })
})

const spawned = (argv: readonly string[], home: string, input = "", node: readonly string[] = []) =>
  spawnSync(process.execPath, [...node, bin, ...argv], {
    input,
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, USER: "ada" },
    maxBuffer: 1 << 28,
  })
