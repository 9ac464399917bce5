/** Colours as a terminal is told of them. */
import { afterEach, expect, test, vi } from "vitest"
import { paint } from "../../src/tui/terminal/paint.ts"
import { type Colour, readColour } from "../../src/views/text/span.ts"

afterEach(() => vi.unstubAllEnvs())

const painted = (colour: string): string =>
  paint([{ text: "x", style: { bold: true, colour: colour as Colour } }], true)

test.each([
  ["RED", "red"],
  [" #FF8800 ", "#ff8800"],
  ["#f80", "#ff8800"],
  ["pink", undefined],
  ["#ff88", undefined],
  ["#gg8800", undefined],
  ["", undefined],
  ["toString", undefined],
])("A8 %j is the colour %j", (written, colour) => {
  expect(readColour(written)).toBe(colour)
})

// One colour for each: what was worked out for one is kept.
test("A8 a custom colour is drawn exactly if the terminal supports it", () => {
  vi.stubEnv("FORCE_COLOR", "3")
  expect(painted("#ff8801")).toBe("\u001b[1;38;2;255;136;1mx\u001b[0m")
})

test("A8 otherwise the nearest of 256 is drawn", () => {
  vi.stubEnv("FORCE_COLOR", "2")
  expect(painted("#ff8802")).toBe("\u001b[1;38;5;208mx\u001b[0m")
  expect(painted("#808080")).toMatch(/38;5;24\dm/)
  expect(painted("#000000")).toBe("\u001b[1;38;5;16mx\u001b[0m")
  expect(painted("#ffffff")).toBe("\u001b[1;38;5;231mx\u001b[0m")
})

test("an invalid colour steers nothing", () => {
  expect(painted("#ff\u001b[2J")).toBe("\u001b[1mx\u001b[0m")
  expect(painted("31m\u001b]0;owned\u0007")).toBe("\u001b[1mx\u001b[0m")
})
