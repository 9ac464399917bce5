/** A source of sessions that live in memory and do what a person asks of them. */

import { progressOf } from "../../src/plan/progress.ts"
import type { Plan, Todo } from "../../src/plan/todo.ts"
import type { BoardEdit, BoardSession, BoardSource } from "../../src/views/board/session.ts"

export type MemorySource = BoardSource & {
  /** Every edit that was asked for, in order. */
  readonly edits: readonly { key: string; edit: BoardEdit }[]
  /** The plan that was in sight when the last edit was decided. */
  readonly seen: Plan | undefined
  /** The sessions whose plans were asked for last. */
  readonly inSight: readonly string[]
  change(sessions: readonly BoardSession[]): void
}

export const memorySource = (first: readonly BoardSession[]): MemorySource => {
  let sessions = first
  const listeners = new Set<() => void>()
  const edits: { key: string; edit: BoardEdit }[] = []
  const before: (readonly BoardSession[])[] = []
  let lastSeen: Plan | undefined
  let inSight: readonly string[] = []
  const change = (next: readonly BoardSession[]): void => {
    sessions = next
    for (const listener of listeners) listener()
  }
  return {
    edits,
    get sessions() {
      return sessions
    },
    change,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get seen() {
      return lastSeen
    },
    get inSight() {
      return inSight
    },
    show(keys) {
      inSight = keys
    },
    async edit(key, edit, seen) {
      edits.push({ key, edit })
      lastSeen = seen
      if (edit.kind === "undo") {
        const last = before.pop()
        if (!last) return { outcome: "refused", message: "There is nothing to undo." }
        change(last)
        return { outcome: "changed", message: "Took back the last change." }
      }
      if (edit.kind === "redo") return { outcome: "refused", message: "There is nothing to do again." }
      if (edit.kind === "rename") {
        change(sessions.map((session) => (session.key === key ? { ...session, title: edit.title } : session)))
        return { outcome: "changed", message: `renamed: ${edit.title}` }
      }
      before.push(sessions)
      change(sessions.map((session) => (session.key === key ? withPlan(session, edited(session.plan, edit)) : session)))
      return { outcome: "changed", message: `Done: ${edit.kind}.` }
    },
    textOf: ({ todos }) => todos.map(({ content }) => `${content}\n`).join(""),
  }
}

export const withPlan = (session: BoardSession, plan: Plan): BoardSession => ({
  ...session,
  plan,
  progress: progressOf(plan),
  todos: plan.todos.length,
})

const edited = (plan: Plan = { todos: [], phases: [], revision: 0 }, edit: BoardEdit): Plan => {
  const patch = (id: string, change: (todo: Todo) => Partial<Todo>): Plan => ({
    ...plan,
    todos: plan.todos.map((todo) => (todo.id === id ? { ...todo, ...change(todo) } : todo)),
  })
  switch (edit.kind) {
    case "toggle":
      return patch(edit.todo, ({ status }) => ({ status: status === "completed" ? "pending" : "completed" }))
    case "start":
      return patch(edit.todo, () => ({ status: "in_progress" }))
    case "note":
      return patch(edit.todo, ({ notes = [] }) => ({ notes: [...notes, edit.text] }))
    case "reword":
      return patch(edit.todo, () => ({ content: edit.content }))
    case "remove":
      return { ...plan, todos: plan.todos.filter(({ id }) => id !== edit.todo) }
    case "drop":
      return patch(edit.todo, () => ({ status: "cancelled", ...(edit.reason ? { reason: edit.reason } : {}) }))
    case "block":
      return patch(edit.todo, () => ({ status: "blocked", ...(edit.reason ? { reason: edit.reason } : {}) }))
    case "add": {
      const todo: Todo = { id: String(plan.todos.length + 1), content: edit.content, status: "pending" }
      const place = plan.todos.findIndex(({ id }) => id === edit.after) + 1
      return { ...plan, todos: plan.todos.toSpliced(place || plan.todos.length, 0, todo) }
    }
    case "text":
      return {
        ...plan,
        todos: edit.text
          .split("\n")
          .filter(Boolean)
          .map((content, index) => ({ id: String(index + 1), content, status: "pending" })),
      }
    default:
      return plan
  }
}
