/** The table of the board's keys: what is hinted at works where it is hinted at, and is explained. */
import { describe, expect, test } from "vitest"
import { type BoardPlace, commandFor, keyHelp, keyHints } from "../../../src/views/board/keys.ts"
import { type BoardView, newBoardView } from "../../../src/views/board/view.ts"
import { morning, shop } from "./sample.ts"

const board: BoardView = { ...newBoardView(), session: shop.key }

const bound = (key: string): string => ({ arrows: "up", esc: "escape" })[key] ?? key

describe.each<[name: string, view: BoardView, place: BoardPlace]>([
  ["the list of sessions", board, "board"],
  ["a plan", { ...board, pane: "plan" }, "board"],
  ["a filter that leaves nothing", { ...newBoardView(), filters: { sessions: "zzz", plan: "" } }, "board"],
  ["the page of a todo", { ...board, pane: "plan", page: "todo" }, "todo"],
  ["the page of keys", { ...board, page: "help" }, "help"],
])("over %s", (_name, view, place) => {
  const hints = keyHints(view, morning)

  test("every hinted key does something, and is on the page of keys", () => {
    expect(hints.length).toBeGreaterThan(0)
    expect(hints.filter(({ key }) => !commandFor(bound(key), place))).toEqual([])
    const explained = keyHelp({ open: true, search: true, mouse: true, terminal: true }).flatMap(([keys]) =>
      keys.split(/, | /),
    )
    expect(hints.filter(({ key }) => key !== "arrows" && !explained.includes(key))).toEqual([])
  })

  test("the way out is always shown, after everything else", () => {
    expect(hints.findIndex(({ isAtEnd }) => isAtEnd)).toBe(hints.filter(({ isAtEnd }) => !isAtEnd).length)
    expect(hints.at(-1)?.key).toBe(view.page ? "esc" : "q")
  })
})

test("in a browser no key with ctrl is ours, and nothing can be quit", () => {
  const help = keyHelp({ open: true, search: true, mouse: false, terminal: false })
  expect(help.map(([keys]) => keys).filter((keys) => /ctrl|\bq\b|\be\b/.test(keys))).toEqual([])
  expect(help).toContainEqual(["U", "redo what was undone"])
})

test("in a prompt a letter is text", () => {
  for (const key of ["a", "q", "j", "?", "space", "/"]) expect(commandFor(key, "prompt")).toBeUndefined()
  for (const key of ["up", "escape", "ctrl+c", "ctrl+z", "enter"]) expect(commandFor(key, "prompt")).toBeDefined()
})
