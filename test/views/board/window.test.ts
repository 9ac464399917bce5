/** Which part of a list is in sight. */

import fc from "fast-check"
import { expect, test } from "vitest"
import { topFor } from "../../../src/views/board/window.ts"

const anySight = fc
  .record({
    heights: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 60 }),
    rows: fc.integer({ min: 1, max: 20 }),
    cursor: fc.nat(59),
    top: fc.integer({ min: -5, max: 70 }),
    margin: fc.nat(6),
  })
  .map(({ heights, cursor, ...rest }) => ({ ...rest, heights, cursor: Math.min(cursor, heights.length - 1) }))

const sum = (heights: readonly number[]): number => heights.reduce((all, height) => all + height, 0)

test("the cursor is visible, whole where it fits", () => {
  fc.assert(
    fc.property(anySight, ({ heights, rows, cursor, top, margin }) => {
      const at = topFor({ count: heights.length, rows, heightOf: (index) => heights[index] ?? 0 }, cursor, top, margin)
      expect(at).toBeLessThanOrEqual(cursor)
      const upTo = sum(heights.slice(at, cursor + 1))
      if ((heights[cursor] ?? 0) <= rows) expect(upTo).toBeLessThanOrEqual(rows)
      else expect(at).toBe(cursor)
    }),
  )
})

test("no line stays empty below the end while there are rows above", () => {
  fc.assert(
    fc.property(anySight, ({ heights, rows, cursor, top, margin }) => {
      const at = topFor({ count: heights.length, rows, heightOf: (index) => heights[index] ?? 0 }, cursor, top, margin)
      const shown = sum(heights.slice(at))
      if (at > 0 && shown < rows) expect(shown + (heights[at - 1] ?? 0)).toBeGreaterThan(rows)
    }),
  )
})

test("a list in a good position stays where it is", () => {
  const sight = { count: 100, rows: 10, heightOf: () => 1 }
  for (const cursor of [42, 45, 47]) expect(topFor(sight, cursor, 40, 2)).toBe(40)
  expect(topFor(sight, 49, 40, 2)).toBe(42)
  expect(topFor(sight, 39, 40, 2)).toBe(37)
})

test("a long list costs as much as a short one", () => {
  let asked = 0
  const sight = {
    count: 1_000_000,
    rows: 40,
    heightOf: () => {
      asked += 1
      return 1
    },
  }
  topFor(sight, 500_000, 3, 5)
  expect(asked).toBeLessThan(400)
})
