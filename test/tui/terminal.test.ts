/** The components in a real terminal: the glyph turns, keys toggle, the window is resized, and nothing flickers. */
import { fileURLToPath } from "node:url"
import { expect, onTestFinished, test } from "vitest"
import { openTerminal, type Terminal, type TerminalOptions } from "../terminal.ts"
import { buildApp } from "./built-app.ts"

const app = await buildApp(fileURLToPath(new URL("terminal-app.tsx", import.meta.url)))
const ctrlT = "\u0014"

const openApp = (todos: number, options: TerminalOptions = {}): Terminal => {
  const terminal = openTerminal(process.execPath, [app, String(todos)], options)
  onTestFinished(() => terminal.kill())
  return terminal
}

test("C31 the glyph turns by itself, and nothing else moves", async () => {
  const terminal = openApp(6)
  const frames: string[][] = []
  for (const glyph of ["✻", "✼", "✽", "✻"]) frames.push(await terminal.waitFor(`${glyph} Todo 3`))
  expect(new Set(frames.map((frame) => frame.join("\n").slice(1))).size).toBe(1)
})

test("C32 Ctrl+T shows and hides the todos; the shell gets its cursor back", async () => {
  const terminal = openApp(3)
  await terminal.waitFor("ctrl+t show todos")
  terminal.type(ctrlT)
  const shown = await terminal.waitFor("ctrl+t hide todos")
  expect(shown.slice(0, 6).map((line) => line.slice(0, 12))).toEqual([
    expect.stringMatching(/^[✻✼✽] Todo 2 of/),
    "  ☐ Todo 1 o",
    "  ☐ Todo 2 o",
    "  ☐ Todo 3 o",
    "  Next: Todo",
    "ctrl+t hide ",
  ])
  terminal.type(ctrlT)
  const hidden = await terminal.waitFor("ctrl+t show todos")
  expect(hidden.join("\n")).not.toContain("☐")
  terminal.type("q")
  expect(await terminal.exited).toBe(0)
  expect(terminal.cursor().isHidden).toBe(false)
})

test("5,000 todos in a small window: the frame stays inside it, and the screen is never cleared", async () => {
  const terminal = openApp(5_000, { columns: 60, rows: 10 })
  await terminal.waitFor("ctrl+t show todos")
  terminal.type(ctrlT)
  const screen = await terminal.waitFor("ctrl+t hide todos")
  expect(screen).toHaveLength(10)
  expect(screen.map((line) => line.slice(0, 15))).toEqual([
    expect.stringMatching(/^[✻✼✽] Todo 2500 of/),
    "  … 2498 earlie",
    "  ☐ Todo 2499 o",
    "  ☐ Todo 2500 o",
    "  ☐ Todo 2501 o",
    "  ☐ Todo 2502 o",
    "  … 2498 more",
    "  Next: Todo 1 ",
    "ctrl+t hide tod",
    "",
  ])
  await terminal.waitFor("✽")
  await terminal.waitFor("✻")
  expect(terminal.written).not.toMatch(/\u001b\[[23]J|\u001bc/)
})

test("a window made narrower or wider is redrawn", async () => {
  const terminal = openApp(3, { columns: 80, rows: 12 })
  await terminal.waitFor("ctrl+t show todos")
  terminal.type(ctrlT)
  await terminal.waitFor("☐ Todo 1 of more words than a narrow screen has room for")
  terminal.resize(30, 12)
  // What the terminal itself broke in two when it became narrower stays above.
  await terminal.waitFor(
    "  ☐ Todo 1 of more words than…\n  ☐ Todo 2 of more words than…\n  ☐ Todo 3 of more words than…\n",
  )
  terminal.resize(120, 12)
  await terminal.waitFor("☐ Todo 1 of more words than a narrow screen has room for")
})
