/** The demo in a real terminal: the board comes up, the agents get on, keys work, and the terminal is given back. */
import { afterEach, expect, test } from "vitest"
import { widthOf } from "../../src/views/index.ts"
import { namesIn, temporaryFolder } from "../stores/temporary.ts"
import { headwayIn, type Terminal, type TerminalOptions } from "../terminal.ts"

const opened: Terminal[] = []

afterEach(() => {
  for (const terminal of opened.splice(0)) terminal.kill()
})

const demoIn = (argv: readonly string[], { env = {}, ...options }: TerminalOptions = {}) => {
  const home = temporaryFolder()
  const terminal = headwayIn(["demo", ...argv], { columns: 104, rows: 28, ...options, env: { HOME: home, ...env } })
  opened.push(terminal)
  return { terminal, home }
}

/** Almost at a standstill, so that nothing but what is typed changes the screen. */
const slowly = ["--speed", "0.1"]

const leave = async (terminal: Terminal): Promise<number> => {
  terminal.type("q")
  return terminal.exited
}

test("three agents work on their plans, a person edits one, and q restores the terminal", async () => {
  const { terminal, home } = demoIn(["--speed", "4"])
  const first = (await terminal.waitFor("Three agents from three vendors")).join("\n")
  for (const agent of ["claude", "codex", "gemini"]) expect(first).toContain(agent)
  expect(first).toContain("Move the checkout")
  expect(terminal.isAlternate()).toBe(true)
  await terminal.waitFor("Find the webhook handlers")
  await terminal.waitFor("A person, Ada, adds a todo")
  expect(terminal.screen().join("\n")).toContain("Keep the old webhook address for one release")
  expect(await leave(terminal)).toBe(0)
  expect(terminal.isAlternate()).toBe(false)
  expect(terminal.cursor().isHidden).toBe(false)
  expect(namesIn(home)).toEqual([])
})

test("at the end the board stays and names what to try next", async () => {
  const { terminal } = demoIn(["--speed", "200"])
  const screen = (await terminal.waitFor("The demo is over. Press q to leave")).join("\n")
  expect(screen).toMatch(/Move the checkout .*7\/7/)
  expect(screen).toMatch(/Fix the nightly .*5\/5/)
  expect(screen).toMatch(/waiting for you/)
  expect(await leave(terminal)).toBe(0)
})

test("the last view stays when the board is left, with how to install Headway", async () => {
  const { terminal } = demoIn(["--speed", "200"], { rows: 40 })
  await terminal.waitFor("The demo is over. Press q to leave")
  expect(await leave(terminal)).toBe(0)
  expect(terminal.isAlternate()).toBe(false)
  const screen = terminal.screen().join("\n")
  expect(screen).toMatch(/Move the checkout .*7\/7/)
  expect(screen).toContain('"npm install -g ."')
  expect(screen.indexOf("Move the checkout")).toBeLessThan(screen.indexOf("npm install"))
})

test("in 40 columns the words are shown to their end, and nothing of them stays when the board is left", async () => {
  const { terminal } = demoIn(["--speed", "200"], { columns: 40, rows: 30 })
  await terminal.waitFor(/The demo is over\. Press q to leave,\n then run headway for your own agents\./)
  expect(await leave(terminal)).toBe(0)
  const screen = terminal.screen().join("\n")
  expect(screen).toContain("That was the demo.")
  expect(screen).not.toContain("Press q to leave")
})

test("a viewer can add a todo and take it back, and nothing is written", async () => {
  const { terminal, home } = demoIn(slowly)
  await terminal.waitFor("Remove the old client")
  terminal.type("aAsk for a review\r")
  await terminal.waitFor(/added "Ask for a review"/)
  await terminal.waitFor(/2\/7/)
  terminal.type("u")
  await terminal.waitFor(
    (screen) => /undone: added "Ask for a review"/.test(screen) && !/○ Ask for a review/.test(screen),
  )
  expect(await leave(terminal)).toBe(0)
  expect(namesIn(home)).toEqual([])
})

test("the whole plan can be changed in an editor", async () => {
  const { terminal } = demoIn(slowly, { env: { EDITOR: "sed -i 's/Remove the old client/Archive the old client/'" } })
  await terminal.waitFor("Remove the old client")
  terminal.type("e")
  await terminal.waitFor("Archive the old client")
  expect(await leave(terminal)).toBe(0)
})

test("a person who stops it with a signal gets the terminal back too", async () => {
  const { terminal } = demoIn(slowly)
  await terminal.waitFor("Claude Code")
  terminal.kill("SIGTERM")
  expect(await terminal.exited).toBe(143)
  expect(terminal.isAlternate()).toBe(false)
  expect(terminal.cursor().isHidden).toBe(false)
})

test("at 40 columns, without colour and Unicode, the frame keeps its shape", async () => {
  const { terminal } = demoIn(["--ascii", ...slowly], { columns: 40, rows: 16, env: { NO_COLOR: "1" } })
  const lines = await terminal.waitFor("Move the")
  expect(lines.filter((line) => widthOf(line) > 40)).toEqual([])
  expect(lines.join("\n").match(/[^\n -~]/g)).toBeNull()
  expect(terminal.written).not.toMatch(/\u001b\[[\d;]*3[0-7]m/)
  expect(await leave(terminal)).toBe(0)
})
