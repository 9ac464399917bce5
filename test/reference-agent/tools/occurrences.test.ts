import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { occurrences } from "../../../src/reference-agent/tools/_occurrences.ts"

/** As a string finds them itself. */
const expected = (text: string, part: string): number[] => {
  const places: number[] = []
  if (part === "") return places
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) places.push(at)
  return places
}

const few = (maxLength: number) => fc.string({ unit: fc.constantFrom("a", "b"), maxLength })

describe("occurrences", () => {
  test("are those that a string finds itself", () => {
    fc.assert(
      fc.property(few(200), few(8), (text, part) => {
        expect(occurrences(text, part)).toEqual(expected(text, part))
        expect(occurrences([...text], [...part], 1)).toEqual(expected(text, part).slice(0, 1))
      }),
    )
  })

  test.each([
    ["a", `ab${"a".repeat(5000)}`],
    ["a", `${"a".repeat(5000)}b`],
    ["ab", `${"ab".repeat(2500)}c`],
  ])("of a long part are found with a few looks at each letter of %s…", (unit, part) => {
    const text = unit.repeat(100_000 / unit.length)
    let looks = 0
    const counted = new Proxy([...text], {
      get(target, name) {
        if (name !== "length") looks += 1
        return Reflect.get(target, name)
      },
    })
    expect(occurrences(counted, part)).toEqual([])
    let compared = 0
    const countedPart = new Proxy([...part], {
      get(target, name) {
        if (name !== "length") compared += 1
        return Reflect.get(target, name)
      },
    })
    occurrences(text, countedPart)
    expect(looks).toBe(text.length)
    expect(compared).toBeLessThan(4 * (text.length + part.length))
  })
})
