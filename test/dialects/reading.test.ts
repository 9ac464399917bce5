/** The reading pipeline: from whatever a model sent to a list of items, with nothing evaluated and nothing lost. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { codex } from "../../src/dialects/codex.ts"
import { readItem, readList } from "../../src/dialects/reading/items.ts"
import { parsePython } from "../../src/dialects/reading/python.ts"
import { readValue } from "../../src/dialects/reading/read.ts"
import { apply, type Plan, type Problem } from "../../src/plan/index.ts"
import { anyCharacter } from "../any-character.ts"
import { rounds } from "../rounds.ts"

const words = { list: "todos", text: "content" }
const value = (input: unknown): unknown => readValue(input).value
const codes = (problems: readonly Problem[]): string[] => problems.map(({ code }) => code)
const contents = (input: unknown): (string | undefined)[] | string => {
  const reading = readList(input, words)
  return reading.kind === "list" ? reading.items.map(({ content }) => content) : reading.kind
}
const endOf = (input: unknown) => {
  const { unclosed, cutOff, lastIsPart } = readValue(input)
  return { unclosed, cutOff, lastIsPart }
}

describe("values", () => {
  test.each<[string, unknown, unknown]>([
    ["an object", { a: 1 }, { a: 1 }],
    ["nothing", null, undefined],
    ["blank text", "  \n", undefined],
    ["null as text", "null", undefined],
    ["JSON", '{"a":1}', { a: 1 }],
    ["JSON behind a byte order mark", '\ufeff{"a":1}', { a: 1 }],
    ["JSON in a code fence", '```json\n{"a":1}\n```', { a: 1 }],
    ["a fence on one line", '```{"a":1}```', { a: 1 }],
    ["a fence that is not closed", '```json\n{"a":1}', { a: 1 }],
    ["a fence behind words", "Here it is:\n```\n[1]\n```\nDone.", [1]],
    ["a fence around a fence in a string", '```json\n{"a":"use ```x``` here"}\n```', { a: "use ```x``` here" }],
    ["words before and behind", 'The plan: {"a":1} as asked.', { a: 1 }],
    ["words with brackets before", 'The plan (draft): {"a":1}', { a: 1 }],
    ["JSON in a string", JSON.stringify('{"a":1}'), { a: 1 }],
    ["JSON in strings, three deep", JSON.stringify(JSON.stringify(JSON.stringify('{"a":1}'))), { a: 1 }],
    ["a trailing comma", '{"a":[1,2,],}', { a: [1, 2] }],
    ["a comment", '{"a":1 /* one */}', { a: 1 }],
    ["single quotes", "{'a': 'b'}", { a: "b" }],
    ["keys without quotes", "{a: 1}", { a: 1 }],
    ["a Python literal", "{'a': True, 'b': None}", { a: true, b: null }],
    ["plain words", "Fix it [now] {please}", "Fix it [now] {please}"],
    ["words with a footnote", "Fix the parser (see [1])", "Fix the parser (see [1])"],
    ["a checklist", "- [x] a", "- [x] a"],
    ["a checklist with a code block", "- [ ] a\n```sh\nls\n```", "- [ ] a\n```sh\nls\n```"],
  ])("N2 %s", (_, input, expected) => {
    expect(value(input)).toEqual(expected)
  })

  test("N2 a fence in the text of a todo is part of it, also when the JSON is broken", () => {
    expect(contents('{"todos":[{"content":"Fix ```js x``` now"},]}')).toEqual(["Fix ```js x``` now"])
  })

  test("N2 a checklist in a description is part of it, also when the JSON is broken", () => {
    expect(contents('{"todos":[{"content":"a","description":"do\\n- [ ] x"},]}')).toEqual(["a"])
  })

  test("N2 each repair is noted", () => {
    expect(codes(readValue('```\n{"a":1 /* one */}\n```').problems)).toEqual(["code-fence", "broken-json"])
    expect(codes(readValue("{'a': 1}").problems)).toEqual(["python-literal"])
    expect(codes(readValue('"[1]"').problems)).toEqual(["json-in-string"])
    expect(readValue('{"a":1}').problems).toEqual([])
  })
})

describe("what was cut off", () => {
  const planOf = (...contents: string[]): Plan => ({
    todos: contents.map((content, index) => ({ id: String(index + 1), content, status: "pending" })),
    phases: [],
    revision: 1,
  })
  const listAfter = (input: string, ...contents: string[]): string[] => {
    const before = planOf(...contents)
    const { events } = codex.decode({ tool: "update_plan", input }, before)
    return apply(before, events).plan.todos.map(({ content, status }) => `${content} ${status}`)
  }

  test("a prefix of two todos names neither of them", () => {
    expect(listAfter('{"plan":[{"status":"completed","step":"R', "Read", "Run")).toEqual([
      "Read pending",
      "Run pending",
    ])
    expect(listAfter('{"plan":[{"status":"completed","step":"Re', "Read", "Run")).toEqual([
      "Read completed",
      "Run pending",
    ])
  })

  test("half the text of a new todo is not a todo", () => {
    expect(listAfter('{"plan":[{"status":"pending","step":"Deploy to pr', "Read")).toEqual(["Read pending"])
    const whole = '{"plan":[{"step":"Deploy","status":"pending"'
    expect(listAfter(whole, "Read", "Deploy to production")).toEqual([
      "Read pending",
      "Deploy to production pending",
      "Deploy pending",
    ])
  })

  const whole = { unclosed: false, cutOff: false, lastIsPart: false }
  test.each([
    ['{"todos":[{"content":"a"}]}', whole],
    ['{"todos":[{"content":"a"}]', { unclosed: true, cutOff: false, lastIsPart: false }],
    ['{"todos":[{"content":"a"}', { unclosed: true, cutOff: true, lastIsPart: false }],
    ['{"todos":[{"content":"a"},', { unclosed: true, cutOff: true, lastIsPart: false }],
    ['{"todos":[{"content":"a"', { unclosed: true, cutOff: true, lastIsPart: true }],
    ['{"todos":[{"content":"a', { unclosed: true, cutOff: true, lastIsPart: true }],
    ['{"todos":"- [ ] a\\n- [ ] b', { unclosed: true, cutOff: true, lastIsPart: true }],
    ['{"todos":"A"},{"content":"B"]}', { unclosed: true, cutOff: true, lastIsPart: false }],
    ['{"todos":[{"content":"a [b"},]}', whole],
    ['{"todos":[]} and more words', whole],
  ])("N2 %s", (text, expected) => {
    expect(endOf(text)).toEqual(expected)
  })

  test("N2 a list cut off inside its string is recognised as cut off", () => {
    const reading = readList({ todos: '[{"content":"a"},{"con' }, words)
    expect(reading).toMatchObject({ kind: "list", isPartial: true, lastIsPart: true })
  })
})

describe("Python literals", () => {
  test.each<[string, unknown]>([
    ["{'a': 1, 'b': [True, False, None]}", { a: 1, b: [true, false, null] }],
    ["('a', 'b',)", ["a", "b"]],
    ["()", []],
    ["[]", []],
    ["{}", {}],
    ["[{'a': ('x', [1, {'b': 2}])}]", [{ a: ["x", [1, { b: 2 }]] }]],
    ['[\'it\\\'s\', "say \\"x\\""]', ["it's", 'say "x"']],
    ["['a\\nb\\tc\\\\d']", ["a\nb\tc\\d"]],
    ["['\\x41\\u00e9\\U0001F41B']", ["Aé🐛"]],
    ["[r'a\\nb', u'x', b'y', f'z', Rb'\\q']", ["a\\nb", "x", "y", "z", "\\q"]],
    ["['''three\nlines''', \"\"\"more\"\"\"]", ["three\nlines", "more"]],
    ["['one ' 'string']", ["one string"]],
    ["[1, -2, +3, 4.5, 1e3, 1_000]", [1, -2, 3, 4.5, 1000, 1000]],
    ["{1: 'a', None: 'b'}", { "1": "a", null: "b" }],
    ["[true, false, null]", [true, false, null]],
    [" [ 'a' ,\n 'b' ] ", ["a", "b"]],
    ["{'__proto__': {'x': 1}}", JSON.parse('{"__proto__":{"x":1}}')],
  ])("N2 %s", (text, expected) => {
    expect(parsePython(text)).toEqual({ value: expected })
  })

  test.each([
    "",
    "print('x')",
    "[__import__('os')]",
    "[x for x in y]",
    "['a'",
    "['a' 'b', ",
    "{'a'}",
    "{'a' 1}",
    "[1] + [2]",
    "['\\U99999999']",
    "lambda: 1",
    "[1,,2]",
    "[".repeat(100_000),
  ])("N2 %s is not one and nothing is evaluated", (text) => {
    expect(parsePython(text)).toBeUndefined()
  })

  test("N2 what Python prints of plain data is read back", () => {
    const print = (data: unknown): string => {
      if (data === null) return "None"
      if (typeof data === "boolean") return data ? "True" : "False"
      if (typeof data === "number") return String(data)
      if (typeof data === "string")
        return `'${data.replace(/[\\']/g, "\\$&").replace(/\n/g, "\\n").replace(/\r/g, "\\r")}'`
      if (Array.isArray(data)) return `[${data.map(print).join(", ")}]`
      return `{${Object.entries(data as object)
        .map(([key, part]) => `${print(key)}: ${print(part)}`)
        .join(", ")}}`
    }
    const plain = fc.letrec<{ data: unknown }>((tie) => ({
      data: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: "grapheme" }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("data"), { maxLength: 4 }),
        fc.dictionary(fc.string({ maxLength: 4 }), tie("data"), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).data
    fc.assert(
      fc.property(plain, (data) => {
        expect(parsePython(print(data))).toEqual({ value: data })
      }),
    )
  })
})

describe("lists", () => {
  const item = { content: "a" }
  test.each<[string, unknown, unknown]>([
    ["the list itself", [item], ["a"]],
    ["bare strings", { todos: ["a", "b"] }, ["a", "b"]],
    ["strings of JSON", { todos: ['{"content":"a"}'] }, ["a"]],
    ["one object", { todos: item }, ["a"]],
    ["one object at the top", item, ["a"]],
    ["another list key", { steps: [item] }, ["a"]],
    ["an empty key beside the one that counts", { todos: null, tasks: [item] }, ["a"]],
    ["one level down", { input: { todos: [item] } }, ["a"]],
    ["a whole tool call", { name: "TodoWrite", input: { todos: [item] } }, ["a"]],
    ["a title beside the list", { title: "Plan", items: [item] }, ["a"]],
    ["a checklist", { todos: "- [ ] a\n- [x] b" }, ["a", "b"]],
    ["lines", { todos: "1. a\n2) b\n* c\nd" }, ["a", "b", "c", "d"]],
    ["JSON in a string in a string", { todos: JSON.stringify(JSON.stringify([item])) }, ["a"]],
    ["an object in a string", { todos: '{"todos":[{"content":"a"}]}' }, ["a"]],
    ["a sentence with brackets", { todos: "Fix [a] and {b}" }, ["Fix [a] and {b}"]],
    ["a string that is an object to somebody else", { todos: ["{a: b}", "{ name } = x"] }, ["{a: b}", "{ name } = x"]],
    ["a list inside an item", { todos: [{ content: "a", todos: [item, item], steps: ["x"] }] }, ["a"]],
    ["nothing at all", {}, "nothing"],
    ["only empty values", { todos: null, items: "" }, "nothing"],
    ["null in a string", { todos: "null" }, "nothing"],
    ["a number", { todos: 42 }, "unreadable"],
    ["lists in a list", { todos: [[item]] }, "unreadable"],
    ["broken data that cannot be repaired", { todos: '{"a" "b" : : ]' }, "unreadable"],
    ["an empty array under another name", { files: [] }, "unreadable"],
    ["a list under a prototype's name", JSON.parse('{"__proto__":{"todos":[]}}'), "unreadable"],
  ])("N2 %s", (_, input, expected) => {
    expect(contents(input)).toEqual(expected)
  })

  test.each<[string, unknown, boolean]>([
    ["a list", { todos: [item] }, false],
    ["an empty list", { todos: [] }, false],
    ["a checklist", { todos: "- [ ] a" }, false],
    ["one object", { todos: item }, true],
    ["lines of words", { todos: "a\nb" }, true],
    ["an array under another name", { append: ["a"] }, true],
    ["a list with something unreadable in it", { todos: [item, {}] }, true],
  ])("N2 %s: what it leaves out is missing %s", (_, input, isPartial) => {
    expect(readList(input, words)).toMatchObject({ kind: "list", isPartial })
  })

  test("N2 fields next to the list are found with it", () => {
    expect(readList({ input: { merge: true, todos: [item] } }, words)).toMatchObject({ top: { merge: true } })
  })
})

describe("items", () => {
  const read = (raw: unknown, problems: Problem[] = []) => readItem(raw, words, problems)

  test.each(["content", "title", "name", "text", "task", "step", "subject", "todo", "item", "description", "todos"])(
    "N2 the text may be under %s",
    (key) => {
      expect(read({ [key]: "a" })).toEqual({ content: "a" })
    },
  )

  test("N2 the dialect's own key comes first and the description stays a description", () => {
    expect(read({ title: "t", content: "c", description: "d" })).toMatchObject({ content: "c", description: "d" })
  })

  test("N2 next to an id, a description is not the text if todos have descriptions", () => {
    expect(readItem({ id: "1", description: "d" }, { ...words, describes: true }, [])).toEqual({
      id: "1",
      description: "d",
    })
    expect(read({ id: "1", description: "d" })).toEqual({ id: "1", content: "d" })
  })

  test.each([
    [{ id: 3 }, "3"],
    [{ id: "#3" }, "3"],
    [{ taskId: "3" }, "3"],
    [{ task_id: " 3 " }, "3"],
    [{ id: "#tag" }, "#tag"],
    [{ id: "" }, undefined],
    [{ id: "  " }, undefined],
    [{ id: null }, undefined],
    [{ id: {} }, undefined],
  ])("N2 the id of %j", (fields, id) => {
    expect(read({ content: "a", ...fields })?.id).toBe(id)
  })

  test.each([
    [{ status: "done" }, "completed"],
    [{ state: "doing" }, "in_progress"],
    [{ completed: true }, "completed"],
    [{ done: false }, "pending"],
    [{ status: "", completed: true }, "completed"],
    [{}, undefined],
  ])("N2 the status of %j", (fields, status) => {
    expect(read({ content: "a", ...fields })?.status).toBe(status)
  })

  test.each([
    "50% complete",
    "0% done",
    "0/5 done",
    "未 done",
    "done 2",
    "wobbly",
    7,
    {},
    ["x"],
    () => 1,
    10n,
    Symbol("x"),
  ])("N2 an unknown status is left out and reported", (status) => {
    const problems: Problem[] = []
    expect(read({ content: "a", status }, problems)).toEqual({ content: "a" })
    expect(codes(problems)).toEqual(["unknown-status"])
  })

  test("C1 an active form stays as sent, and none is invented", () => {
    const sent = { content: "Run tests", activeForm: "Running tests" }
    expect(read(sent)).toEqual(sent)
    expect(read({ content: "Run tests" })).toEqual({ content: "Run tests" })
    expect(read({ content: "Run tests", active_form: "Testing" })).toMatchObject({ activeForm: "Testing" })
  })

  test("N2 blockers and notes are lists, however they came", () => {
    expect(read({ content: "a", blockedBy: 2, notes: "n" })).toMatchObject({ blockedBy: ["2"], notes: ["n"] })
    expect(read({ content: "a", dependencies: '[1,"2"]' })).toMatchObject({ blockedBy: ["1", "2"] })
    expect(read({ content: "a", depends_on: ["#1", null, ""] })).toMatchObject({ blockedBy: ["1"] })
  })

  test("N2 unknown fields are kept, hostile ones are not", () => {
    const raw = JSON.parse('{"content":"a","colour":"red\\u0007","__proto__":{"x":1},"constructor":{"y":1}}')
    const found = read(raw)
    expect(found).toEqual({ content: "a", extra: { colour: "red" } })
    expect(Object.keys(found?.extra ?? {})).toEqual(["colour"])
  })

  test("G8 texts are sanitised and complete", () => {
    expect(read("\u001b[31mred\u0007 \ud83d")).toEqual({ content: "red \ufffd" })
    expect(read({ content: "a", id: `${"x".repeat(499)}🐛` })?.id?.isWellFormed()).toBe(true)
  })

  test("N2 numbers are texts", () => {
    expect(read({ content: 90 })).toEqual({ content: "90" })
  })

  test.each([null, 1, true, [], ["a"], {}, "", " ", { content: "" }, { status: "pending" }])(
    "N2 %j names nothing",
    (raw) => {
      expect(read(raw)).toBeUndefined()
    },
  )
})

describe("size", () => {
  /** Minutes for anything that takes the square of it. */
  const large = 600_000

  test("N2 100,000 todos are read", () => {
    const todos = Array.from({ length: 100_000 }, (_, index) => ({ content: `Todo ${index}`, status: "wobbly" }))
    const reading = readList(JSON.stringify({ todos }), words)
    expect(reading.kind === "list" && reading.items.length).toBe(100_000)
  })

  test.each([
    ["words", "word ".repeat(large / 5)],
    ["open brackets", "[".repeat(large)],
    ["open objects", '{"a":'.repeat(large / 5)],
    ["quotes", '"'.repeat(large)],
    ["backslashes", "\\".repeat(large)],
    ["fences", "```\n".repeat(large / 4)],
    ["blank space", `{${" ".repeat(large)}`],
    ["a cut off list", `{"todos":[${'{"content":"a"},\n'.repeat(large / 17)}`],
    ["a Python string", `['${"x".repeat(large)}`],
  ])("N2 600,000 characters of %s are read or refused", (_, text) => {
    const reading = readList(text, words)
    expect(["list", "nothing", "unreadable"]).toContain(reading.kind)
    // Lines of broken data are not todos; what was said before the end of a list is.
    if (reading.kind === "list") expect(text).toMatch(/^(word |["\\`]|\{"todos":\[\{"content":"a"\}|\['x)/)
  })

  test("N2 deep nesting is refused", () => {
    let objects: unknown = []
    let arrays: unknown = []
    for (let depth = 0; depth < 50_000; depth += 1) {
      objects = { todos: objects }
      arrays = [arrays]
    }
    expect(readList(objects, words).kind).toBe("unreadable")
    expect(readList(arrays, words).kind).toBe("unreadable")
    expect(readList({ todos: [{ content: "a", extra: arrays, more: objects }] }, words).kind).toBe("list")
  })

  test("N2 no text makes the readers throw", () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.json(),
      fc
        .array(fc.constantFrom(..."[]{}(),:'\"\\`\n", "```", "- [ ] ", "todos", "True", " "), { maxLength: 40 })
        .map((parts) => parts.join("")),
    )
    fc.assert(
      fc.property(text, (given) => {
        readList(given, words)
        readList({ todos: given }, words)
        readList({ todos: [given] }, words)
      }),
      { numRuns: rounds(200) },
    )
  })
})
