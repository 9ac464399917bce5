/** Ways to hurt a line, and to read streams in tests: whole, by its needles only, or damaged. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Signal, Stream } from "../../src/streams/stream.ts"
import { isFull } from "../rounds.ts"

const folder = fileURLToPath(new URL("../fixtures/streams/", import.meta.url))

export const fixture = (path: string): string => readFileSync(join(folder, path), "utf8")

export const readAll = (stream: Stream, text: string): Signal[] => {
  const reader = stream.open()
  return text.split("\n").flatMap((line) => reader.read(line))
}

/** What a scan sees: only lines that hold a needle are read. */
export const readByNeedles = (stream: Stream, text: string): Signal[] => {
  const needles = [...stream.needles, ...(stream.titleNeedles ?? [])]
  const lines = text.split("\n").filter((line) => needles.some((needle) => line.includes(needle)))
  return readAll(stream, lines.join("\n"))
}

/** Everything but what the agent was doing and saying. */
export const withoutActivity = (signals: readonly Signal[]): Signal[] =>
  signals.filter((signal) => signal.type !== "activity" && signal.type !== "message" && !isPrompt(signal))

/** What was asked is looked for at the beginning of a file, whatever its lines hold. */
const isPrompt = (signal: Signal): boolean => signal.type === "session" && signal.asked !== undefined

export const ofType = <Type extends Signal["type"]>(
  signals: readonly Signal[],
  type: Type,
): Extract<Signal, { type: Type }>[] =>
  signals.filter((signal): signal is Extract<Signal, { type: Type }> => signal.type === type)

const strangers = [null, 7, "", "x", true, [], {}, [null], [[]], { plan: 1, todos: "x", phases: [null] }]

/** Lines that were hurt in every way, by their stream and what they are like. */
const known = new Set<string>()

/** Reads a stream once for every way of hurting one of its lines; of lines that are alike, in all recordings, one is hurt. */
export const readDamaged = (stream: Stream, text: string): void => {
  const lines = text.split("\n").filter(Boolean)
  for (const line of lines) {
    for (const part of [0.1, 0.5, 0.9, 1]) stream.open().read(line.slice(0, line.length * part - 1))
  }
  const reader = stream.open()
  for (const line of lines) {
    reader.read(line)
    const alike = `${stream.id} ${likeness(line)}`
    if (known.has(alike) && !isFull) continue
    known.add(alike)
    for (const hurt of damaged(JSON.parse(line.replace(/^data: /, "")))) reader.read(JSON.stringify(hurt))
  }
  for (const line of ["", " ", "null", "7", "[]", "{}", "plain words", "\u001b[31m{", '{"type":null}', "\uFEFF{}"]) {
    reader.read(line)
  }
}

/** What lines have in common that differ in numbers, ids and long texts only. */
const likeness = (line: string): string =>
  line.replace(/"(?:[^"\\]|\\.){30,}"/g, '"…"').replace(/[\da-f-]*\d[\da-f-]*/g, "0")

/** The value with each of its parts, one after the other, replaced by something that does not belong there. */
function* damaged(value: unknown, depth = 0): Generator<unknown> {
  yield* strangers
  if (typeof value !== "object" || value === null || depth > 5) return
  for (const [key, inner] of Object.entries(value)) {
    for (const hurt of damaged(inner, depth + 1)) {
      yield Array.isArray(value) ? value.with(Number(key), hurt) : { ...value, [key]: hurt }
    }
  }
}
