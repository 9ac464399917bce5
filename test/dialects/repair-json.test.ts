/** Broken JSON, repaired in one pass: what models leave out, add or mix up, held against a library that is slower but known. */
import { jsonrepair } from "jsonrepair"
import { describe, expect, test } from "vitest"
import { repairJson } from "../../src/dialects/reading/repair-json.ts"
import { limits } from "../../src/plan/index.ts"

const read = (text: string): unknown => repairJson(text)?.value

describe("what is repaired", () => {
  test.each<[string, string, unknown]>([
    ["a comma too many", '{"a":[1,2,],}', { a: [1, 2] }],
    ["several commas", '{"a":1,,"b":2}', { a: 1, b: 2 }],
    ["no commas", '[1 "a" {"b":2} true]', [1, "a", { b: 2 }, true]],
    ["no colon", '{"a" 1, "b" "c"}', { a: 1, b: "c" }],
    ["no value", '{"a":, "b":}', { a: null, b: null }],
    ["single quotes", "{'a': 'it's'}", { a: "it's" }],
    ["typographic quotes", "{“a”: “b”}", { a: "b" }],
    ["back ticks as quotes", "{`a`: `b`}", { a: "b" }],
    ["no quotes", "{a: fix it, b: x-1}", { a: "fix it", b: "x-1" }],
    ["an address without quotes", "{a: https://example.org/x, b: 1}", { a: "https://example.org/x", b: 1 }],
    ["no first quote", '{"a": b", c": "d"}', { a: "b", c: "d" }],
    ["no last quote", '{"a": "b, "c": "d"}', { a: "b", c: "d" }],
    ["no last quote of a name", '{"a: "b"}', { a: "b" }],
    ["no last quote in a list", '["a, "b", "c"]', ["a", "b", "c"]],
    ["no last quote at all", '{"a": ["b", "c]}', { a: ["b", "c"] }],
    ["quotes in a text", '{"a": "say "hi" now"}', { a: 'say "hi" now' }],
    ["quotes before a comma in a text", '{"a": "say "hi", then go", "b": 1}', { a: 'say "hi", then go', b: 1 }],
    ["quotes before a bracket in a text", '{"a": "f(x[") = y"}', { a: 'f(x[") = y' }],
    ["two quotes at the end", '{"a": "a TV of 72""}', { a: 'a TV of 72"' }],
    ["a line break in a text", '{"a": "b\nc"}', { a: "b\nc" }],
    ["escapes", '{"a": "\\u00e9\\n\\t\\q\\\'",}', { a: "é\n\tq'" }],
    ["half an escape at the end", '{"a": "b\\u00', { a: "b" }],
    ["comments", '{"a": 1, // one\n "b": 2 /* two */}', { a: 1, b: 2 }],
    ["dots for more", "[1, 2, ...]", [1, 2]],
    ["joined strings", '{"a": "b" + "c"}', { a: "bc" }],
    ["a call around it", '[f({"a": 1}), g("b");]', [{ a: 1 }, "b"]],
    ["words of Python", "{a: True, b: None}", { a: true, b: null }],
    ["numbers and what looks like them", "[1., -2e3, 007, 1.2.3, 0x1]", [1, -2000, "007", "1.2.3", "0x1"]],
    ["escaped once too often", '{\\"a\\": \\"say \\\\\\"hi\\\\\\"\\"}', { a: 'say "hi"' }],
    ["escaped for a page", "{&quot;a&quot;: &quot;b &amp; c&quot;}", { a: "b & c" }],
    ["values on lines of their own", '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ["cut off in a list", '{"a":[1,{"b":2', { a: [1, { b: 2 }] }],
    ["cut off in a text", '{"a":["b {c} d', { a: ["b {c} d"] }],
    ["cut off in a name", '{"a":1,"b', { a: 1, b: null }],
    ["cut off in a code in a name", '{"a":1,"b\\u00', { a: 1, b: null }],
    ["brackets too many", '{"a":[1]}]}', { a: [1] }],
    ["a bracket of the wrong kind", '[{"a":1},{"b":2]', [{ a: 1 }, { b: 2 }]],
    ["a stray bracket", '[{"a":1}},{"b":2}]', [{ a: 1 }, { b: 2 }]],
    ["an object that was not closed", '[{"a":1, {"b":2}]', [{ a: 1 }, { b: 2 }]],
    ["a name every object has", '{"__proto__": {"x": 1},}', JSON.parse('{"__proto__":{"x":1}}')],
  ])("N2 %s", (_, text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  test.each(["", "words", "{a}", '{"a" : : 1}', '{"a":1} and more', "f(1)", '"a"', "[)", "{'a': f(}", "[1] [2]"])(
    "N2 %s is no data",
    (text) => {
      expect(read(text)).toBeUndefined()
    },
  )

  test("N2 brackets are followed to a limited depth", () => {
    const nested = (depth: number): string => `${"[".repeat(depth)}1,${"]".repeat(depth)}`
    expect(read(nested(limits.depth))).toBeDefined()
    expect(read(nested(limits.depth + 1))).toBeUndefined()
  })
})

describe("compared with jsonrepair", () => {
  const calls = [
    { todos: [{ content: "Fix the (a) parser, then b: c", status: "in_progress" }, { content: "It's {x} [y]" }] },
    { todos: ["Fix the bug", "Run all tests"], merge: true, id: 3, note: null },
    { ops: [{ op: "init", list: [{ phase: "Build", items: ["Run", "Read"] }] }], nested: { a: [] } },
  ]
  const texts = calls.flatMap((call) => [JSON.stringify(call), JSON.stringify(call, null, 2)])
  const marks = /["{}[\],:]/g
  const damages: [string, (text: string) => string[]][] = [
    ["cut off", (text) => Array.from(text, (_, at) => text.slice(0, at + 1))],
    [
      "one mark missing",
      (text) => [...text.matchAll(marks)].map(({ index }) => text.slice(0, index) + text.slice(index + 1)),
    ],
    [
      "one mark twice",
      (text) =>
        [...text.matchAll(marks)].map(
          ({ index }) => text.slice(0, index) + text.slice(index, index + 1) + text.slice(index),
        ),
    ],
    ["single quotes", (text) => [text.replaceAll('"', "'")]],
    ["names without quotes", (text) => [text.replace(/"(\w+)":/g, "$1:")]],
    ["no commas before names", (text) => [text.replace(/,(?=\s*")/g, " ")]],
    ["commas before brackets", (text) => [text.replace(/[}\]]/g, ",$&")]],
    ["comments", (text) => [text.replaceAll(",", ", // why\n"), text.replaceAll(":", ": /* what */ ")]],
    ["a word in quotes", (text) => [text.replace(/(\w) (\w+) (\w)/, '$1 "$2" $3')]],
  ]

  test.each(damages)("N2 %s: what jsonrepair reads as it was meant is read the same here", (_, damage) => {
    let broken = 0
    for (const text of texts) {
      const meant: unknown = JSON.parse(text)
      for (const damaged of damage(text)) {
        if (!isBroken(damaged)) continue
        broken += 1
        if (JSON.stringify(repaired(damaged)) === JSON.stringify(meant)) expect(read(damaged), damaged).toEqual(meant)
      }
    }
    expect(broken).toBeGreaterThan(0)
  })
})

const isBroken = (text: string): boolean => {
  try {
    JSON.parse(text)
    return false
  } catch {
    return /^[[{]/.test(text)
  }
}

const repaired = (text: string): unknown => {
  try {
    return JSON.parse(jsonrepair(text))
  } catch {
    return undefined
  }
}
