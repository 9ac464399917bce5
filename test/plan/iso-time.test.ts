import { expect, test } from "vitest"
import { isoTime } from "../../src/plan/index.ts"

test("times in any of their forms become ISO text", () => {
  const text = "2026-11-15T19:00:00.000Z"
  expect([
    isoTime(text),
    isoTime(Date.parse(text)),
    isoTime(new Date(text)),
    isoTime("2026-11-15T20:00:00+01:00"),
  ]).toEqual(Array(4).fill(text))
  expect(isoTime(0)).toBe("1970-01-01T00:00:00.000Z")
})

test.each([
  1e300,
  -1e300,
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  8.64e15,
  253_402_300_800_000,
  "",
  "soon",
  "+275760-01-01",
  null,
  {},
  [],
  true,
  new Date(Number.NaN),
])("%s is not a time", (value) => {
  expect(isoTime(value)).toBeUndefined()
})
