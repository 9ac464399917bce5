/** What an entry of an agent may not change: what a person set on a todo, while the agent does not know of it. */
import type { Actor, PlanEvent, TodoPatch } from "../event.ts"
import type { Todo } from "../todo.ts"
import { adderOf, isUntoldWord, setterOf } from "./by-person.ts"
import type { Ledger } from "./ledger.ts"

export type UntoldGuard = {
  /**
   * The entry adds this todo itself. The agent may have proposed a new todo under the id of one that a person added in the
   * meantime. A todo that it brings back is not its own: it may be that same todo.
   */
  addOwn(id: string): void
  /** Whether a person set the field, and the agent does not know. */
  isUntold(id: string, field: string): boolean
  /** The same, and a status is not changed under what a person said about it either. */
  isHeld(id: string, field: string): boolean
  /** Whether the todo is a person's, or anything on it, without the agent knowing. */
  isGuarded(todo: Todo): boolean
  /** The part of a change that touches nothing that is held. */
  allowed(id: string, to: TodoPatch): TodoPatch
}

export type UntoldGuardOptions = {
  /** Who made the entry, and its events. */
  by: Actor
  events: readonly PlanEvent[]
  ledger: Ledger
  todoOf: (id: string) => Todo | undefined
}

export const createUntoldGuard = ({ by, events, ledger, todoOf }: UntoldGuardOptions): UntoldGuard => {
  const own = new Set<string>()
  // A granted claim takes the todo: a person who released it did so for the next owner.
  const claimed = new Set(events.flatMap((event) => (event.type === "todo-claimed" ? [event.id] : [])))
  // The agent knows a todo that it names by its text, but not what a person has set on it since.
  const named = new Set(by.kind === "agent" ? events.flatMap(namedIn) : [])
  const isKnown = (id: string): boolean => own.has(id) || named.has(id) || ledger.todos.get(id)?.isKnown === true
  /** A person added the todo or brought it back, whatever was set on it before that. */
  const isNews = (id: string): boolean => !isKnown(id) && isUntoldWord(ledger, id, adderOf(ledger, id))
  const isUntold = (id: string, field: string): boolean => {
    if (own.has(id) || (field === "owner" && claimed.has(id))) return false
    const setter = setterOf(ledger, id, field)
    return setter ? isUntoldWord(ledger, id, setter) : isNews(id)
  }
  const isHeld = (id: string, field: string): boolean =>
    isUntold(id, field) || (field === "status" && aboutStatus.some((one) => todoOf(id)?.[one] && isUntold(id, one)))
  return {
    addOwn: (id) => void own.add(id),
    isUntold,
    isHeld,
    isGuarded: ({ id }) =>
      isNews(id) || Object.keys(ledger.todos.get(id)?.set ?? {}).some((field) => isUntold(id, field)),
    allowed(id, to) {
      const gone = new Set<string>(to.status && isHeld(id, "status") ? aboutStatus : [])
      return Object.fromEntries(Object.entries(to).filter(([field]) => !gone.has(field) && !isHeld(id, field)))
    },
  }
}

const aboutStatus = ["reason", "waitsFor"] as const

const namedIn = (event: PlanEvent): string[] => (event.type === "todo-changed" && event.byText ? [event.id] : [])
