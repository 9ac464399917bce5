/** Markdown checklists: every way models and people write them is read, and what we print reads back the same. */

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { houseMarks, isChecklist, printChecklist, readChecklist } from "../../src/dialects/checklist.ts"
import { sanitise, sanitiseNote } from "../../src/plan/text/sanitise.ts"
import { type Plan, type Todo, type TodoStatus, todoStatuses } from "../../src/plan/todo.ts"
import { rounds } from "../rounds.ts"

const read = (text: string) => readChecklist(text, houseMarks)

describe("marks", () => {
  const marks: [mark: string, status: TodoStatus][] = [
    [" ", "pending"],
    ["", "pending"],
    ["/", "in_progress"],
    [">", "in_progress"],
    ["x", "completed"],
    ["X", "completed"],
    [" x ", "completed"],
    ["✓", "completed"],
    ["✔️", "completed"],
    ["×", "completed"],
    ["-", "cancelled"],
    ["~", "cancelled"],
    ["!", "blocked"],
  ]
  test.each(marks)("O10 [%s] is %s", (mark, status) => {
    expect(read(`- [${mark}] A`).items).toEqual([{ content: "A", status }])
  })

  test("O10 a dialect's own marks decide", () => {
    const items = readChecklist("[~] A\n[x] B", { " ": "pending", "~": "in_progress", x: "completed" }).items
    expect(items.map((item) => item.status)).toEqual(["in_progress", "completed"])
  })

  test("O10 a mark may be a word the dialect knows", () => {
    expect(readChecklist("1. [done] A", { done: "completed" }).items).toEqual([{ content: "A", status: "completed" }])
  })

  test("N2 an unknown mark in a list is passed on without a status", () => {
    expect(read("- [?] A").items).toEqual([{ content: "A", rawMark: "?" }])
  })
})

describe("ways to write a todo", () => {
  test.each([
    "- [x] A",
    "* [x] A",
    "+ [x] A",
    "• [x] A",
    "1. [x] A",
    "12) [x] A",
    "[x] A",
    "[x]A",
    "  - [x] A  ",
    "\t* [x]\tA",
    "* \\[x] A",
    "- \\[x\\] A",
    "☑ A",
    "☒ A",
    "✓ A",
    "✅ A",
    "✔ A",
    "✔️ A",
    "- ✅ A",
    "\ufeff- [x] A",
    "- [x] A\r\n",
    "```markdown\n- [x] A\n```",
  ])("N2 %j is a completed todo", (text) => {
    expect(read(text)).toEqual({ items: [{ content: "A", status: "completed" }], phases: [], ignored: [] })
  })

  test.each(["☐ A", "⬜ A", "- [] A", "[] A", "[ ] A"])("N2 %j is a pending todo", (text) => {
    expect(read(text).items).toEqual([{ content: "A", status: "pending" }])
  })

  test.each(["▶ A", "⭕ ▶ A", "[>] A"])("N2 %j is a todo in progress, as our views print it", (text) => {
    expect(read(text).items).toEqual([{ content: "A", status: "in_progress" }])
  })

  test.each(["- [x] A\n- [ ] B", "- [x] A\r\n\r\n- [ ] B", "[x] A\\n[ ] B", "[x] A\\r\\n- [ ] B", "[x] A\r[ ] B"])(
    "N2 %j is two todos",
    (text) => {
      expect(read(text).items.map((item) => item.content)).toEqual(["A", "B"])
    },
  )

  test("N2 a literal backslash-n inside one todo is text", () => {
    expect(read("- [ ] Split at \\n or \\r\\n").items[0]?.content).toBe("Split at \\n or \\r\\n")
  })

  test("N2 text from an editor that escapes brackets is unescaped", () => {
    expect(read("* \\[x] Rename foo\\_bar").items[0]?.content).toBe("Rename foo_bar")
    expect(read("* [x] Rename foo\\_bar").items[0]?.content).toBe("Rename foo\\_bar")
  })

  test.each([
    "",
    "A",
    "- A",
    "1. A",
    "[]",
    "- [ ]",
    "[1] Smith 2020",
    "[x](http://a)",
    "- [x]: http://a",
    "[draft] A",
    '["a"]',
  ])("N2 %j is not a checklist", (text) => {
    expect(isChecklist(text)).toBe(false)
    expect(read(text).items).toEqual([])
  })

  test("N2 one todo is enough for a checklist", () => {
    expect(isChecklist("Here is my plan:\n\n1. [ ] A")).toBe(true)
  })

  test("N2 lines of another kind are reported", () => {
    expect(read("My plan:\n- [ ] A\n  - detail\n---").ignored).toEqual(["My plan:", "- detail", "---"])
  })
})

describe("phases, notes and comments", () => {
  test("O10 headings of any level are phases, also empty ones", () => {
    const { items, phases } = read("- [ ] A\n# One\n- [ ] B\n### Two\n## Three\n- [x] C")
    expect(phases).toEqual(["One", "Two", "Three"])
    expect(items.map((item) => item.phase)).toEqual([undefined, "One", "Three"])
  })

  test("O10 todos before any heading go to the place the dialect declares", () => {
    const { items, phases } = readChecklist("- [ ] A\n# One\n- [ ] B", houseMarks, { orphanPhase: "Todos" })
    expect(phases).toEqual(["Todos", "One"])
    expect(items.map((item) => item.phase)).toEqual(["Todos", "One"])
  })

  test("O10 the phase for orphans appears only with orphans", () => {
    expect(readChecklist("# One\n- [ ] B", houseMarks, { orphanPhase: "Todos" }).phases).toEqual(["One"])
  })

  test("O10 quote lines are the lines of one note, a blank line begins another", () => {
    expect(read("- [ ] A\n  > one\n  >\n  >   more\n\n  > two\n- [ ] B").items).toEqual([
      { content: "A", status: "pending", notes: ["one\n\n  more", "two"] },
      { content: "B", status: "pending" },
    ])
  })

  test("O10 a quote that belongs to no todo is reported", () => {
    expect(read("> a\n- [ ] A\n# One\n> b")).toMatchObject({ items: [{ content: "A" }], ignored: ["a", "b"] })
  })

  test.each([
    ["- [!] A <!-- blocker: no key -->", { status: "blocked", reason: "no key" }],
    ["- [-] A <!-- dropped-by: user -->", { status: "cancelled", droppedBy: "user" }],
    ["- [-] A <!-- reason: too: long -->", { status: "cancelled", reason: "too: long" }],
    ["- [!] A <!--blocker:x--><!-- waits-for: Ann -->", { status: "blocked", reason: "x", waitsFor: "Ann" }],
    ["- [ ] A <!-- id: 7 -->", { status: "pending", id: "7" }],
    ["- [ ] A <!-- reason: -->", { status: "pending" }],
  ])("O10 %s is read", (text, expected) => {
    expect(read(text).items).toEqual([{ content: "A", ...expected }])
  })

  test.each([
    ["- [ ] A <!-- todo -->", "A <!-- todo -->"],
    ["- [ ] A &amp; B &lt;!-- c --&gt;", "A & B <!-- c -->"],
    ["- [ ] A & B --> C &lt;b&gt;", "A & B --> C &lt;b&gt;"],
  ])("O10 the text of %s is %s", (text, content) => {
    expect(read(text).items).toEqual([{ content, status: "pending" }])
  })
})

const planOf = (todos: Omit<Todo, "id">[], phases: string[] = []): Plan => ({
  todos: todos.map((todo, index) => ({ id: String(index + 1), ...todo })),
  phases,
  revision: 0,
})

describe("printing", () => {
  test("O10 a plan prints as markdown a person can edit", () => {
    const plan = planOf(
      [
        { content: "Lex", status: "completed", phase: "Parser" },
        { content: "Loose end", status: "pending" },
        { content: "Parse", status: "in_progress", phase: "Parser", notes: ["see grammar.md\nsection 2", "ask Ann"] },
        { content: "Publish", status: "blocked", phase: "Release", reason: "no key", waitsFor: "Ann" },
        { content: "Old docs", status: "cancelled", phase: "Release", reason: "not needed" },
      ],
      ["Parser", "Later", "Release"],
    )
    expect(printChecklist(plan)).toBe(
      [
        "- [ ] Loose end",
        "",
        "# Parser",
        "- [x] Lex",
        "- [/] Parse",
        "  > see grammar.md",
        "  > section 2",
        "",
        "  > ask Ann",
        "",
        "# Later",
        "",
        "# Release",
        "- [!] Publish <!-- blocker: no key --> <!-- waits-for: Ann -->",
        "- [-] Old docs <!-- reason: not needed -->",
        "",
      ].join("\n"),
    )
  })

  test("O10 an empty plan prints nothing", () => {
    expect(printChecklist(planOf([]))).toBe("")
  })

  test("O10 a phase the plan does not list follows the listed ones", () => {
    const plan = planOf([{ content: "A", status: "pending", phase: "New" }], ["Old"])
    expect(printChecklist(plan)).toBe("# Old\n\n# New\n- [ ] A\n")
  })

  test("O10 a status the marks lack prints as the nearest one", () => {
    const plan = planOf([
      { content: "A", status: "blocked" },
      { content: "B", status: "cancelled" },
    ])
    expect(printChecklist(plan, { " ": "pending", "-": "in_progress", x: "completed" })).toBe("- [ ] A\n- [x] B\n")
  })

  test.each([
    ["A --> B & C", "- [ ] A --> B & C\n"],
    ["[x] # > C:\\new", "- [ ] [x] # > C:\\new\n"],
    ["Strip <!-- blocker: x -->", "- [ ] Strip &lt;!-- blocker: x -->\n"],
    ["Decode &amp;", "- [ ] Decode &amp;amp;\n"],
    ["two\nlines\u001b[1m", "- [ ] two lines\n"],
  ])("O10 %j prints readably", (content, expected) => {
    expect(printChecklist(planOf([{ content, status: "pending" }]))).toBe(expected)
  })
})

/** Text made of everything that means something to the reader, and of anything else. */
const tricky = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "[x]",
        "[ ]",
        "\\[x]",
        "[",
        "]",
        "#",
        "# ",
        "> ",
        "- ",
        "* ",
        "1. ",
        "☐ ",
        "✅",
        "```",
        "\\",
        "\\n",
      ),
      fc.constantFrom(
        "<!--",
        "-->",
        "<!-- blocker: x -->",
        "<!-- reason: ",
        "<!-- id: 1 -->",
        ":",
        "-",
        "--",
        ">",
        "<",
        "!",
      ),
      fc.constantFrom("&", "&amp;", "&lt;!--", "--&gt;", "&lt;", "&gt;", "amp;", "lt;", "gt;", " ", "\u00a0", "a"),
      fc.string({ unit: "grapheme", maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 10 },
  )
  .map((parts) => parts.join(""))

const line = tricky.map(sanitise).filter((text) => text !== "")
const block = fc
  .array(fc.oneof(tricky, fc.constantFrom("", "  indented")), { minLength: 1, maxLength: 4 })
  .map((lines) => sanitiseNote(lines.join("\n")))
  .filter((text) => text !== "")

const anyPlan = fc.uniqueArray(line, { maxLength: 3 }).chain((phases) =>
  fc.record({
    phases: fc.constant(phases),
    todos: fc.array(
      fc.record(
        {
          id: fc.constant("1"),
          content: line,
          status: fc.constantFrom(...todoStatuses),
          notes: fc.array(block, { minLength: 1, maxLength: 3 }),
          reason: line,
          waitsFor: line,
          ...(phases.length > 0 ? { phase: fc.constantFrom(...phases) } : {}),
        },
        { requiredKeys: ["id", "content", "status"] },
      ),
      { maxLength: 5 },
    ),
  }),
)

describe("printing and reading again", () => {
  test("O10 gives the same plan, whatever its text", () => {
    fc.assert(
      fc.property(anyPlan, ({ phases, todos }) => {
        const inPrintedOrder = ["", ...phases].flatMap((name) => todos.filter((todo) => (todo.phase ?? "") === name))
        expect(read(printChecklist({ phases, todos }))).toEqual({
          items: inPrintedOrder.map(({ id: _id, ...todo }) => todo),
          phases,
          ignored: [],
        })
      }),
      { numRuns: rounds(500) },
    )
  })

  test("O10 reading never throws, and printing what was read is stable", () => {
    fc.assert(
      fc.property(
        fc.array(tricky).map((lines) => lines.join("\n")),
        (text) => {
          const once = read(text)
          const todos = once.items.map((item) => ({ status: "pending" as const, ...item, id: "1" }))
          const printed = printChecklist({ todos, phases: once.phases })
          const again = read(printed)
          const todosAgain = again.items.map((item) => ({ status: "pending" as const, ...item, id: "1" }))
          expect(printChecklist({ todos: todosAgain, phases: again.phases })).toBe(printed)
        },
      ),
    )
  })
})
