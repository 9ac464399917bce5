/** Plans and texts of every kind, for property tests. They are apart from the samples because their tables take a second to make. */

import fc from "fast-check"
import { type Todo, todoStatuses } from "../../src/plan/todo.ts"
import { anyCharacter } from "../any-character.ts"
import { planOf } from "./sample.ts"

/** Text of any script, with what breaks careless screens mixed in. */
export const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
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
