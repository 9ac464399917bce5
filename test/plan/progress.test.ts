/** Counting what is done, and finding what is being done. */

import { describe, expect, test } from "vitest"
import { atHand } from "../../src/plan/at-hand.ts"
import { activeTodo, nextTodo, progressOf } from "../../src/plan/progress.ts"
import type { Todo, TodoStatus } from "../../src/plan/todo.ts"

const planOf = (...statuses: TodoStatus[]): { todos: Todo[] } => ({
  todos: statuses.map((status, index) => ({ id: String(index + 1), content: `Todo ${index + 1}`, status })),
})

describe("progress", () => {
  const cases: [name: string, statuses: TodoStatus[], expected: [completed: number, total: number, percent: number]][] =
    [
      ["an empty list is at 0 percent", [], [0, 0, 0]],
      ["nothing done is 0 percent", ["pending", "in_progress"], [0, 2, 0]],
      ["one of three rounds down to 33", ["completed", "in_progress", "pending"], [1, 3, 33]],
      ["two of three rounds up to 67", ["completed", "completed", "pending"], [2, 3, 67]],
      ["a blocked todo counts as open", ["completed", "blocked"], [1, 2, 50]],
      ["a cancelled todo does not count in the total", ["completed", "cancelled", "pending"], [1, 2, 50]],
      ["only cancelled todos are like an empty list", ["cancelled", "cancelled"], [0, 0, 0]],
      ["all done is 100 percent", ["completed", "cancelled", "completed"], [2, 2, 100]],
    ]
  test.each(cases)("G4 %s", (_name, statuses, [completed, total, percent]) => {
    expect(progressOf(planOf(...statuses))).toEqual({ completed, total, percent })
  })
})

describe("the active todo", () => {
  test("G4 the first in progress is the active one", () => {
    expect(activeTodo(planOf("completed", "in_progress", "in_progress"))?.id).toBe("2")
  })

  test("G4 a plan without one in progress has no active todo", () => {
    expect(activeTodo(planOf("completed", "blocked", "pending"))).toBeUndefined()
  })
})

describe("the next todo", () => {
  const todo = (id: string, fields: Partial<Todo> = {}): Todo => ({ id, content: id, status: "pending", ...fields })

  test("N5 is the first pending one that waits for no open todo", () => {
    const todos = [todo("1", { blockedBy: ["2"] }), todo("2", { status: "blocked" }), todo("3", { blockedBy: ["4"] })]
    const plan = [...todos, todo("4", { status: "completed" }), todo("5")]
    expect(nextTodo({ todos: plan })?.id).toBe("3")
    expect(nextTodo({ todos })?.id).toBe("3")
    expect(nextTodo({ todos: todos.slice(0, 2) })).toBeUndefined()
  })
})

describe("the todo at hand", () => {
  test("G4 is the one in progress, and else the next one, named as such", () => {
    expect(atHand(planOf("completed", "pending", "in_progress"))).toEqual({ current: "Todo 3" })
    expect(atHand(planOf("completed", "blocked", "pending"))).toEqual({ upcoming: { kind: "next", content: "Todo 3" } })
  })

  test("G4 is a blocked one where nothing else is left, and none in a finished plan", () => {
    expect(atHand(planOf("completed", "blocked"))).toEqual({ upcoming: { kind: "blocked", content: "Todo 2" } })
    expect(atHand(planOf("completed", "cancelled"))).toEqual({})
    expect(atHand(planOf())).toEqual({})
  })
})
