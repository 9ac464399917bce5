/** `headway run` in a real terminal: the plan in place below what the agent says, and the shell as it was afterwards. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, test } from "vitest"
import { fakeAgent, type Remote, remoteAgent } from "../cli/fake-agent.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { headwayIn, openTerminal, type Terminal, type TerminalOptions } from "../terminal.ts"

const bin = fileURLToPath(new URL("../../dist/bin/headway.js", import.meta.url))
const open: Terminal[] = []
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill("SIGKILL")
})

const run = (words: readonly string[], options: TerminalOptions = {}): Terminal => {
  const home = temporaryFolder()
  const terminal = headwayIn(["run", ...words], { cwd: home, ...options, env: { HOME: home, ...options.env } })
  open.push(terminal)
  return terminal
}

/** A run with an agent that has said its first list. */
const working = async (words: string[] = [], options: TerminalOptions = {}): Promise<[Terminal, Remote]> => {
  const agent = remoteAgent("claude-2.1.197/todowrite", ...words)
  const terminal = run(["--", ...agent.command], options)
  await agent.tell({ lines: 4 })
  await terminal.waitFor("⭕ ▶ Read the READ")
  return [terminal, agent]
}

/** How often a text stands anywhere, scroll-back included. */
const count = (terminal: Terminal, text: string): number => terminal.everything().join("\n").split(text).length - 1

const shown = (terminal: Terminal): string[] => terminal.everything().filter(Boolean)

describe("the plan (A6)", () => {
  test("stays in place below the agent's text, changes there, and never appears twice", async () => {
    const [terminal, agent] = await working()
    expect(shown(terminal)).toEqual([
      "I'll plan this first.",
      "📋 Plan (claude-code):",
      "⭕ ▶ Read the README",
      "⭕ Run the smoke test",
      "⭕ Summarise findings",
    ])
    await agent.tell({ lines: 4 })
    await terminal.waitFor("✅ Read the README")
    expect(shown(terminal)).toEqual([
      "I'll plan this first.",
      "· Bash cat README.md",
      "📋 Plan (claude-code):",
      "✅ Read the README",
      "⭕ ▶ Run the smoke test",
      "⭕ Summarise findings",
    ])
    await agent.tell({ text: `${Array.from({ length: 60 }, (_, index) => `line ${index}`).join("\n")}\n` })
    await terminal.waitFor("line 59")
    expect([count(terminal, "📋 Plan"), count(terminal, "Read the README")]).toEqual([1, 1])
    expect(terminal.screen().filter(Boolean).at(-4)).toBe("📋 Plan (claude-code):")
  })

  test("has the member's name and colour, completed rows green and the others yellow", async () => {
    const agent = remoteAgent("claude-2.1.197/todowrite")
    const terminal = run(["--member", "Ada:magenta", "--", ...agent.command])
    await agent.tell({ lines: 8 })
    await terminal.waitFor("✅ Read the README")
    expect(terminal.written).toContain("\u001b[1;35m📋 Plan (Ada):\u001b[0m")
    expect(terminal.written).toContain("\u001b[32m✅ Read the README\u001b[0m")
    expect(terminal.written).toContain("\u001b[33m⭕ Summarise findings\u001b[0m")
    const plain = run(["--", ...fakeAgent("claude-2.1.197/todowrite")], { env: { NO_COLOR: "1" } })
    await plain.exited
    expect(plain.written).not.toMatch(/\u001b\[[\d;]*m/)
  })

  test("--ascii draws with ASCII only", async () => {
    const terminal = run(["--ascii", "--", ...fakeAgent("claude-2.1.197/todowrite")])
    expect(await terminal.exited).toBe(0)
    expect(shown(terminal).slice(-4)).toEqual([
      "All done.",
      "Plan (claude-code): 2 left open",
      "[x] A second list after the first was finished (turn ended)",
      "[x] Left open at the end (turn ended)",
    ])
  })

  test("stays intact below messages of the agent", async () => {
    const [terminal, agent] = await working()
    await agent.tell({ error: "a warning\u001b[2J\nand more\n" })
    await terminal.waitFor("and more")
    await terminal.waitFor("⭕ Summarise findings")
    expect(shown(terminal).slice(0, 4)).toEqual([
      "I'll plan this first.",
      "a warning",
      "and more",
      "📋 Plan (claude-code):",
    ])
  })

  test("is not joined by messages that go elsewhere", async () => {
    const home = temporaryFolder()
    const words = [
      "-c",
      `'${process.execPath}' '${bin}' run -- "$@" 2> messages`,
      "sh",
      "sh",
      "-c",
      "echo oh >&2; echo ah",
    ]
    const terminal = openTerminal("sh", words, { cwd: home, env: { HOME: home } })
    open.push(terminal)
    expect(await terminal.exited).toBe(0)
    expect(shown(terminal)).toEqual(["ah"])
    expect(readFileSync(join(home, "messages"), "utf8")).toMatch(/^oh\n/)
  })

  test("shows a person's edits in the meantime", async () => {
    const home = temporaryFolder()
    const agent = remoteAgent("claude-2.1.197/todowrite")
    const terminal = run(["--new", "--session", "s", "--", ...agent.command], { cwd: home, env: { HOME: home } })
    await agent.tell({ lines: 4 })
    await terminal.waitFor("⭕ ▶ Read the README")
    const words = [bin, "todo", "add", "Ask Ada", "--session", "s"]
    expect(spawnSync(process.execPath, words, { cwd: home, env: { HOME: home } }).status).toBe(0)
    await terminal.waitFor("⭕ Ask Ada")
  })
})

describe("the life of the view (A7)", () => {
  test("the end of a turn shows everything as completed and assumed, and stays; the kept plan has the real statuses", async () => {
    const home = temporaryFolder()
    const agent = remoteAgent("claude-2.1.197/todowrite")
    const terminal = run(["--new", "--session", "s", "--", ...agent.command], { cwd: home, env: { HOME: home } })
    await agent.tell({ lines: 100 })
    await terminal.waitFor("✅ Left open at the end")
    await agent.tell({ exit: 0 })
    expect(await terminal.exited).toBe(0)
    expect(shown(terminal).slice(-4)).toEqual([
      "All done.",
      "📋 Plan (claude-code): 2 left open",
      "✅ A second list after the first was finished (turn ended)",
      "✅ Left open at the end (turn ended)",
    ])
    expect(terminal.written).toContain("\u001b[2;32m✅ Left open at the end (turn ended)\u001b[0m")
    expect(terminal.cursor()).toMatchObject({ x: 0, isHidden: false })
    const { stdout } = spawnSync(process.execPath, [bin, "show", "--session", "s", "--format", "markdown"], {
      encoding: "utf8",
      env: { HOME: home },
    })
    expect(stdout).toBe("- [/] A second list after the first was finished\n- [ ] Left open at the end\n")
  })

  test("a sub-agent's plan is next to that of its parent, which stays, and disappears when it is over", async () => {
    const agent = remoteAgent("claude-2.1.197/subagents-todowrite")
    const terminal = run(["--", ...agent.command])
    const headings: string[][] = []
    for (let line = 0; line < 40; line += 1) {
      await agent.tell({ lines: 1, text: `mark ${line}\n` })
      const screen = await terminal.waitFor(`mark ${line}`)
      headings.push(screen.filter((row) => row.includes("📋")))
    }
    const isMain = (heading: string): boolean => heading.startsWith("📋 Plan (claude-code):")
    const shown = headings.filter((rows) => rows.length > 0)
    expect(shown.every(([first = ""]) => isMain(first))).toBe(true)
    expect(shown).toContainEqual([
      "📋 Plan (claude-code):",
      "  📋 Plan (a3b22d34f61719c9b):",
      "  📋 Plan (abf7d66e28674ba19):",
    ])
    expect(shown.at(-1)).toHaveLength(1)
  })

  test("another member clears it (A8)", async () => {
    const [first, second] = [remoteAgent("codex-0.166.0/plan"), remoteAgent("gemini-0.61.0/write-todos")]
    const parts = ["--member", "Ada:green", "--", ...first.command, "--then", "--member", "Bob:blue", "--"]
    const terminal = run([...parts, ...second.command])
    await first.tell({ lines: 5 })
    await terminal.waitFor("📋 Plan (Ada):")
    await first.tell({ exit: 0 })
    await second.tell({ text: "here I am\n" })
    await terminal.waitFor("here I am")
    expect(count(terminal, "📋")).toBe(0)
    await second.tell({ lines: 5 })
    await terminal.waitFor("📋 Plan (Bob):")
    expect(terminal.written).toContain("\u001b[1;34m📋 Plan (Bob):")
    await second.tell({ exit: 0 })
    expect(await terminal.exited).toBe(0)
    expect(count(terminal, "📋")).toBe(1)
  })

  test("an error clears it", async () => {
    const [terminal, agent] = await working()
    await agent.tell({ exit: 3 })
    expect(await terminal.exited).toBe(3)
    expect(shown(terminal)).toEqual([
      "I'll plan this first.",
      "Cleared the plan of claude-code: 0 of 3 completed, 3 left open.",
    ])
  })

  test.each([
    ["Esc", "\u001b"],
    ["Ctrl+C", "\u0003"],
  ])("%s stops the agent and reports what it clears; no other member is started, which is reported", async (_, key) => {
    const agent = remoteAgent("claude-2.1.197/todowrite")
    const others = ["--then", "--member", "Bob", "--", "cat", "--then", "--", ...fakeAgent("codex-0.166.0/plan")]
    const terminal = run(["--member", "Ada", "--", ...agent.command, ...others])
    await agent.tell({ lines: 4 })
    await terminal.waitFor("⭕ ▶ Read the README")
    terminal.type(key)
    await agent.gone()
    expect(await terminal.exited).toBe(130)
    expect(shown(terminal)).toEqual([
      "I'll plan this first.",
      "Cleared the plan of Ada: 0 of 3 completed, 3 left open.",
      "headway: Bob and node were not started, because the run was stopped.",
    ])
    expect(terminal.cursor().isHidden).toBe(false)
  })

  test("Ctrl+Z gives the terminal to the shell, and fg brings the plan back", async () => {
    const home = temporaryFolder()
    const agent = remoteAgent("claude-2.1.197/todowrite")
    const terminal = openTerminal("bash", ["--norc", "-i"], { cwd: home, env: { HOME: home, PS1: "> " } })
    open.push(terminal)
    await terminal.waitFor(/^>/)
    const words = [process.execPath, bin, "run", "--", ...agent.command]
    terminal.type(`clear; ${words.map((word) => `'${word}'`).join(" ")}\r`)
    await agent.tell({ lines: 4 })
    await terminal.waitFor("⭕ ▶ Read the README")
    terminal.type("\u001a")
    await terminal.waitFor("Stopped")
    expect(count(terminal, "📋")).toBe(0)
    expect(terminal.cursor().isHidden).toBe(false)
    terminal.type("clear; fg\r")
    await terminal.waitFor("⭕ Summarise findings")
    await agent.tell({ exit: 0 })
    await terminal.waitFor("✅ Summarise findings (turn ended)\n\n>")
  })

  test("other keys, also those whose codes begin like Esc, stop nothing", async () => {
    const [terminal, agent] = await working()
    terminal.type("\u001b[A\u001bOBqx \r")
    await agent.tell({ lines: 4 })
    await terminal.waitFor("✅ Read the README")
    await agent.tell({ exit: 0 })
    expect(await terminal.exited).toBe(0)
  })

  test("a second press stops sooner: an agent that ignores everything is killed", async () => {
    const [terminal, agent] = await working(["--ignore", "SIGINT,SIGTERM"])
    terminal.type("\u0003")
    await terminal.waitFor("Stopping. Press again to stop it sooner.")
    expect(count(terminal, "📋")).toBe(0)
    terminal.type("\u0003")
    terminal.type("\u0003")
    await agent.gone()
    expect(await terminal.exited).toBe(137)
    expect(shown(terminal)).toEqual([
      "I'll plan this first.",
      "Cleared the plan of claude-code: 0 of 3 completed, 3 left open.",
    ])
  })

  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ])("%s stops the agent too, and the terminal is restored", async (signal, code) => {
    const home = temporaryFolder()
    const agent = remoteAgent("claude-2.1.197/todowrite")
    // The shell notes how the terminal was left: in a file, because the last a terminal says may be lost with it.
    const script = `'${process.execPath}' '${bin}' run -- "$@"; { echo "code $?"; stty -a; } > left`
    const words = ["-c", script, "bash", ...agent.command]
    const terminal = openTerminal("bash", words, { cwd: home, env: { HOME: home }, rows: 40 })
    open.push(terminal)
    await agent.tell({ lines: 4 })
    await terminal.waitFor("⭕ ▶ Read the README")
    const [pid] = await agent.tell({ parent: true })
    process.kill(Number(pid), signal as NodeJS.Signals)
    await terminal.exited
    const text = readFileSync(join(home, "left"), "utf8")
    expect(text).toContain(`code ${code}`)
    expect(text).toMatch(/[^-]icanon/)
    expect(text).toMatch(/[^-]echo /)
    expect(terminal.cursor().isHidden).toBe(false)
    expect(count(terminal, "📋")).toBe(0)
  })
})

describe("terminals of all sizes", () => {
  test("a resize during a run leaves a single plan on the screen", async () => {
    const [terminal, agent] = await working([], { columns: 80, rows: 20 })
    const sizes: [columns: number, rows: number, heading: string][] = [
      [14, 20, "📋 Plan (c…):"],
      [60, 20, "📋 Plan (claude-code):"],
      // Every row of the plan is two here. In fewer rows the terminal itself would scroll the heading away.
      [18, 9, "📋 Plan (claud…):"],
      [100, 30, "📋 Plan (claude-code):"],
    ]
    for (const [columns, rows, heading] of sizes) {
      terminal.resize(columns, rows)
      await terminal.waitFor(heading)
      await agent.tell({ text: `at ${columns}\n` })
      await terminal.waitFor(`at ${columns}`)
      expect(count(terminal, "📋 Plan ("), terminal.everything().join("\n")).toBe(1)
    }
    await agent.tell({ exit: 0 })
    expect(await terminal.exited).toBe(0)
  })

  test("20×5 is enough", async () => {
    const [terminal, agent] = await working([], { columns: 20, rows: 5 })
    expect(terminal.screen().slice(-4)).toEqual([
      "📋 Plan (claude-…):",
      "⭕ ▶ Read the READ…",
      "⭕ Run the smoke t…",
      "⭕ Summarise findi…",
    ])
    await agent.tell({ text: "漢字かな交じり文をここに書く\n".repeat(30) })
    await agent.tell({ lines: 4 })
    await terminal.waitFor("✅ Read the README")
    expect(count(terminal, "📋")).toBe(1)
    await agent.tell({ exit: 0 })
    expect(await terminal.exited).toBe(0)
  })

  test("of 5,000 todos those around the current one are shown, whatever their text", async () => {
    const todos = Array.from({ length: 5_000 }, (_, index) => ({
      content: `${index === 2_500 ? "HERE " : ""}Todo ${index} ${"漢字e\u0301\u001b[31m👩‍👩‍👧 ".repeat(index % 7)}${"x".repeat(index === 2_501 ? 10_000 : 3)}`,
      status: index < 2_500 ? "completed" : index === 2_500 ? "in_progress" : "pending",
      activeForm: "Working",
    }))
    const block = { type: "tool_use", id: "toolu_1", name: "TodoWrite", input: { todos } }
    const line = (type: string, content: object) => ({
      type,
      message: { role: type, content: [content] },
      parent_tool_use_id: null,
      session_id: "s",
      uuid: "u",
    })
    const answer = { type: "tool_result", tool_use_id: "toolu_1", content: "Todos have been modified" }
    const agent = remoteAgent(undefined)
    const terminal = run(["--", ...agent.command], { columns: 60, rows: 24 })
    await agent.tell({
      text: [line("assistant", block), line("user", answer)].map((line) => `${JSON.stringify(line)}\n`).join(""),
    })
    const screen = await terminal.waitFor("⭕ ▶ HERE Todo 2500")
    expect(screen.filter(Boolean)).toHaveLength(18)
    expect(screen[0]).toBe("📋 Plan (claude-code):")
    expect([screen[1], screen[17]]).toEqual(["… 2495 earlier", "… 2490 more"])
    expect(count(terminal, "📋")).toBe(1)
    terminal.type("\u0003")
    expect(await terminal.exited).toBe(130)
    expect(shown(terminal)).toEqual(["Cleared the plan of claude-code: 2500 of 5000 completed, 250", "0 left open."])
  })

  test("a terminal without cursor control gets lines", async () => {
    const home = temporaryFolder()
    const words = ["TERM=dumb", process.execPath, bin, "run", "--", ...fakeAgent("codex-0.166.0/plan")]
    const terminal = openTerminal("env", words, { cwd: home, env: { HOME: home } })
    open.push(terminal)
    expect(await terminal.exited).toBe(0)
    expect(terminal.written).not.toContain("\u001b")
    expect(terminal.written).toContain('[Todo: "Two in progress" → pending]')
  })
})

describe("floods", () => {
  const peak = (pid: number): number =>
    Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

  test.skipIf(process.platform !== "linux")(
    "an endless line and a flood of text leave memory and frame as they were",
    async () => {
      const [terminal, agent] = await working([], { scrollback: 100 })
      await agent.tell({ text: "x".repeat(70_000_000) })
      await agent.tell({ text: `\n${"some words of an agent\n".repeat(100_000)}the end\n` })
      await terminal.waitFor("the end", 60)
      await terminal.waitFor("⭕ Summarise findings")
      expect(terminal.screen().slice(-7)).toEqual([
        "the end",
        "",
        "📋 Plan (claude-code):",
        "⭕ ▶ Read the README",
        "⭕ Run the smoke test",
        "⭕ Summarise findings",
        "",
      ])
      expect(peak(terminal.process.pid)).toBeLessThan(300)
      await agent.tell({ exit: 0 })
      await terminal.exited
      expect(terminal.everything().join("\n")).toContain("headway: A line of 67 MB is too long and was skipped.")
    },
  )
})
