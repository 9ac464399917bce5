/** Plans the view tests draw: the example of the SPEC, and one with everything in it. */

import fc from "fast-check"
import { type Plan, type Todo, todoStatuses } from "../../src/plan/todo.ts"

export const planOf = (todos: readonly Omit<Todo, "id">[], phases: readonly string[] = []): Plan => ({
  todos: todos.map((todo, index) => ({ id: String(index + 1), ...todo })),
  phases,
  revision: 1,
})

export const threeTodos = planOf([
  { content: "Set up the project", status: "completed" },
  { content: "Write the tests", status: "in_progress", activeForm: "Writing the tests" },
  { content: "Ship it", status: "pending" },
])

export const allStatuses = planOf([
  { content: "Read", status: "completed" },
  { content: "Write", status: "in_progress", activeForm: "Writing" },
  { content: "Rest", status: "pending" },
  { content: "Deploy", status: "blocked", reason: "no access", waitsFor: "Ada" },
  { content: "Dream", status: "cancelled", reason: "out of scope" },
])

/** Text of any script, with what breaks careless screens mixed in. */
export const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        "漢字",
        "한국",
        "👩‍👩‍👧‍👦",
        "🇩🇪",
        "e\u0301",
        "नि",
        "ｶﾞ",
        "\u001b[31m",
        "\n",
        "\t",
        "\u202e",
        "\ud800",
        "x",
        " ",
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join("")),
  fc.string({ minLength: 1, maxLength: 8 }).map((part) => part.repeat(200)),
)

const anyTodo = fc
  .record({
    content: anyText,
    status: fc.constantFrom(...todoStatuses),
    activeForm: anyText,
    notes: fc.array(anyText, { maxLength: 3 }),
    reason: anyText,
    waitsFor: anyText,
    phase: fc.option(fc.oneof(fc.constantFrom("Build", "Ship"), anyText), { nil: null }),
  })
  .map(({ phase, ...todo }): Omit<Todo, "id"> => (phase === null ? todo : { ...todo, phase }))

export const anyPlan = fc
  .tuple(fc.array(anyTodo, { maxLength: 14 }), fc.uniqueArray(anyText, { maxLength: 3 }))
  .map(([todos, phases]) => planOf(todos, phases))
