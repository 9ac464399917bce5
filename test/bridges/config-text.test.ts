/** People's configuration is changed in place: what was meant is there, and nothing else is any different. */
import fc from "fast-check"
import { parse as parseToml } from "smol-toml"
import { describe, expect, test } from "vitest"
import { applyEdits, type ConfigFormat, type Edit } from "../../src/bridges/config/edit.ts"
import { jsonText } from "../../src/bridges/config/json-text.ts"
import { tomlText } from "../../src/bridges/config/toml-text.ts"
import { yamlText } from "../../src/bridges/config/yaml-text.ts"
import { rounds } from "../rounds.ts"
import { jsonDocs, styles, tomlDocs, writeJson, writeToml, writeYaml } from "./written-configs.ts"

const server = { command: "headway", args: ["mcp"] }
const group = { matcher: "*", hooks: [{ type: "command", command: "headway hook x", timeout: 10 }] }

const additions: Edit[] = [
  { type: "set", path: ["our servers", "headway"], value: server },
  { type: "add", path: ["our hooks", "Stop"], value: group },
  { type: "add", path: ["our hooks", "Stop"], value: group },
  { type: "set", path: ["our tools", "update_plan", "enabled"], value: true },
]

const removals: Edit[] = [
  { type: "remove", path: ["our hooks", "Stop", 0] },
  { type: "remove", path: ["our hooks"] },
  { type: "remove", path: ["our servers"] },
  { type: "remove", path: ["our tools"] },
]

const visible = (text: string): string => text.replace(/\s/g, "")

/** Whether every visible character of one text stands in another, in order. */
const isKeptIn = (before: string, after: string): boolean => {
  const [old, now] = [visible(before), visible(after)]
  let at = 0
  for (const character of now) if (character === old[at]) at += 1
  return at === old.length
}

const roundTrip = (format: ConfigFormat, text: string): void => {
  const before = format.parse(text)
  const after = applyEdits(format, text, additions)
  expect(isKeptIn(text, after)).toBe(true)
  expect(after.includes("\r\n")).toBe(text.includes("\r\n") || (after.includes("\r\n") && !text.includes("\n")))
  expect(format.parse(applyEdits(format, after, removals))).toEqual(before)
}

describe("whatever else is in the file", () => {
  test("JSON keeps it, comments and commas too", () => {
    fc.assert(
      fc.property(jsonDocs, styles, (doc, style) => {
        const text = writeJson(doc, style)
        expect(jsonText.parse(text)).toEqual(doc)
        roundTrip(jsonText, text)
      }),
      { numRuns: rounds(100) },
    )
  })

  test("TOML keeps it, comments and multi-line values too", () => {
    fc.assert(
      fc.property(tomlDocs, styles, (doc, style) => {
        const text = writeToml(doc, style)
        expect(parseToml(text)).toEqual(doc)
        roundTrip(tomlText, text)
      }),
      { numRuns: rounds(100) },
    )
  })

  test("YAML keeps it, comments and blocks too", () => {
    fc.assert(
      fc.property(jsonDocs, styles, (doc, style) => {
        const text = writeYaml(doc, style)
        expect(yamlText.parse(text)).toEqual(doc)
        roundTrip(yamlText, text)
      }),
      { numRuns: rounds(100) },
    )
  })

  test.each(["\n", "\r\n"])("lines end as they did, with %j", (eol) => {
    const json = `{${eol}  "a": 1${eol}}${eol}`
    expect(applyEdits(jsonText, json, additions).replaceAll(eol, "")).not.toMatch(/[\r\n]/)
    const toml = `a = 1${eol}`
    expect(applyEdits(tomlText, toml, additions).replaceAll(eol, "")).not.toMatch(/[\r\n]/)
    const yaml = `a: 1${eol}`
    expect(applyEdits(yamlText, yaml, additions).replaceAll(eol, "")).not.toMatch(/[\r\n]/)
  })
})

describe("JSON", () => {
  const edited = (text: string, ...edits: Edit[]): string => applyEdits(jsonText, text, edits)

  test("a new member goes behind the last one and its comment", () => {
    expect(edited('{\n\t"a": 1 // one\n\t// end\n}', { type: "set", path: ["b"], value: [1, 2] })).toBe(
      '{\n\t"a": 1, // one\n\t"b": [1, 2]\n\t// end\n}',
    )
  })

  test("a trailing comma stays the style", () => {
    expect(edited('{\n  "a": 1,\n}\n', { type: "set", path: ["b", "c"], value: true })).toBe(
      '{\n  "a": 1,\n  "b": {\n    "c": true\n  },\n}\n',
    )
  })

  test("what is on one line stays on one line", () => {
    expect(edited('{"a": {"b": [1]}}', { type: "add", path: ["a", "b"], value: { c: 2 } })).toBe(
      '{"a": {"b": [1, { "c": 2 }]}}',
    )
    expect(edited('{"a":{"b":[1]}}', { type: "set", path: ["a", "c"], value: { d: [2] } })).toBe(
      '{"a":{"b":[1],"c":{"d":[2]}}}',
    )
  })

  test.each(["", "\n", "{}", "{}\n", "{\n} "])("a file that contains nothing, %j, gets lines of its own", (text) => {
    expect(edited(text, { type: "set", path: ["a"], value: 1 }).trim()).toBe('{\n  "a": 1\n}')
  })

  test.each([
    ["itself", '{"a": 1,\n"\\u0061": {}}', ["a"]],
    ["on the way", '{"x": {"a": {"b": 1},\n"a": {"b": 1}}}', ["x", "a", "b"]],
  ])("a duplicate key, %s, is named and nothing is changed", (_, text, path) => {
    const sentence = /^The key "a" appears more than once .*\(lines 1, 2\).* Keep one of them/
    expect(() => edited(text, { type: "set", path, value: 3 })).toThrow(sentence)
    expect(() => edited(text, { type: "remove", path })).toThrow(sentence)
  })

  test("a duplicate key elsewhere is left as it is, and the last one counts as for JSON.parse", () => {
    const text = '{"a": 1, "a": 2, "b": 1}'
    expect(edited(text, { type: "set", path: ["b"], value: 3 })).toBe('{"a": 1, "a": 2, "b": 3}')
    expect(jsonText.parse(text)).toEqual(JSON.parse(text))
  })

  test('"__proto__" is a key like any other, as for JSON.parse', () => {
    const text = '{"__proto__": {"command": "headway"}, "a": {"__proto__": 1}}'
    const value = jsonText.parse(text)
    expect(Object.keys(value)).toEqual(["__proto__", "a"])
    expect(value.command).toBeUndefined()
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
  })

  test("a comment in an empty object stays in front", () => {
    expect(edited("{\n  // mine\n}", { type: "set", path: ["a"], value: 1 })).toBe('{\n  // mine\n  "a": 1\n}')
  })

  test.each([
    ['{"a": }', "line 1, column 7"],
    ['{\n  "a": 1\n  "b": 2\n}', "line 3, column 3"],
    ['{\n  "a": [1\n}', "line 3, column 1"],
    ["[]", "not an object"],
    ["not json", "line 1, column 1"],
  ])("%j is refused, and the message says where", (text, where) => {
    expect(() => jsonText.parse(text)).toThrow(where)
  })

  test.each([
    [{ type: "set", path: ["hooks", "Stop"], value: 1 } as const],
    [{ type: "add", path: ["hooks"], value: 1 } as const],
    [{ type: "set", path: ["list", "x"], value: 1 } as const],
  ])("a value of another type in the way is refused: %j", (edit) => {
    expect(() => edited('{"hooks": "none", "list": [1]}', edit)).toThrow(/was expected/)
  })
})

describe("TOML", () => {
  const edited = (text: string, ...edits: Edit[]): string => applyEdits(tomlText, text, edits)
  const on: Edit = { type: "set", path: ["tools", "update_plan", "enabled"], value: true }

  test("integers of ours stay integers", () => {
    const time: Edit = { type: "set", path: ["a", "timeout"], value: 600 }
    expect(edited("a = { b = 2.0 }\n", time)).toBe("a = { b = 2.0, timeout = 600 }\n")
    expect(edited("", time)).toBe("[a]\ntimeout = 600\n")
  })

  test.each([
    ["", "[tools.update_plan]\nenabled = true\n"],
    ["[tools]\nweb = true\n", "[tools]\nweb = true\n\n[tools.update_plan]\nenabled = true\n"],
    ["[tools.update_plan]\nenabled = false # no\n", "[tools.update_plan]\nenabled = true # no\n"],
    ["[tools.update_plan]\n# nothing yet", "[tools.update_plan]\nenabled = true\n# nothing yet"],
    ["[tools]\nupdate_plan = { enabled = false } # x\n", "[tools]\nupdate_plan = { enabled = true } # x\n"],
    ["tools = { web = true }\n", "tools = { web = true, update_plan = { enabled = true } }\n"],
    [
      "tools = { whole = 9223372036854775807, half = 1.0, most = inf, none = -nan, less = -0.0, day = 1979-05-27 }\n",
      "tools = { whole = 9223372036854775807, half = 1.0, most = inf, none = nan, less = -0.0, day = 1979-05-27, update_plan = { enabled = true } }\n",
    ],
    ["tools.update_plan.enabled = false\n[a]\nb = 1\n", "tools.update_plan.enabled = true\n[a]\nb = 1\n"],
    ['["tools"]\n"update_plan".enabled = false\n', '["tools"]\n"update_plan".enabled = true\n'],
  ])("a switch is set in any spelling: %j", (before, after) => {
    expect(edited(before, on)).toBe(after)
  })

  test("a list of tables grows at the end and each of them can be removed", () => {
    const text =
      '[[hooks.Stop]]\nmatcher = "a"\n\n[[hooks.Stop.hooks]]\ncommand = "one"\n\n[other]\nx = """\n[[hooks.Stop]]\n"""\n'
    const more = edited(text, { type: "add", path: ["hooks", "Stop"], value: group })
    expect(more.startsWith(text)).toBe(true)
    expect(parseToml(more).hooks).toEqual({ Stop: [{ matcher: "a", hooks: [{ command: "one" }] }, group] })
    expect(edited(more, { type: "remove", path: ["hooks", "Stop", 1] })).toBe(text)
    expect(parseToml(edited(more, { type: "remove", path: ["hooks", "Stop", 0] })).hooks).toEqual({ Stop: [group] })
  })

  test("tables that only lead to ours are removed with it", () => {
    const text = "[a]\nb = 1\n"
    const more = edited(
      text,
      { type: "set", path: ["x", "y", "z"], value: true },
      { type: "add", path: ["l", "m"], value: group },
    )
    expect(edited(more, { type: "remove", path: ["x", "y"] }, { type: "remove", path: ["l", "m", 0] })).toBe(text)
  })

  test("a list in one line grows on its line", () => {
    expect(
      edited("hooks.Stop = [{ a = 1 }] # mine\n", { type: "add", path: ["hooks", "Stop"], value: { b: [2] } }),
    ).toBe("hooks.Stop = [{ a = 1 }, { b = [2] }] # mine\n")
  })

  test("paths of other systems and quotes survive", () => {
    const value = "C:\\Program Files\\node.exe 'x' \"y\" \u007f"
    expect(parseToml(edited("", { type: "set", path: ["a", "b c"], value })).a).toEqual({ "b c": value })
  })

  test.each([
    ["a = \n", "line 1"],
    ["[a]\n[a]\n", "line 2"],
    ["x = 1\ny = 'open\n", "line 2"],
  ])("%j is refused, and the message says where", (text, where) => {
    expect(() => tomlText.parse(text)).toThrow(where)
  })
})

describe("YAML", () => {
  const edited = (text: string, ...edits: Edit[]): string => applyEdits(yamlText, text, edits)
  const added: Edit = { type: "add", path: ["servers"], value: { name: "headway", args: ["mcp"] } }
  const ours = '- name: "headway"\n    args: ["mcp"]\n'

  test.each([
    ["", `servers:\n  ${ours}`],
    ["# only a comment", `# only a comment\nservers:\n  ${ours}`],
    ["a: 1\n...\n", `a: 1\nservers:\n  ${ours}...\n`],
    ["a: 1", `a: 1\nservers:\n  ${ours}`],
    ["a: |\n  text\n\n", `a: |\n  text\nservers:\n  ${ours}\n`],
    ["servers:\n  - name: a # mine\n\nb: 1\n", `servers:\n  - name: a # mine\n  ${ours}\nb: 1\n`],
    ["servers: [] # none\n", 'servers: [{"name":"headway","args":["mcp"]}] # none\n'],
    ["servers: [{ name: a }]\n", 'servers: [{"name":"a"},{"name":"headway","args":["mcp"]}]\n'],
  ])("a list grows at its end in %j", (text, expected) => {
    expect(edited(text, added)).toBe(expected)
  })

  test("a list whose dashes are not indented grows the same way", () => {
    const text = "servers:\n- name: a\n  args:\n  - b\nend: 1\n"
    expect(edited(text, added)).toBe(
      'servers:\n- name: a\n  args:\n  - b\n- name: "headway"\n  args: ["mcp"]\nend: 1\n',
    )
  })

  test("a value changes in place, and what is missing is added after it", () => {
    const text =
      "servers:\n  - name: headway # ours\n    args:\n      - old # why\n      - older\n    env: { A: 1 }\n  # end\n"
    const changes: Edit[] = [
      { type: "set", path: ["servers", 0, "args"], value: ["mcp"] },
      { type: "set", path: ["servers", 0, "env", "B"], value: "2" },
      { type: "set", path: ["servers", 0, "type"], value: "stdio" },
    ]
    expect(edited(text, ...changes)).toBe(
      'servers:\n  - name: headway # ours\n    args:\n      ["mcp"]\n    env: {"A":1,"B":"2"}\n    type: "stdio"\n  # end\n',
    )
  })

  test("an entry is removed with its lines, and comments of others stay", () => {
    const text = "servers:\n  # one\n  - name: a\n  # two\n  - name: b\n    args: []\n  # three\nend: 1\n"
    const without = (index: number) => edited(text, { type: "remove", path: ["servers", index] })
    expect(without(1)).toBe("servers:\n  # one\n  - name: a\n  # two\n  # three\nend: 1\n")
    expect(without(0)).toBe("servers:\n  # one\n  # two\n  - name: b\n    args: []\n  # three\nend: 1\n")
    expect(edited(text, { type: "remove", path: ["servers", 1, "args"] })).not.toContain("args")
    expect(yamlText.parse(edited("a:\n  - b\n", { type: "remove", path: ["a", 0] }))).toEqual({ a: [] })
  })

  test.each([
    ["{ a: 1 }\n", added],
    ["servers: [ # mine\n  { name: a }]\n", added],
    ["servers: &all\n  - name: a\nmore: *all\n", added],
    ["servers:\n  - name: a\n", { type: "remove", path: ["servers", 0, "name"] }],
  ] satisfies [string, Edit][])("%j cannot be changed safely, and is left to the person", (text, edit) => {
    expect(() => edited(text, edit)).toThrow("cannot be changed safely")
  })

  test.each([
    ["a: [\n", "line 2"],
    ["a: 1\na: 2\n", "line 2"],
    ["a: 1\n---\nb: 2\n", "line 2"],
    ["- a\n", "not an object"],
    [`a: ${"[".repeat(600)}${"]".repeat(600)}\n`, "levels deep"],
    [`a: ${"[".repeat(100_000)}${"]".repeat(100_000)}\n`, "levels deep"],
    [aliases(), "aliases"],
  ])("%# is refused, and the message says where", (text, where) => {
    expect(() => yamlText.parse(text)).toThrow(where)
  })
})

/** Each name stands for nine of the one before. */
function aliases(): string {
  const lines = Array.from("bcdefgh", (name, index) => {
    const before = "abcdefgh"[index]
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(", ")}]`
  })
  return ["a: &a [1]", ...lines, ""].join("\n")
}
