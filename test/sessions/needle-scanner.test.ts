import fc from "fast-check"
import { expect, test } from "vitest"
import { createScanner, scannedMemory } from "../../src/sessions/file/needle-scanner.ts"

const size = 128 << 10
const memory = scannedMemory(size)

/** All places of all needles, found one by one. */
const placesOf = (text: Buffer, needles: readonly string[]): number[] => {
  const places = new Set<number>()
  for (const needle of needles)
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) places.add(at)
  return [...places].sort((one, other) => one - other)
}

const scannedPlaces = (text: Buffer, needles: readonly string[], start: number): number[] => {
  text.copy(memory, start)
  const scanner = createScanner(needles)
  if (!scanner) throw new Error("this machine has no scanner")
  const end = start + text.length
  const places: number[] = []
  for (let at = scanner(start, end); at >= 0; at = scanner(at + 1, end)) places.push(at - start)
  return places
}

const sets = [
  ["TaskC", "TaskU", "TaskL", "TaskG", "way__", "_snaps", "TodoW", "_remin"],
  ["_rolle", "__head", "_plan"],
  ["ab", "aba", "bb"],
  ['er","content":"', "é_ü"],
]

test.each(sets)("the needles %s, … are found where they are, whole and in order", (...needles: string[]) => {
  const piece = fc.oneof(
    fc.constantFrom(...needles, ...needles.map((one) => one.slice(0, -1))),
    fc.string({ maxLength: 40 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(70), (pieces, start) => {
      const text = Buffer.from(pieces.join(""))
      expect(scannedPlaces(text, needles, start)).toEqual(placesOf(text, needles))
    }),
  )
})

test("earlier content of the memory after the end completes no needle", () => {
  scannedPlaces(Buffer.from("xxTodoWxx"), ["TodoW"], 0)
  expect(scannedPlaces(Buffer.from("xxTodo"), ["TodoW"], 0)).toEqual([])
})

test("a needle at the very end of the memory is found", () => {
  const text = Buffer.alloc(size, "x")
  text.write("_plan", size - 5)
  expect(scannedPlaces(text, ["_plan", "__head"], 0)).toEqual([size - 5])
})
