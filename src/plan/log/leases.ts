/** Records who holds a todo, and gives a lease back when the entry that ended it is undone. */
import type { PlanEvent } from "../event.ts"
import { isFinished, type Todo } from "../todo.ts"
import { claimantOf, type Lease } from "./claims.ts"
import type { MutableLedger, Stamp, TodoRecord } from "./ledger.ts"

export const leaseFrom = (
  { owner, until }: Extract<PlanEvent, { type: "todo-claimed" }>,
  { by }: Stamp,
): Lease | undefined => (until === undefined ? undefined : { owner, until, by: claimantOf(by) })

export const setLease = (ledger: MutableLedger, id: string, lease: Lease | undefined): void => {
  const old = ledger.todos.get(id)
  if (old) ledger.todos.set(id, lease ? { ...old, lease } : withoutLease(old))
}

export const withoutLease = ({ lease: _, ...others }: TodoRecord): TodoRecord => others

/** An undo restores a claim that the undone entry ended, unless the todo is finished or has another owner. */
export const restoreLease = (
  ledger: MutableLedger,
  event: PlanEvent,
  undone: string,
  todoOf: (id: string) => Todo | undefined,
): void => {
  const id = event.type === "todo-added" ? event.todo.id : event.type === "todo-changed" ? event.id : ""
  const { lease, formerLease } = ledger.todos.get(id) ?? {}
  if (lease || formerLease?.entry !== undone) return
  const todo = todoOf(id)
  if (todo && !isFinished(todo.status) && todo.owner === formerLease.lease.owner)
    setLease(ledger, id, formerLease.lease)
}
