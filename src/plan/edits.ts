/** What a person can do to a todo, as events: the same verbs on the command line, on the board and in a chat. */
import type { PlanEvent } from "./event.ts"
import { changeTodo } from "./list/diff.ts"
import type { Wanted } from "./list/match.ts"
import type { Todo } from "./todo.ts"

export const edits = {
  add: (content: string, fields: Omit<Wanted, "id" | "content"> = {}, after?: string): PlanEvent[] => [
    {
      type: "todo-added",
      todo: { status: "pending", ...fields, id: "", content },
      ...(after === undefined ? {} : { after }),
    },
  ],
  start: (todo: Todo): PlanEvent[] => changeTodo(todo, { status: "in_progress" }),
  done: (todo: Todo): PlanEvent[] => changeTodo(todo, { status: "completed" }),
  /** Back to pending. */
  reopen: (todo: Todo): PlanEvent[] => changeTodo(todo, { status: "pending" }),
  drop: (todo: Todo, reason?: string): PlanEvent[] =>
    changeTodo(todo, { status: "cancelled", ...(reason ? { reason } : {}) }),
  block: (todo: Todo, reason?: string, waitsFor?: string): PlanEvent[] =>
    changeTodo(todo, { status: "blocked", ...(reason ? { reason } : {}), ...(waitsFor ? { waitsFor } : {}) }),
  unblock: (todo: Todo): PlanEvent[] => (todo.status === "blocked" ? changeTodo(todo, { status: "pending" }) : []),
  remove: (todo: Todo): PlanEvent[] => [{ type: "todo-removed", todo }],
  note: (todo: Todo, note: string): PlanEvent[] => changeTodo(todo, { notes: [...(todo.notes ?? []), note] }),
  reword: (todo: Todo, content: string): PlanEvent[] => changeTodo(todo, { content }),
} as const
