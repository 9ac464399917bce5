/** What holds for every view: it keeps within its width, one row per todo, and is quick. */

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { PlanEvent } from "../../src/plan/event.ts"
import type { Plan } from "../../src/plan/todo.ts"
import {
  agentTasksText,
  changeNoticeText,
  detailedList,
  listText,
  numberedList,
  panelText,
  phasedList,
  planText,
  progressList,
  spinnerText,
  standaloneListText,
  todosText,
  treeText,
  type ViewOptions,
  widthOf,
} from "../../src/views/index.ts"
import { rounds } from "../rounds.ts"
import { anyPlan } from "./any-plan.ts"
import { planOf } from "./sample.ts"

const changesOf = (plan: Plan): PlanEvent[] =>
  plan.todos.map(({ id, status }) => ({ type: "todo-changed", id, from: { status: "pending" }, to: { status } }))

const drawn: Record<string, (plan: Plan, options: ViewOptions) => string> = {
  "C30 list": listText,
  "C30 stand-alone list": standaloneListText,
  "C34 /todos": todosText,
  "G5 panel": panelText,
  "O11 tree": treeText,
  "O11 collapsed tree": (plan, options) => treeText(plan, { ...options, collapsed: true }),
  "C31 spinner": (plan, options) => spinnerText(plan, { ...options, isExpanded: true, tip: plan.todos[0]?.content }),
  "C35 an agent's tasks": agentTasksText,
  "G6 change notice": (plan, options) => changeNoticeText(plan, { ...options, events: changesOf(plan) }),
  "A6 plan of a member": (plan, options) => planText(plan, plan.todos[0]?.content ?? "agent", options),
}

const views: Record<string, (plan: Plan) => string> = {
  "G3 progress list": progressList,
  "O7 phased list": phasedList,
  "numbered list": numberedList,
  "detailed list": detailedList,
}

const widest = (text: string): number => text.split("\n").reduce((most, line) => Math.max(most, widthOf(line)), 0)

describe.each(Object.entries(drawn))("%s", (_name, draw) => {
  test.each([20, 40, 80, 120])("never exceeds %i columns", (width) => {
    fc.assert(
      fc.property(anyPlan, fc.boolean(), (plan, ascii) => {
        expect(widest(draw(plan, { width, ascii }))).toBeLessThanOrEqual(width)
      }),
      { numRuns: rounds(150) },
    )
  })

  test("never exceeds any width, however narrow", () => {
    fc.assert(
      fc.property(anyPlan, fc.integer({ min: 1, max: 20 }), fc.boolean(), (plan, width, ascii) => {
        expect(widest(draw(plan, { width, ascii }))).toBeLessThanOrEqual(width)
      }),
      { numRuns: rounds(200) },
    )
  })

  test("never exceeds any height, and uses all of it", () => {
    fc.assert(
      fc.property(anyPlan, fc.integer({ min: 1, max: 20 }), fc.boolean(), (plan, height, ascii) => {
        const whole = draw(plan, { ascii }).split("\n")
        const shown = draw(plan, { ascii, height }).split("\n")
        expect(shown.length).toBeLessThanOrEqual(height)
        if (whole.length <= height) expect(shown).toEqual(whole)
      }),
      { numRuns: rounds(200) },
    )
  })

  test("G8 lets no control character through", () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        expect(draw(plan, {})).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u206f]/)
      }),
      { numRuns: rounds(150) },
    )
  })
})

const manyTodos = (length: number): Plan => {
  const scripts = ["Write the tests. ", "漢字とかなを表示する", "👩‍👩‍👧‍👦 ", "e\u0301", "\u001b[31m"]
  const contents = scripts.map((words) => words.repeat(Math.ceil(length / words.length)))
  return planOf(
    Array.from({ length: 1_000 }, (_, index) => ({
      content: `${index} ${contents[index % contents.length]}`,
      status: index === 500 ? ("in_progress" as const) : ("pending" as const),
      phase: `Phase ${index % 100}`,
    })),
  )
}

const [longTodos, todosToTell] = [manyTodos(10_000), manyTodos(500)]

test.each(Object.entries(drawn))("%s draws 1,000 todos of 10,000 characters", (_name, draw) => {
  const lines = draw(longTodos, { width: 80 }).split("\n")
  expect(lines.length).toBeGreaterThan(8)
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80)
})

test.each(Object.entries(views))("%s describes 1,000 todos of 500 characters", (_name, tell) => {
  expect(tell(todosToTell).split("\n").length).toBeGreaterThanOrEqual(1_000)
})
