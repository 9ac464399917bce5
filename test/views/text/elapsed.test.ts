/** Lengths of time in few columns. */

import { expect, test } from "vitest"
import { elapsedText, sinceText } from "../../../src/views/text/elapsed.ts"

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

test.each([
  [0, "0s"],
  [-5 * second, "0s"],
  [59.9 * second, "59s"],
  [minute, "1m"],
  [hour - 1, "59m"],
  [hour, "1h"],
  [2 * hour + 5 * minute, "2h 5m"],
  [day, "1d"],
  [3 * day + 2 * hour + minute, "3d 2h"],
  [Number.NaN, ""],
  [Number.POSITIVE_INFINITY, ""],
])("%d milliseconds are %j", (length, text) => {
  expect(elapsedText(length)).toBe(text)
})

test("an unknown duration is not shown", () => {
  const now = new Date("2030-01-01T00:00:10Z")
  expect(sinceText("2030-01-01T00:00:00Z", now)).toBe("10s")
  expect(sinceText(undefined, now)).toBe("")
  expect(sinceText("yesterday", now)).toBe("")
})
