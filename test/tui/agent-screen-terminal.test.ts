/** `headway agent` in a real terminal, with a scripted model: a whole session on its screen, and every way out of it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, onTestFinished, test } from "vitest"
import type { Turn } from "../../src/scripted/index.ts"
import { runCli } from "../cli/run-cli.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { headwayIn, openTerminal, type TerminalOptions } from "../terminal.ts"

const bin = fileURLToPath(new URL("../../dist/bin/headway.js", import.meta.url))
const keys = { ctrlC: "\u0003", ctrlT: "\u0014", escape: "\u001b" }

type OpenOptions = TerminalOptions & { words?: readonly string[] }

/**
 * In a shell that says afterwards how it finds its terminal, and stays until that was read: a pseudo-terminal is closed a
 * moment after its program ends, and on a busy machine with its last words unread.
 */
const openAgent = (turns: readonly Turn[], { words = [], ...options }: OpenOptions = {}) => {
  const home = temporaryFolder()
  const folder = temporaryFolder()
  const script = join(home, "script.json")
  writeFileSync(script, JSON.stringify(turns))
  const command = `"$0" "$@"; echo "code $?"; stty -a | grep -o -e '-*icanon' -e '-*echo ' | tr '\\n' ' '; echo end; read -r`
  const argv = [
    "-c",
    command,
    process.execPath,
    bin,
    "agent",
    "--model",
    `script:${script}`,
    "--new",
    "--session",
    "s",
    ...words,
  ]
  const env = { HOME: home, USER: "ada", ...options.env }
  const terminal = openTerminal("bash", argv, { cwd: folder, ...options, env })
  onTestFinished(() => terminal.kill())
  return {
    ...terminal,
    home,
    folder,
    get written() {
      return terminal.written
    },
    /** What the screen and its scroll-back say, each line of it. */
    everything: () => terminal.everything().join("\n"),
    /** Waits for the end and sees that the shell got everything back. */
    async ended() {
      await terminal.waitFor(/^-?icanon -?echo +end$/m)
      const last = terminal.everything().join("\n")
      expect(last).toMatch(/^icanon echo +end$/m)
      expect(terminal.cursor().isHidden).toBe(false)
      expect(terminal.written.lastIndexOf("\u001b[?2004l")).toBeGreaterThan(
        terminal.written.lastIndexOf("\u001b[?2004h"),
      )
      expect(terminal.written.lastIndexOf("\u001b[?7h")).toBeGreaterThan(terminal.written.lastIndexOf("\u001b[?7l"))
      expect(terminal.isAlternate()).toBe(false)
      terminal.type("\r")
      await terminal.exited
      return last
    },
  }
}

const count = (text: string, part: string): number => text.split(part).length - 1

/** The row of the screen that begins so. */
const terminalRow = (text: string, start: string): number => text.split("\n").findIndex((row) => row.startsWith(start))

const list = (...items: [string, string][]) => ({
  tool: "TodoWrite",
  input: {
    todos: items.map(([content, status]) => ({
      content,
      status,
      activeForm: `${content.replace(/^Write/, "Writing")}`,
    })),
  },
})

const session: Turn[] = [
  {
    text: "I begin with a list.",
    calls: [
      list(["Write a file", "in_progress"], ["Look at it", "pending"]),
      { tool: "Write", input: { file_path: "a.txt", content: "hello\n" } },
      { tool: "Bash", input: { command: "printf '\\033[2J\\033[31mred'", description: "Prints red" } },
    ],
  },
  { text: "Shall I go on?" },
  { calls: [list(["Write a file", "completed"], ["Look at it", "completed"])] },
  { text: "All done." },
]

test("a session has the plan, Ctrl+T, questions, /todos, /todo, an edit from another shell, and an end (C31 to C34, C16)", async () => {
  const terminal = openAgent(session)
  const { type, waitFor, everything, ended, home, folder } = terminal
  await waitFor("What should be done?")
  type("Write a file\r")
  await waitFor(
    /[✻✼✽] Writing a file…(?: \([^)]*\))?\n {2}Next: Look at it\n│ hello\n│\nWrite a\.txt\?\ny yes, n no, a always write here/,
  )
  type(keys.ctrlT)
  await waitFor("  ☐ Write a file\n  ☐ Look at it\n  Next: Look at it\n")
  type("y")
  await waitFor("Run a command? The model says: Prints red\ny yes")
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("hello\n")
  type("n")
  await waitFor("Shall I go on?")
  await waitFor("Todos\n  ☐ Write a file\n  ☐ Look at it\n›")
  type("/todos\r")
  await waitFor("2 todos:\n\n☐ Write a file\n☐ Look at it")
  type('/todo add "Ask Ada"\r')
  await waitFor('added 3 "Ask Ada"')
  await waitFor("  ☐ Ask Ada\n›")
  await runCli(["todo", "done", "look", "--session", "s"], { home, env: { USER: "grace" } })
  await waitFor('grace: 2 "Look at it": now completed')
  type("Yes\r")
  await waitFor("All done.")
  type("/exit\r")
  const last = await ended()
  expect(last).toContain("Continue with: headway agent --resume s\ncode 0")
  for (const part of ["› Write a file", "I begin with a list.", "│ hello", "All done.", "› /todos", "• Created a.txt"])
    expect([part, count(everything(), part)]).toEqual([part, 1])
  expect(last).toContain("✗ Bash printf")
  expect(last).not.toContain("TodoWrite")
  expect(terminal.written).not.toMatch(/\u001b\[[23]J|\u001bc/)
  expect(JSON.parse(readFileSync(join(home, ".headway", "settings.json"), "utf8"))).toMatchObject({
    showExpandedTodos: true,
  })
})

test("plan mode is requested, shown and approved, and nothing is written before (C25)", async () => {
  const { type, waitFor, ended, folder } = openAgent(
    [
      { calls: [{ tool: "EnterPlanMode" }] },
      { calls: [{ tool: "Write", input: { file_path: "a.txt", content: "too early" } }] },
      { calls: [{ tool: "ExitPlanMode", input: { plan: "1. Find the callers\n2. Change them" } }] },
      { text: "Now I begin." },
    ],
    { words: ["Plan it", "--ascii"], columns: 40, env: { NO_COLOR: "1" } },
  )
  await waitFor("Enter plan mode?\ny yes, n no\n")
  type("y")
  await waitFor("| 1. Find the callers\n| 2. Change them")
  await waitFor("Approve this plan and begin?\ny yes, n no\n")
  await waitFor("plan mode, ctrl+t show todos")
  expect(existsSync(join(folder, "a.txt"))).toBe(false)
  type("y")
  await waitFor("Now I begin.")
  const screen = await waitFor("> _What should be done?\nctrl+t show todos, /help")
  expect(screen.join("\n")).toMatch(/^[\n -~]*$/)
  expect(screen.join("\n")).not.toContain("x Write a.txt")
  type("\u0004")
  await ended()
})

test("a command that hides another is shown with it, and exactly that is run", async () => {
  const hiding = "ls -la \u001b]0; touch PWNED #\u0007"
  const calls = [hiding, hiding, "echo \u202e\u200b\\x1b"].map((command) => ({ tool: "Bash", input: { command } }))
  const { type, waitFor, ended, folder, everything, emulator } = openAgent([{ calls }, { text: "Done." }], {
    words: ["Go"],
  })
  await waitFor("│ ls -la ⟨\\x1b⟩]0; touch PWNED #⟨\\x07⟩\nRun a command?\ny yes, n no\n")
  await waitFor("It contains 2 invisible or control characters, shown as ⟨\\x1b⟩.")
  expect(everything()).toContain("◦ Bash ls -la ⟨\\x1b⟩]0; touch PWNED #⟨\\x07⟩")
  const row = terminalRow(everything(), "│ ls -la")
  expect(emulator.buffer.active.getLine(row)?.getCell(9)?.isInverse()).not.toBe(0)
  type("n")
  await waitFor("✗ Bash ls -la")
  expect(existsSync(join(folder, "PWNED"))).toBe(false)
  await waitFor("Run a command?\ny yes, n no\n")
  type("y")
  await waitFor("│ echo ⟨\\u202e⟩⟨\\u200b⟩\\x1b\nRun a command?\ny yes")
  expect(existsSync(join(folder, "PWNED"))).toBe(true)
  type("n")
  await waitFor("Done.")
  type("\u0004")
  await ended()
})

test("402 lines can be read to the last before the answer, in a large window and in a small one", async () => {
  const lines = Array.from({ length: 401 }, (_, index) => `echo ${index + 1} >> out`)
  const command = [...lines, "echo the last line of all is a longer one >> out"].join("\n")
  const terminal = openAgent([{ calls: [{ tool: "Bash", input: { command } }] }, { text: "Done." }], {
    ...{ words: ["Go"], columns: 80, rows: 24 },
  })
  const { type, waitFor, resize, ended, folder } = terminal
  const readAll = async () => {
    await waitFor(/│ echo 1 >> out\n[\s\S]*lines 1-\d+ of 40[23] \(arrows, PgUp, PgDn\)\nRun a command\?\ny yes/)
    type("\u001b[6~")
    await waitFor((screen) => !screen.includes("lines 1-") && /lines \d+-\d+ of 40[23]/.test(screen))
    type("\u001b[B\u001b[A\u001b[5~")
    await waitFor(/lines 1-\d+ of 40[23]/)
    type("\u001b[F")
    await waitFor(/-(40[23]) of \1 \(arrows/)
    await waitFor(/│ echo the last line of all is a longer\s+(?:┆ )?one/)
  }
  await readAll()
  resize(40, 16)
  type("\u001b[H")
  await readAll()
  type("y")
  await waitFor(/^Done\.\n\n› +What should be done\?/m)
  const answered = terminal.written.indexOf("more rows)")
  expect(answered).toBeGreaterThan(0)
  expect(terminal.written.slice(answered)).not.toContain("Run a command?")
  expect(readFileSync(join(folder, "out"), "utf8").split("\n")).toHaveLength(403)
  type("\u0004")
  await ended()
})

test("the text of a Write can be read to its end, and an Edit shows both texts", async () => {
  const content = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`).join("\n")
  const edit = { file_path: "a.txt", old_string: "line 300", new_string: "line three hundred\n\tand\u00a0more" }
  const { type, waitFor, ended, folder } = openAgent(
    [
      { calls: [{ tool: "Write", input: { file_path: "a.txt", content } }] },
      { calls: [{ tool: "Edit", input: edit }] },
      { text: "Done." },
    ],
    { words: ["Go"], columns: 60 },
  )
  await waitFor(/lines 1-\d+ of 300 [\s\S]*Write a\.txt\?\ny yes/)
  type("\u001b[F")
  await waitFor(/│ line 300\nlines \d+-300 of 300/)
  type("y")
  await waitFor("│ - line 300\n│ + line three hundred\n│ + ⟨\\t⟩and⟨\\xa0⟩more\nEdit a.txt?\ny yes")
  type("y")
  await waitFor("Done.")
  expect(readFileSync(join(folder, "a.txt"), "utf8").endsWith("line three hundred\n\tand\u00a0more")).toBe(true)
  type("\u0004")
  await ended()
})

test("Esc interrupts an answer and a command; queued text comes back; Ctrl+C twice leaves", async () => {
  const { type, waitFor, ended } = openAgent(
    [{ text: "I wait for ever", hang: 1 }, { calls: [{ tool: "Bash", input: { command: "echo begun; sleep 600" } }] }],
    { words: ["Go"] },
  )
  await waitFor("I wait for ever")
  type("and then this\r")
  await waitFor("queued: and then this")
  type(keys.escape)
  await waitFor("Interrupted. Say what it should do instead.")
  await waitFor("› and then this")
  type("\r")
  await waitFor("Run a command?\ny yes")
  type("y")
  await waitFor("◦ Bash echo begun; sleep 600: begun")
  type(keys.escape)
  await waitFor("• Bash echo begun; sleep 600: Interrupted".replace("•", "✗"))
  type(`half a line${keys.ctrlC}`)
  await waitFor("ctrl+c again to leave")
  type(keys.ctrlC)
  expect(await ended()).toContain("code 0")
})

test("text that a terminal draws wider than it is measured leaves no rows behind, and no character of a command is lost", async () => {
  const wide = "👍\u{1f3fd}".repeat(40)
  const command = `echo ${wide}\n\u{1f3fd}ls ${"\u0e01\u0e33".repeat(30)}`
  const terminal = openAgent([{ text: wide, calls: [{ tool: "Bash", input: { command } }] }, { text: "Done." }], {
    words: ["Go"],
    columns: 40,
  })
  const { type, waitFor, everything, screen, ended } = terminal
  await waitFor("Run a command?\ny yes")
  for (const hint of ["hide todos", "show todos", "hide todos", "show todos"]) {
    type(keys.ctrlT)
    await waitFor(`ctrl+t ${hint}`)
  }
  expect(everything().match(/◦ Bash/g)).toHaveLength(1)
  const shown = screen().filter((row) => /^[│┆] /.test(row))
  expect(shown.map((row) => (row.startsWith("│") ? "\n" : "") + row.slice(2)).join("")).toBe(
    `\n${command.replace("\n\u{1f3fd}", "\n⟨\\u{1f3fd}⟩")}`,
  )
  type("n")
  await waitFor("Done.")
  type("\u0004")
  expect(await ended()).toContain("code 0")
})

test("1,000 todos in a small window that is resized stay inside, and the scroll-back is kept", async () => {
  const many = Array.from({ length: 1_000 }, (_, index): [string, string] => [`Todo ${index + 1}`, "pending"])
  const terminal = openAgent(
    [
      { text: "First words.", calls: [list(...many), { tool: "Bash", input: { command: "true" } }] },
      { text: "x", hang: 1 },
    ],
    { words: ["Go"], columns: 80, rows: 16 },
  )
  const { type, waitFor, resize, everything, ended, screen } = terminal
  await waitFor("Run a command?\ny yes")
  type(keys.ctrlT)
  await waitFor("more\n  Next: Todo 1")
  expect(screen()).toHaveLength(16)
  resize(40, 8)
  await waitFor(/^› ?\nctrl\+t hide todos, esc interrupts$/m)
  resize(120, 30)
  await waitFor("  ☐ Todo 10\n")
  type("n")
  await waitFor("esc interrupts")
  expect(everything()).toContain("First words.")
  type(keys.escape)
  await waitFor("Interrupted.")
  type(`${keys.ctrlC}${keys.ctrlC}`)
  await ended()
  expect(terminal.written).not.toMatch(/\u001b\[[23]J|\u001bc/)
})

test.each(["TERM", "HUP", "INT"])("SIG%s: the terminal is restored, and how to continue is printed", async (signal) => {
  const { type, waitFor, ended } = openAgent(
    [{ calls: [{ tool: "Bash", input: { command: `kill -${signal} $PPID; sleep 60` } }] }],
    { words: ["Go"] },
  )
  await waitFor("Run a command?\ny yes")
  type("y")
  expect(await ended()).toContain("Continue with: headway agent --resume s\ncode 0")
})

test("a crash restores the terminal too, and ends the running command", async () => {
  const crash = 'process.on("SIGUSR2",()=>{throw(new(Error)("crashed"))})'
  const { type, waitFor, ended, folder } = openAgent(
    [{ calls: [{ tool: "Bash", input: { command: "setsid sleep 60 & echo $! > id; kill -USR2 $PPID; sleep 60" } }] }],
    { words: ["Go"], env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(crash)}` } },
  )
  await waitFor("Run a command?\ny yes")
  type("y")
  const last = await ended()
  const id = readFileSync(join(folder, "id"), "utf8").trim()
  await expect.poll(() => existsSync(`/proc/${id}/exe`), { timeout: 20_000 }).toBe(false)
  expect(last).toContain("Error: crashed")
  expect(last).toContain("code 1")
})

test("the demo visibly builds a small program, in 40 columns", async () => {
  const { type, waitFor, ended, folder } = openAgent([], { words: ["--model", "script:demo", "Build it"], columns: 40 })
  await waitFor("a always write here")
  type("a")
  await waitFor("a always run any command")
  type("a")
  await waitFor("Todos\n  ☒ Write slug.mjs\n  ☒ Write a test for it\n  ☒ Make the test pass\n  ☒ Try it out\n")
  await waitFor("What should be done?")
  expect(existsSync(join(folder, "slug.mjs"))).toBe(true)
  type("\u0004")
  await ended()
})

test("a session that was left is resumed, with its list and its conversation", async () => {
  const first = openAgent([{ text: "First the plan?", calls: [list(["Read", "in_progress"], ["Write", "pending"])] }])
  await first.waitFor("What should be done?")
  first.type("Begin\r")
  await first.waitFor("The script ends here.")
  first.type("\u0004")
  await first.ended()
  writeFileSync(join(first.home, "later.json"), JSON.stringify([{ text: "I go on?" }]))
  const argv = ["agent", "--model", `script:${join(first.home, "later.json")}`, "--resume", "s"]
  const again = headwayIn(argv, { env: { HOME: first.home }, cwd: first.folder })
  onTestFinished(() => again.kill())
  await again.waitFor(/Session s \(.*\),\s+resumed\./)
  again.type("/todos\r")
  await again.waitFor("2 todos:\n\n☐ Read\n☐ Write")
  again.type("Go on\r")
  await again.waitFor("I go on?")
  again.type("\u0004")
  expect(await again.exited).toBe(0)
})

test("a paste of several lines is one prompt, typed text is edited, and sent text comes back", async () => {
  const { type, waitFor, ended } = openAgent([{ text: "Heard you." }])
  await waitFor("What should be done?")
  type("\u001b[200~one\ntwo\u001b[201~")
  await waitFor("› one\n  two")
  type("\u007f\u007f\u007f漢字\u001b[D\u001b[3~!")
  await waitFor("› one\n  漢!")
  type("\r")
  await waitFor("Heard you.")
  type("\u001b[A")
  await waitFor(/Heard you\.\n\n› one\n {2}漢!/)
  type(`${keys.ctrlC}\u0004`)
  await ended()
})

test("a paste that never ends does not block the keys", async () => {
  const { type, waitFor, ended } = openAgent([])
  await waitFor("What should be done?")
  type("\u001b[200~half a text")
  await waitFor("› half a text")
  type(keys.ctrlC)
  await waitFor("ctrl+c again to leave")
  type(keys.ctrlC)
  await ended()
})

test("Ctrl+Z restores the terminal, fg brings everything back as it was", async () => {
  const home = temporaryFolder()
  const script = join(home, "script.json")
  writeFileSync(script, JSON.stringify([{ text: "Heard you." }]))
  const env = { HOME: home, PS1: "$ " }
  const terminal = openTerminal("bash", ["--norc", "-i"], { cwd: temporaryFolder(), columns: 100, env })
  onTestFinished(() => terminal.kill("SIGKILL"))
  const { type, waitFor, everything } = terminal
  await waitFor("$")
  type(`${process.execPath} ${bin} agent --model script:${script} --new --session s\r`)
  await waitFor("What should be done?")
  type("half a line")
  await waitFor("› half a line")
  type("\u001a")
  const stopped = await waitFor("Stopped")
  expect(stopped.join("\n")).not.toContain("half a line")
  expect(terminal.cursor().isHidden).toBe(false)
  expect(terminal.written.lastIndexOf("\u001b[?7h")).toBeGreaterThan(terminal.written.lastIndexOf("\u001b[?7l"))
  type("stty -a | grep -o -w -e '-*icanon'; echo still $((40 + 2)) here\r")
  const shell = await waitFor("still 42 here")
  expect(shell).toContain("icanon")
  type("fg\r")
  await waitFor(/^› half a line/m)
  type(" more\r")
  await waitFor("Heard you.")
  await waitFor("What should be done?")
  type("\u0004")
  await waitFor("Continue with: headway agent --resume s")
  expect(everything().join("\n").split("Heard you.")).toHaveLength(2)
})
