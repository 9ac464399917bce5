/** Plans the view tests draw: the example of the designs, and one with everything in it. */

import type { Plan, Todo } from "../../src/plan/todo.ts"

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
