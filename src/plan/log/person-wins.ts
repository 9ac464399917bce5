/**
 * A person wins: until the agent has been told about a person's change, nothing the agent writes undoes it. Decided in the
 * fold and not by the writer, because the person may write while the agent is thinking.
 */
import type { Actor, PlanEvent, TodoPatch } from "../event.ts"
import { notesInReach } from "../notes.ts"
import { normalise } from "../text/wording.ts"
import { isAllDone, type Todo, type TodoStatus } from "../todo.ts"
import { personSet } from "./by-person.ts"
import type { Ledger } from "./ledger.ts"
import { createUntoldGuard, type UntoldGuard } from "./untold-guard.ts"
import type { UntoldIndex } from "./untold-index.ts"

/** The plan and its ledger, as the agent that writes knows them. */
type Situation = {
  ledger: Ledger
  untold: UntoldIndex
  todoOf: (id: string) => Todo | undefined
}

/** The events of an agent's entry without what would undo a person's change; what is refused for the first time says so. */
export const withoutOverruled = (by: Actor, events: readonly PlanEvent[], situation: Situation): readonly PlanEvent[] =>
  newRefusals(decideAll(by, events, situation), situation.ledger)

const decideAll = (by: Actor, events: readonly PlanEvent[], situation: Situation): readonly PlanEvent[] => {
  const { ledger, untold, todoOf } = situation
  if (ledger.untold.size === 0 && !events.some(({ type }) => type === "agent-told")) return events
  const guard = createUntoldGuard({ by, events, ledger, todoOf })
  /** Todos that this entry may not add, and so cannot change either. */
  const withheld = new Set<string>()
  return events.flatMap((event): PlanEvent[] => {
    switch (event.type) {
      case "todo-added": {
        const { id, content, status } = event.todo
        // No call adds a todo again, by its text, that a person removed without the agent knowing.
        if (untold.isRemoved(content)) {
          withheld.add(id)
          return [{ type: "todo-refused", content, status }]
        }
        if (!event.restores) guard.addOwn(id)
        return [event]
      }
      case "todo-changed":
        return withheld.has(event.id) ? [] : decideChange(event, guard, situation)
      case "todo-moved":
        return withheld.has(event.id) ? [] : [event]
      case "todo-removed":
        return guard.isGuarded(event.todo) ? [] : [event]
      case "plan-cleared":
        // A person still sees a finished list that is put away, so nothing of theirs is undone.
        if (isAllDone(event.todos)) return [event]
        return [{ ...event, todos: event.todos.filter((todo) => !guard.isGuarded(todo)) }]
      case "agent-told":
        // Only Headway itself, on this machine, knows what it has told the agent.
        return []
      default:
        return [event]
    }
  })
}

type Change = Extract<PlanEvent, { type: "todo-changed" }>

const decideChange = (event: Change, guard: UntoldGuard, situation: Situation): PlanEvent[] => {
  const { id, to } = event
  const refused = refusedWording(id, to, situation)
  if (refused.length > 0) return refused
  return [
    ...newNotes(id, to, guard, situation),
    { ...event, to: guard.allowed(id, to) },
    ...refusedStatus(id, to, guard, situation),
  ]
}

/** A change that gives a todo the text of a todo that a person removed is refused as a whole: it means the removed one. */
const refusedWording = (id: string, { content, status }: TodoPatch, { untold, todoOf }: Situation): PlanEvent[] => {
  const old = todoOf(id)
  if (!old || !content || !untold.isRemoved(content) || normalise(content) === normalise(old.content)) return []
  return [{ type: "todo-refused", content, status: status ?? old.status }]
}

/** A note beside the person's undoes nothing. */
const newNotes = (id: string, { notes }: TodoPatch, guard: UntoldGuard, { todoOf }: Situation): PlanEvent[] => {
  if (!notes || !guard.isUntold(id, "notes")) return []
  const known = new Set(notesInReach(todoOf(id)?.notes ?? [], notes.length))
  const added = notes.filter((note) => !known.has(note))
  return added.length > 0 ? [{ type: "todo-changed", id, from: { notes: null }, to: { notes: added } }] : []
}

/** An agent's list that still has the status from before the person's change does not contradict it. */
const refusedStatus = (
  id: string,
  { status }: TodoPatch,
  guard: UntoldGuard,
  { ledger, todoOf }: Situation,
): PlanEvent[] => {
  if (!status || !guard.isHeld(id, "status")) return []
  const { events: made = [] } = ledger.untold.get(personSet(ledger, id, "status")?.entry ?? "") ?? {}
  const isAsBefore = made.some((one) => one.type === "todo-changed" && one.id === id && one.from.status === status)
  return isAsBefore ? [] : [{ type: "todo-refused", content: todoOf(id)?.content ?? "", status }]
}

/**
 * An agent that sends its whole list repeats itself with every call, so only new refusals are reported. An agent that does
 * not know of a removal yet, and still has the todo as it was, has done nothing new.
 */
const newRefusals = (events: readonly PlanEvent[], { refused, removed, untold }: Ledger): readonly PlanEvent[] => {
  if (!events.some(({ type }) => type === "todo-refused")) return events
  const known = new Map<string, TodoStatus>()
  for (const { entry, todo } of removed.values()) if (untold.has(entry)) known.set(normalise(todo.content), todo.status)
  for (const [text, { status }] of refused) known.set(text, status)
  return events.filter((event) => {
    if (event.type !== "todo-refused") return true
    const text = normalise(event.content)
    const isNew = known.get(text) !== event.status
    known.set(text, event.status)
    return isNew
  })
}
