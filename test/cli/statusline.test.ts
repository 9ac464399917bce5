/** `headway statusline`: whose plan it shows, and that it is silent wherever it has nothing to say. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdirSync, readFileSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { namesIn } from "../stores/temporary.ts"
import { captures } from "../streams/samples.ts"
import { claudeSteps } from "./agent-sessions.ts"
import { atHome } from "./run-cli.ts"

/** What Claude Code passed to a real status line. */
const told = readFileSync(new URL("../fixtures/status-line/claude-2.1.197.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter(Boolean)
const [first = ""] = told
const { session_id: session } = JSON.parse(first) as { session_id: string }
const about = (changes: object): string => JSON.stringify({ ...JSON.parse(first), ...changes })

const list = JSON.stringify({
  todos: [
    { content: "Read the code", status: "completed" },
    { content: "Run tests", status: "in_progress" },
    { content: "Write docs" },
  ],
})

const line = "▶ Running tests · 1/3 · 2m\n"
const later = { now: "2030-01-01T00:02:05Z" }

describe("the plan that is shown", () => {
  test.each(told)("is that of the session Claude Code names on standard input", async (input) => {
    const { run } = atHome()
    await run(["write", "--new", "--session", session], { input: list })
    await run(["write", "--new", "--session", "another"], { input: '{"todos":["Something else"]}' })
    expect(await run(["statusline"], { ...later, input })).toEqual({ code: 0, out: line, err: "" })
  })

  test("is shown although the transcript that is named cannot be looked at", async () => {
    const { home, run } = atHome()
    await run(["write", "--new", "--session", session], { input: list })
    const loop = join(home, "loop.jsonl")
    symlinkSync(loop, loop)
    for (const path of [loop, "no\0name", `/${"x".repeat(5000)}`])
      expect(await run(["statusline"], { ...later, input: about({ transcript_path: path }) })).toMatchObject({
        out: line,
      })
  })

  test("is the one that is named", async () => {
    const { run } = atHome()
    await run(["write", "--new", "--session", "s"], { input: list })
    await run(["write", "--new", "--session", session], { input: '{"todos":["Something else"]}' })
    expect((await run(["statusline", "--session", "s"], { ...later, input: first })).out).toBe(line)
    expect((await run(["statusline"], { ...later, input: first, env: { HEADWAY_SESSION: "s" } })).out).toBe(line)
    expect((await run(["statusline", "--session", "none"], { input: first })).out).toBe("")
  })

  test("C3 is shown as finished when its agent has finished it", async () => {
    const { run } = atHome()
    const todos = [{ content: "Read", status: "completed", activeForm: "Reading" }]
    await run(["write", "--new", "--session", "s", "--dialect", "claude-todos"], { input: JSON.stringify({ todos }) })
    expect((await run(["statusline", "--session", "s"])).out).toBe("✓ 1/1\n")
  })

  test("is the newest of the project otherwise", async () => {
    const { home, run } = atHome()
    await run(["write", "--new", "--session", "old"], {
      input: '{"todos":["Something else"]}',
      now: "2029-01-01T00:00:00Z",
    })
    await run(["write", "--new", "--session", "new"], { input: list })
    expect((await run(["statusline"], later)).out).toBe(line)
    const elsewhere = join(home, "elsewhere")
    mkdirSync(elsewhere)
    expect((await run(["statusline"], { ...later, cwd: elsewhere })).out).toBe("")
    const workspace = { current_dir: home, project_dir: home }
    const input = JSON.stringify({ workspace })
    expect((await run(["statusline"], { ...later, cwd: elsewhere, input })).out).toBe(line)
  })

  test.each([true, false])(
    "follows its session after a person's change, without hooks: told by the host %s",
    async (isTold) => {
      const { home, run } = atHome()
      const first = { at: "2030-01-01T00:00:00.000Z", todos: { Read: "in_progress", Write: "pending" } }
      const transcript = claudeSteps(home, { session, cwd: home, steps: [first] })
      const input = JSON.stringify({ session_id: session, transcript_path: transcript, cwd: home })
      const words = isTold ? ["statusline"] : ["statusline", "--session", session]
      await run(["todo", "add", "Mine"], { now: "2030-01-01T00:01:00.000Z" })
      expect((await run(words, { ...later, input })).out).toBe("▶ Read · 0/3 · 2m · Repair the login\n")
      const done = { at: "2030-01-01T00:02:00.000Z", todos: { Read: "completed", Write: "completed" } }
      claudeSteps(home, { session, cwd: home, steps: [first, done] })
      expect((await run(words, { ...later, input })).out).toBe("○ Mine · 2/3 · Repair the login\n")
      expect((await run(words, { ...later, input })).out).toBe("○ Mine · 2/3 · Repair the login\n")
    },
  )

  test("is never that of another session where the host names its own: after /clear nothing is shown", async () => {
    const { run } = atHome()
    await run(["write", "--new", "--session", session], { input: list })
    expect((await run(["statusline"], { ...later, input: first })).out).toBe(line)
    const cleared = JSON.stringify({ ...JSON.parse(first), session_id: "begun-by-clear", transcript_path: "/nowhere" })
    expect((await run(["statusline"], { ...later, input: cleared })).out).toBe("")
  })
})

describe("Claude Code's own list, where Headway has no plan of that session", () => {
  const withClaude = (recording: string) => {
    const at = atHome()
    cpSync(join(captures, recording, "home"), at.home, { recursive: true })
    return at
  }

  test("shows its tasks, with the time of the file of the one in progress", async () => {
    const { home, run } = atHome()
    const folder = join(home, ".claude", "tasks", session)
    mkdirSync(folder, { recursive: true })
    const task = (id: string, subject: string, status: string) =>
      writeFileSync(
        join(folder, `${id}.json`),
        JSON.stringify({ id, subject, description: "", status, blocks: [], blockedBy: [] }),
      )
    task("1", "Read the code", "completed")
    task("2", "Run tests", "in_progress")
    task("3", "Write docs", "pending")
    const began = Date.parse("2030-01-01T00:00:00Z") / 1000
    utimesSync(join(folder, "2.json"), began, began)
    expect((await run(["statusline"], { ...later, input: first })).out).toBe(line)
    expect((await run(["statusline"], { ...later, input: about({ session_id: "../tasks" }) })).out).toBe("")
  })

  test("shows its tasks as a real session left them", async () => {
    const { run } = withClaude("claude-2.1.197/tasks")
    const input = about({ session_id: "550206c9-ad53-4a5f-ba9b-dc6fab035f1d" })
    expect((await run(["statusline"], { input })).out).toBe("✓ 3/3\n")
  })

  test("shows its todo file as a real session left it", async () => {
    const { home, run } = withClaude("claude-1.0.60/todowrite")
    const [name = ""] = namesIn(join(home, ".claude", "todos"))
    const input = about({ session_id: /^(.+?)-agent-/.exec(name)?.[1] })
    expect((await run(["statusline"], { input })).out).toMatch(/ · \d+\/\d+/)
  })

  test("shows the end of its session file, however large that is", async () => {
    const { home, run } = withClaude("claude-2.1.197/todowrite")
    const id = "d8e9bb8e-98b3-4ce1-8fdb-1f15aec289c3"
    const path = join(home, ".claude", "projects", "-home-user-project", `${id}.jsonl`)
    const input = about({ session_id: id, transcript_path: path })
    expect((await run(["statusline"], { input, now: "2026-11-15T19:00:00Z" })).out).toBe(
      "▶ Starting a second list · 0/2 · 5m\n",
    )
    const lines = readFileSync(path, "utf8")
    const other = `${JSON.stringify({ type: "user", sessionId: id, isSidechain: false, text: "x".repeat(1000) })}\n`
    writeFileSync(path, other.repeat(3000) + lines)
    expect((await run(["statusline"], { input, now: "2026-11-15T19:00:00Z" })).out).toContain(
      "▶ Starting a second list",
    )
    writeFileSync(path, lines + other.repeat(3000))
    expect((await run(["statusline"], { input })).out).toBe("")
  })
})

describe("its format", () => {
  test("has the width of --width, else COLUMNS, else 80", async () => {
    const { run } = atHome()
    const content = "A todo with a very long wording, which no status bar of a usual width could ever hold as a whole"
    await run(["write", "--new", "--session", "s"], { input: JSON.stringify({ todos: [content] }) })
    const at = async (words: string[], env = {}) => (await run(["statusline", ...words], { env })).out.length - 1
    expect(await at([])).toBe(80)
    expect(await at([], { COLUMNS: "60" })).toBe(60)
    expect(await at(["--width", "30"], { COLUMNS: "60" })).toBe(30)
    const wrong = await run(["statusline", "--width", "wide"])
    expect([wrong.code, wrong.err]).toEqual([2, 'headway: --width takes a number from 1, not "wide".\n'])
  })

  test("with --json is the line and its parts, as one object", async () => {
    const { run } = atHome()
    await run(["write", "--new", "--session", "s"], { input: list })
    const { out } = await run(["statusline", "--json"], later)
    expect(out.split("\n")).toHaveLength(2)
    expect(JSON.parse(out)).toEqual({
      text: line.trimEnd(),
      title: null,
      current: "Run tests",
      progress: { completed: 1, total: 3, percent: 33 },
      since: "2030-01-01T00:00:00.000Z",
    })
  })

  test("with --tmux contains nothing that tmux would interpret", async () => {
    const { run } = atHome()
    const content = "Fix #[fg=red]x #{pane_pid} ##(id)"
    await run(["write", "--new", "--session", "s"], { input: JSON.stringify({ todos: [{ content }] }) })
    const { out } = await run(["statusline", "--session", "s", "--tmux"])
    expect(out).toBe("○ Fix ##[fg=red]x ##{pane_pid} ####(id) · 0/1\n")
  })

  test("with --ascii is ASCII only", async () => {
    const { run } = atHome()
    await run(["write", "--new", "--session", "s"], { input: list })
    expect((await run(["statusline", "--ascii"], later)).out).toBe("[>] Running tests - 1/3 - 2m\n")
  })
})

describe("nothing, and no error", () => {
  test.each(["", "{", "[]", "7", "null", '{"session_id":7}', '{"session_id":"","workspace":null}', first, "\u0000"])(
    "without a plan, given %j",
    async (input) => {
      expect(await atHome().run(["statusline"], { input })).toEqual({ code: 0, out: "", err: "" })
    },
  )

  test("for an empty plan, a damaged journal, a home that cannot be read", async () => {
    const { home, run } = atHome()
    await run(["write", "--new", "--session", "s"], { input: '{"todos":["a"]}' })
    await run(["todo", "clear", "--session", "s"])
    expect(await run(["statusline", "--session", "s"])).toEqual({ code: 0, out: "", err: "" })
    writeFileSync(join(home, ".headway", "journal", "s-agent-main.jsonl"), "garbage\n")
    expect(await run(["statusline", "--session", "s"])).toEqual({ code: 0, out: "", err: "" })
    writeFileSync(join(home, "file"), "precious")
    expect(await run(["statusline", "--home", join(home, "file", "x")])).toEqual({ code: 0, out: "", err: "" })
  })
})

describe("as a process", () => {
  const bin = fileURLToPath(new URL("../../dist/bin/headway.js", import.meta.url))

  const withPlan = async () => {
    const { home, run } = atHome()
    await run(["write", "--new", "--session", session], { input: list, now: new Date().toISOString() })
    return { cwd: home, env: { PATH: process.env.PATH, HOME: home } }
  }

  test("an input that stays open and silent is not awaited", async () => {
    const options = await withPlan()
    const child = spawn(process.execPath, [bin, "statusline"], { ...options, stdio: ["pipe", "pipe", "ignore"] })
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, "exit")])
    expect([out, code]).toEqual([expect.stringMatching(/^▶ Running tests · 1\/3 · \d+s\n$/), 0])
  })

  test("the input of Claude Code is enough without an end", async () => {
    const options = await withPlan()
    const child = spawn(process.execPath, [bin, "statusline"], { ...options, stdio: ["pipe", "pipe", "inherit"] })
    child.stdin.write(first)
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, "exit")])
    expect([out, code]).toEqual([expect.stringContaining("▶ Running tests"), 0])
  })

  test.each([
    ["closed", "<&-"],
    ["empty", "< /dev/null"],
    ["a pipe without a word", "<&3"],
    ["broken off", `< <(printf '{"session_id":')`],
    ["without an end", `< <(exec yes '{"session_id":')`],
    ["a little again and again", "< <(while printf ' ' 2>&-; do sleep 0.02; done)"],
    ["a file longer than any message", "< long"],
  ])("input that is %s", async (_, redirection) => {
    const script = `mkfifo pipe; exec 3<>pipe; '${process.execPath}' '${bin}' statusline ${redirection}`
    const options = await withPlan()
    writeFileSync(join(options.cwd, "long"), "{")
    truncateSync(join(options.cwd, "long"), 8 * 1024 ** 3)
    const { stdout, stderr, status } = spawnSync("bash", ["-c", script], { ...options, encoding: "utf8" })
    const newest = `headway: the newest session of this project is ${session.slice(0, 8)} (Headway)\n`
    expect([stdout, stderr, status]).toEqual([expect.stringContaining("▶ Running tests"), newest, 0])
  })
})
