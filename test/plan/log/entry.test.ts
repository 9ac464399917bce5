/** An entry is read whole or not at all, and refused with the same rules before it is written. */
import { describe, expect, test } from "vitest"
import { type Entry, type PlanEvent, readEntry, wrongIn } from "../../../src/plan/index.ts"

const entryWith = (part: object): Entry =>
  ({ v: 1, id: "e", at: "2030-01-01T00:00:00.000Z", by: { kind: "agent", id: "main" }, events: [], ...part }) as Entry

const todo = { id: "1", content: "Read", status: "pending" }

const nested = (depth: number): unknown => (depth === 0 ? 0 : [nested(depth - 1)])

describe("times", () => {
  test.each(["2030-01-01T00:00:00Z", "2030-01-01T00:00:00.5Z", "1970-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"])(
    "%s is one",
    (at) => {
      expect(readEntry(entryWith({ at }))).toMatchObject({ at })
    },
  )

  test.each([
    "",
    "now",
    "2030-01-01",
    "2030-13-01T00:00:00Z",
    "2030-01-01T25:00:00Z",
    "2030-01-01T00:00:00+02:00",
    "+010000-01-01T00:00:00.000Z",
    "-000001-01-01T00:00:00.000Z",
    "1969-12-31T23:59:59.999Z",
    "2030-00-10T00:00:00Z",
    "2030-01-01T24:00:00Z",
    "2030-01-01T00:00:00Z\n",
    1_900_000_000_000,
    null,
  ])("%j is none", (at) => {
    expect(readEntry(entryWith({ at }))).toBeUndefined()
  })
})

describe("unknown fields and kinds", () => {
  test("a todo with a few unknown fields is kept, one with thousands is not", () => {
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${at}`, at]))
    const added = (count: number) =>
      entryWith({ events: [{ type: "todo-added", todo: { ...todo, ...fields(count) } }] })
    expect(readEntry(added(100))).toEqual(added(100))
    expect(readEntry(added(5_000))).toBeUndefined()
  })

  test("fields stay in place, in the entry, its events and its todos", () => {
    const entry = entryWith({
      seal: "abc",
      events: [
        { type: "todo-added", todo: { ...todo, colour: "red", extra: { nativeId: "x", deep: { er: [1] } } }, by: 1 },
      ],
    })
    expect(readEntry(entry)).toBe(entry)
    expect(readEntry(JSON.parse(JSON.stringify(entry)))).toEqual(entry)
  })

  test("kinds of events are left out, the others of the entry count", () => {
    const known = { type: "todo-added", todo }
    const entry = entryWith({ seal: "abc", events: [{ type: "todo-admired" }, known, { type: "" }] })
    expect(readEntry(entry)).toEqual({ ...entry, events: [known] })
  })

  test.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "a kind or field named %s is unknown too",
    (name) => {
      const text = `{"type":"${name}","${name}":1}`
      expect(readEntry(entryWith({ events: [JSON.parse(text)] }))).toMatchObject({ events: [] })
      const odd = JSON.parse(`{"id":"1","content":"Read","status":"pending","${name}":{}}`) as object
      expect(readEntry(entryWith({ events: [{ type: "todo-added", todo: odd }] }))).toMatchObject({ id: "e" })
    },
  )

  test("an entry of a later version is recognised", () => {
    expect(readEntry({ v: 2, anything: true })).toBe("future")
    expect(readEntry({ v: 0 })).toBeUndefined()
  })
})

test("values are limited in depth", () => {
  const withExtra = (depth: number) =>
    entryWith({ events: [{ type: "todo-added", todo: { ...todo, extra: { x: nested(depth) } } }] })
  expect(readEntry(withExtra(32))).toBeDefined()
  expect(readEntry(withExtra(100))).toBeUndefined()
})

describe("a caller's mistake is named", () => {
  const eventsOf: Record<string, [events: unknown, says: string]> = {
    "a note that is not a list": [
      [{ type: "todo-added", todo: { ...todo, notes: "x" } }],
      'the "todo" of a "todo-added" event',
    ],
    "a change without an id": [[{ type: "todo-changed", from: {}, to: {} }], 'the "id" of a "todo-changed" event'],
    "a kind there is not": [[{ type: "todo-loved" }], '"todo-loved" is not a kind of event'],
    "an event that is none": [["x"], "an event is an object with a type"],
    "no events": [undefined, "an event is an object with a type"],
    "a number JSON does not have": [
      [{ type: "todo-claimed", id: "1", owner: "a", minutes: Number.NaN }],
      'the "minutes" of a "todo-claimed" event',
    ],
    "a number JSON cannot print": [[{ type: "todo-added", todo: { ...todo, extra: { n: 1n } } }], 'the "todo" of'],
  }

  test.each(Object.entries(eventsOf))("%s", (_, [events, says]) => {
    expect(wrongIn(entryWith({ events }))).toContain(says)
  })

  test("fields of the entry itself are named", () => {
    expect(wrongIn(entryWith({ by: { kind: "robot", id: "x" } }))).toContain('its "by"')
    expect(wrongIn(entryWith({ at: "+012030-01-01T00:00:00.000Z" }))).toContain('its "at"')
  })

  test("an undefined value counts as absent", () => {
    const events: PlanEvent[] = [{ type: "todo-moved", id: "1", ...({ after: undefined } as object) }]
    expect(wrongIn(entryWith({ events, via: undefined }))).toBeUndefined()
  })
})
