/** A plan in an editor or a file and back: what a person did not change stays as it is. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { editorText, readChecklistEdit } from "../../src/cli/edit/checklist-edit.ts"
import { printChecklist } from "../../src/dialects/checklist.ts"
import { markdown } from "../../src/dialects/markdown.ts"
import { apply, emptyPlan, inPhaseOrder, type Plan, sanitise, sanitiseNote, type Todo } from "../../src/plan/index.ts"
import { phaseArbitrary, planArbitrary, statusArbitrary } from "../plan/arbitraries.ts"
import { rounds } from "../rounds.ts"

const awkward = [
  "# A heading",
  "## Another",
  "- [ ] a box",
  "[x] done?",
  "- [x](link)",
  "> a quote",
  "``` js",
  "~~~",
  "1. first",
  "3.14 is a number",
  "  leading spaces",
  "a trailing backslash \\",
  "two \\n- [ ] in one",
  "<b>bold</b> & &amp; &lt;!-- x",
  "<!-- id: 1 -->",
  "a <!-- reason: b -->",
  "-->",
  "☐ a sign",
  "*",
  "Run tests",
  "Run tests",
]

const contentArbitrary = fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: "grapheme", minLength: 1 }))

const todoArbitrary: fc.Arbitrary<Omit<Todo, "id">> = fc.record(
  {
    content: contentArbitrary,
    status: statusArbitrary,
    phase: fc.oneof(phaseArbitrary, fc.constantFrom("# x", "> y", "- [ ] z", "1.")),
    notes: fc.array(fc.oneof(contentArbitrary, fc.constantFrom("a\n\n  b\n> c", "# d\n- [ ] e")), { maxLength: 3 }),
    reason: contentArbitrary,
    waitsFor: contentArbitrary,
    description: contentArbitrary,
  },
  { requiredKeys: ["content", "status"], noNullPrototype: true },
)

/** Todos with and without phases in any order, and phases without todos. */
const mixedPlan: fc.Arbitrary<Plan> = fc
  .tuple(fc.array(todoArbitrary, { maxLength: 10 }), fc.shuffledSubarray(["Empty", "Find", "# x"]))
  .map(([bare, others]) => ({
    todos: bare.map((todo, index): Todo => ({ id: String(index + 1), ...todo })),
    phases: [...new Set([...others, ...bare.flatMap(({ phase }) => phase ?? [])])],
    revision: 1,
  }))

/** As every door of ours lets it in. */
const sound = (plan: Plan): Plan => ({
  ...plan,
  todos: plan.todos.flatMap(({ notes, reason, waitsFor, description, ...todo }): Todo[] => {
    const content = sanitise(todo.content)
    if (content === "") return []
    const kept = (notes ?? []).flatMap((note) => sanitiseNote(note) || [])
    return [
      {
        ...todo,
        content,
        ...(kept.length > 0 ? { notes: kept } : {}),
        ...(todo.status === "blocked" && reason && sanitise(reason) ? { reason: sanitise(reason) } : {}),
        ...(todo.status === "blocked" && waitsFor && sanitise(waitsFor) ? { waitsFor: sanitise(waitsFor) } : {}),
        ...(description ? { description } : {}),
      },
    ]
  }),
})

const ids = (plan: Plan): string[] => plan.todos.map(({ id }) => id)

const planOf = (...todos: [content: string, phase?: string][]): Plan => ({
  todos: todos.map(([content, phase], index) => ({
    id: String(index + 1),
    content,
    status: "pending",
    ...(phase === undefined ? {} : { phase }),
  })),
  phases: [...new Set(todos.flatMap(([, phase]) => phase ?? []))],
  revision: 1,
})

describe("an unchanged text", () => {
  test.each([
    ["any plan", planArbitrary],
    ["a plan of awkward texts", mixedPlan],
  ])("O10 %s that is printed and read again is unchanged", (_, plans) => {
    fc.assert(
      fc.property(plans, (plan) => {
        fc.pre(printChecklist(plan) !== "")
        expect(readChecklistEdit(plan, printChecklist(plan)).events).toEqual([])
        // The legend of an editor's file says nothing.
        expect(readChecklistEdit(plan, editorText(plan))).toEqual(readChecklistEdit(plan, printChecklist(plan)))
      }),
      { numRuns: rounds(300) },
    )
  })

  test("O10 a list that an agent sends back as it got it changes nothing", () => {
    fc.assert(
      fc.property(mixedPlan.map(sound), (plan) => {
        const input = printChecklist(plan)
        fc.pre(plan.todos.length > 0)
        expect(markdown.decode({ tool: "markdown", input }, plan).events).toEqual([])
      }),
      { numRuns: rounds(300) },
    )
  })

  test("an editor's file ends with a legend of all marks", () => {
    expect(editorText(planOf(["A"]))).toBe(
      '- [ ] A\n\n<!-- [ ] pending  [/] in progress  [!] blocked  [x] completed  [-] cancelled; "> " below a todo is a note -->\n',
    )
    const changed = editorText(planOf(["A"])).replace("- [ ] A", "- [x] A\r")
    expect(readChecklistEdit(planOf(["A"]), changed)).toMatchObject({ events: [{ id: "1" }], ignored: [] })
    expect(() => readChecklistEdit(planOf(["A"]), editorText(planOf()))).toThrow("There is nothing in it")
  })

  test("O10 todos keep their order when only some have a phase", () => {
    const plan = planOf(["A", "Ship"], ["B"], ["C", "Ship"], ["D"])
    const text = printChecklist(plan)
    expect(text).toBe("- [ ] B\n- [ ] D\n\n# Ship\n- [ ] A\n- [ ] C\n")
    expect(readChecklistEdit(plan, text).events).toEqual([])
    const { events } = readChecklistEdit(plan, text.replace("[ ] B", "[x] B"))
    expect(events).toMatchObject([{ type: "todo-changed", id: "2", to: { status: "completed" } }])
    expect(ids(apply(plan, events).plan)).toEqual(["1", "2", "3", "4"])
  })

  test("O10 equal texts in different phases keep their ids", () => {
    const plan = planOf(["Run tests", "Ship"], ["Run tests"], ["Run tests", "Find"])
    expect(readChecklistEdit(plan, printChecklist(plan)).events).toEqual([])
  })

  test("a todo whose text cannot be shown stays", () => {
    const plan = planOf(["\u200b"], ["B"])
    const { events } = readChecklistEdit(plan, "- [x] B\n")
    expect(events).toMatchObject([{ type: "todo-changed", id: "2" }])
  })
})

describe("a changed text", () => {
  const plan = planOf(["A", "Ship"], ["B"], ["C", "Ship"], ["D", "Find"])
  const edited = (text: string): Plan => apply(plan, readChecklistEdit(plan, text).events).plan
  const shape = ({ todos }: Plan) => todos.map(({ id, phase }) => [id, phase])

  test.each([
    ["within its phase", "- [ ] B\n# Ship\n- [ ] C\n- [ ] A\n# Find\n- [ ] D\n", "2 3 1 4"],
    ["to the front of another phase", "- [ ] B\n# Ship\n- [ ] D\n- [ ] A\n- [ ] C\n# Find\n", "2 4 1 3"],
    ["to the end of another phase", "# Ship\n- [ ] A\n- [ ] C\n- [ ] B\n# Find\n- [ ] D\n", "1 3 2 4"],
    ["out of its phase", "- [ ] A\n- [ ] B\n# Ship\n- [ ] C\n# Find\n- [ ] D\n", "1 2 3 4"],
  ])("a todo that was moved %s is there", (_, text, order) => {
    const after = edited(text)
    expect(
      inPhaseOrder(after)
        .map(({ id }) => id)
        .join(" "),
    ).toBe(order)
    expect(printChecklist(after)).toBe(printChecklist(edited(text)))
  })

  test("a todo moved above every heading has no phase", () => {
    expect(shape(edited("- [ ] A\n- [ ] B\n# Ship\n- [ ] C\n# Find\n- [ ] D\n"))).toContainEqual(["1", undefined])
  })

  test("whatever a text contains, the plan then contains the same", () => {
    fc.assert(
      fc.property(mixedPlan.map(sound), mixedPlan.map(sound), (before, wanted) => {
        fc.pre(wanted.todos.length > 0)
        const text = printChecklist(wanted)
        const after = apply(before, readChecklistEdit(before, text).events).plan
        const fieldsOf = ({ content, status, phase }: Todo) => [content, status, phase]
        expect(inPhaseOrder(after).map(fieldsOf)).toEqual(inPhaseOrder(wanted).map(fieldsOf))
        expect(after.phases).toEqual(wanted.phases)
        expect(new Set(ids(after)).size).toBe(after.todos.length)
      }),
      { numRuns: rounds(200) },
    )
  })

  test("an empty text is refused", () => {
    expect(() => readChecklistEdit(emptyPlan, " \n")).toThrow(/nothing was changed/)
  })
})
