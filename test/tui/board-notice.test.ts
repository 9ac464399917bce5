/** What a source has to say is shown on the board: once, and not over what was said since. */
import { expect, test } from "vitest"
import { createDemoSource } from "../../src/cli/demo/source.ts"
import { createBoardModel } from "../../src/tui/board/model.ts"
import { plainLine } from "../../src/views/text/span.ts"
import { manualTimer } from "./manual-timer.ts"

const open = () => {
  const source = createDemoSource(() => new Date("2030-01-01T00:00:00Z"))
  const model = createBoardModel({
    source,
    size: { columns: 60, rows: 10, ascii: false },
    now: () => new Date("2030-01-01T00:00:00Z"),
    editText: async (text) => text,
    onQuit: () => {},
    onPause: () => {},
    onRedraw: () => {},
    timer: manualTimer(),
  })
  const footer = (): string => plainLine(model.lines().at(-1) ?? []).trim()
  return { source, model, footer }
}

test("a notice replaces the keys until it is withdrawn", () => {
  const { source, footer } = open()
  expect(footer()).toContain("q quit")
  source.say("Something happens.")
  expect(footer()).toBe("Something happens.")
  source.say(undefined)
  expect(footer()).toContain("q quit")
})

test("a later message of the board stays, and the same notice does not come back", () => {
  const { source, model, footer } = open()
  source.say("Something happens.")
  model.press([{ name: "paste", ctrl: false, meta: false, text: "no prompt is open" }])
  const since = footer()
  expect(since).not.toContain("Something happens.")
  source.say("Something happens.")
  expect(footer()).toBe(since)
  source.say(undefined)
  expect(footer()).toBe(since)
})

test("nothing in a notice steers the terminal", () => {
  const { source, footer } = open()
  source.say("\u001b[2Jgone\nand more")
  expect(footer()).toBe("gone and more")
})
