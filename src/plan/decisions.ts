/** What people decided in a plan that continues in another log. The list alone does not say who decided what. */
import type { PlanEvent, TodoDecided } from "./event.ts"
import { isOver } from "./log/burials.ts"
import { adderOf, personSet, setterOf } from "./log/by-person.ts"
import type { Ledger, Stamp } from "./log/ledger.ts"
import { lastTime, wordingsOf } from "./move.ts"
import { sameTodos } from "./same-todos.ts"
import { normalise } from "./text/wording.ts"
import type { Plan, Todo } from "./todo.ts"

type Folded = { readonly plan: Plan; readonly ledger: Ledger }

/** A person's events, with the entry in the moved plan in which they made the decision. */
export type Decision = { stamp: Stamp; events: PlanEvent[] }

export type DecisionsOptions = {
  /** It was started separately, so its ids differ, and later changes here take precedence. @default false */
  isOtherPlan?: boolean
  /** By todo, the entry in which a person last reworded it. The plan does not say so once an agent has reworded it too. */
  rewordings?: ReadonlyMap<string, Stamp>
}

/**
 * Returns what people decided in a plan that has arrived here, if it still counts and is not known here yet: the todos they
 * added, the fields they set, the wordings they replaced, and the todos they removed. Ordered by time.
 */
export const decisionsOf = (
  past: Folded,
  here: Folded,
  { isOtherPlan = false, rewordings = new Map() }: DecisionsOptions = {},
): Decision[] => {
  const decisions = new Map<string, Decision>()
  const decide = (stamp: Stamp, event: PlanEvent): void => {
    const known = decisions.get(stamp.entry) ?? { stamp, events: [] }
    known.events.push(event)
    decisions.set(stamp.entry, known)
  }
  const same = sameTodos(past.plan.todos, here.plan.todos)
  for (const todo of past.plan.todos) {
    const there = same.get(todo.id)
    const reworded = rewordings.get(todo.id)
    if (there) decideTodo({ todo, ledger: past.ledger, reworded }, { todo: there, ledger: here.ledger }, decide)
  }
  const byText = new Map(here.plan.todos.map((todo) => [normalise(todo.content), todo]))
  const known = burialsIn(here.ledger)
  for (const tombstone of past.ledger.removed.values()) {
    const { todo, record, ...stamp } = tombstone
    const isSettled = (text: string): boolean => known.has(text) || isOver(past.ledger.buried, text)
    // A todo that was removed by an undo may come back.
    if (!isPerson(stamp) || stamp.isUndo || wordingsOf(tombstone).every(isSettled)) continue
    const { formerly = [] } = record ?? {}
    const there = isOtherPlan ? byText.get(normalise(todo.content)) : undefined
    if (there && lastTime(here.ledger.todos.get(there.id)) > stamp.at) continue
    const { blockedBy: _, ...rest } = todo
    const buried = isOtherPlan ? { ...rest, id: "" } : rest
    decide(stamp, { type: "todo-buried", todo: buried, ...(formerly.length > 0 ? { formerly: [...formerly] } : {}) })
  }
  return [...decisions.values()].toSorted(({ stamp: one }, { stamp: other }) =>
    one.at < other.at ? -1 : one.at > other.at ? 1 : 0,
  )
}

const decideTodo = (
  { todo, ledger, reworded }: { todo: Todo; ledger: Ledger; reworded: Stamp | undefined },
  here: { todo: Todo; ledger: Ledger },
  decide: (stamp: Stamp, event: TodoDecided) => void,
): void => {
  const record = ledger.todos.get(todo.id)
  if (!record) return
  const { id } = here.todo
  const known = here.ledger.todos.get(id)
  const isSame = (field: string): boolean => fieldOf(todo, field) === fieldOf(here.todo, field)
  const set = Object.keys(record.set).flatMap((field) => {
    const stamp = setterOf(ledger, todo.id, field)
    return stamp ? [{ field, stamp }] : []
  })
  const byEntry = new Map<string, { stamp: Stamp; event: TodoDecided }>()
  const eventOf = (stamp: Stamp): TodoDecided => {
    const { event } = byEntry.get(stamp.entry) ?? { event: { type: "todo-decided", id, fields: [] } }
    byEntry.set(stamp.entry, { stamp, event })
    return event
  }
  const [adder, knownAdder] = [adderOf(ledger, todo.id), adderOf(here.ledger, id)]
  if (adder && isPerson(adder) && !(knownAdder && isPerson(knownAdder))) {
    const changed = set.flatMap(({ field, stamp }) => (isPerson(stamp) ? [] : [field]))
    const differing = [...Object.keys(todo), ...Object.keys(here.todo)].filter(
      (field) => field !== "id" && !isSame(field),
    )
    eventOf(adder).added = { others: [...new Set([...changed, ...differing])] }
  }
  for (const { field, stamp } of set)
    if (isPerson(stamp) && isSame(field) && !personSet(here.ledger, id, field)) {
      const event = eventOf(stamp)
      event.fields = [...event.fields, field]
    }
  const wordings = new Set((known?.formerly ?? []).map(normalise))
  const formerly = (record.formerly ?? []).filter((wording) => !wordings.has(normalise(wording)))
  if (formerly.length > 0 && reworded) eventOf(reworded).formerly = formerly
  for (const { stamp, event } of byEntry.values()) decide(stamp, event)
}

const isPerson = ({ by }: Stamp): boolean => by.kind === "person"

const fieldOf = (todo: Todo, field: string): string =>
  JSON.stringify((Object.hasOwn(todo, field) ? todo[field as keyof Todo] : undefined) ?? null)

/** The texts of todos that a person removed here. */
const burialsIn = ({ removed }: Ledger): ReadonlySet<string> =>
  new Set([...removed.values()].flatMap((one) => (isPerson(one) && !one.isUndo ? wordingsOf(one) : [])))
