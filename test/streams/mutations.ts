/** Damages genuine lines in every way a property test can think of, and checks that reading survives it. */

import fc from "fast-check"
import { createEventReader, type StreamEvent, type TodoListEvent } from "../../src/streams/index.ts"
import { type StreamId, streams } from "../agents/loaded.ts"
import { anyCharacter } from "../any-character.ts"
import { samples } from "./samples.ts"

const strangers: readonly unknown[] = [
  null,
  true,
  -0.5,
  1e308,
  "",
  "\u0000\u001b[31m\ud800",
  "__proto__",
  [],
  {},
  [[[]]],
  [null, 1, "x", {}],
  { id: {}, text: [], status: 7, content: null },
  "x".repeat(5000),
  '{"todos":[{"content":',
]

type Blow =
  | { kind: "cut"; at: number }
  | { kind: "splice"; at: number; length: number; text: string }
  | { kind: "replace"; path: readonly number[]; stranger: number }
  | { kind: "swap"; other: number }

const share = fc.double({ min: 0, max: 1, noNaN: true })
const blow: fc.Arbitrary<Blow> = fc.oneof(
  fc.record({ kind: fc.constant("cut" as const), at: share }),
  fc.record({
    kind: fc.constant("splice" as const),
    at: share,
    length: fc.nat(40),
    text: fc.string({ unit: anyCharacter, maxLength: 12 }),
  }),
  fc.record({
    kind: fc.constant("replace" as const),
    path: fc.array(fc.nat(30), { maxLength: 7 }),
    stranger: fc.nat(strangers.length - 1),
  }),
  fc.record({ kind: fc.constant("swap" as const), other: fc.nat(100) }),
)

const strike = (line: string, hit: Blow, lines: readonly string[]): string => {
  if (hit.kind === "cut") return line.slice(0, Math.floor(line.length * hit.at))
  if (hit.kind === "swap") return lines[hit.other % lines.length] ?? line
  if (hit.kind === "splice") {
    const start = Math.floor(line.length * hit.at)
    return line.slice(0, start) + hit.text + line.slice(start + hit.length)
  }
  try {
    return JSON.stringify(replaced(JSON.parse(line.replace(/^data: /, "")), hit.path, strangers[hit.stranger]))
  } catch {
    return line
  }
}

/** The value with the part at a path replaced; steps that lead nowhere are taken among the parts there are. */
const replaced = (value: unknown, [step, ...path]: readonly number[], stranger: unknown): unknown => {
  if (step === undefined || typeof value !== "object" || value === null) return stranger
  const keys = Object.keys(value)
  const key = keys[step % Math.max(keys.length, 1)]
  if (key === undefined) return stranger
  const inner = replaced((value as Record<string, unknown>)[key], path, stranger)
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner }
}

const rubbish = fc.oneof(fc.string({ unit: anyCharacter }), fc.json())
const bytes = fc.uint8Array({ maxLength: 60 })

export const damage = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ line: fc.nat(100), blows: fc.array(blow, { maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ text: rubbish }) },
    { weight: 1, arbitrary: fc.record({ bytes }) },
  ),
  { minLength: 1, maxLength: 12 },
)

type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never

/** The bytes of lines that were damaged, with rubbish between them. */
export const damagedBytes = (lines: readonly string[], pieces: Damage): Buffer =>
  Buffer.concat(
    pieces.flatMap((piece) => {
      if ("bytes" in piece) return [piece.bytes, Buffer.from("\n")]
      const start = "line" in piece ? (lines[piece.line % lines.length] ?? "") : piece.text
      const hurt = "line" in piece ? piece.blows.reduce((line, hit) => strike(line, hit, lines), start) : start
      return [Buffer.from(`${hurt}\n`)]
    }),
  )

/**
 * Reads damaged lines of a format and then one good line, in pieces of some size. Fails when anything throws, when the good
 * line is not read, or when an event is not what `isEvent` wants.
 */
export const surviveDamage = (id: StreamId, runs: number, isEvent: (event: TodoListEvent) => boolean): void => {
  const { lines, list } = samples[id]
  const property = fc.property(damage, fc.integer({ min: 1, max: 5000 }), (pieces, size) => {
    const text = "Written after the garbage"
    const all = Buffer.concat([damagedBytes(lines, pieces), Buffer.from(`${JSON.stringify(list(text))}\n`)])
    const events: TodoListEvent[] = []
    const onEvent = (event: StreamEvent): void => void (event.type === "todo_list" && events.push(event))
    const reader = createEventReader({ candidates: [streams[id]], now: () => new Date(0), onEvent })
    for (let at = 0; at < all.length; at += size) reader.push(all.subarray(at, at + size))
    reader.end()
    return events.some(({ items }) => items.some((item) => item.text === text)) && events.every(isEvent)
  })
  fc.assert(property, { numRuns: runs })
}
