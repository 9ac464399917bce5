/** What an agent has not been told yet of a person's change, which may have more parts than one notice has room for. */
import type { PlanEvent } from "../event.ts"
import type { Ledger, Untold } from "./ledger.ts"

/** Whether the agent does not know yet what a change did to a todo. */
export const isUntoldAbout = ({ untold }: Pick<Ledger, "untold">, entry: string, id: string): boolean => {
  const change = untold.get(entry)
  return change !== undefined && (!change.told || (lastEvents(change.events).get(id) ?? -1) >= change.told)
}

/** By todo, the position of the last event about it. Found once for each change, however many parts it is told in. */
const lastEvents = (events: readonly PlanEvent[]): ReadonlyMap<string, number> => {
  const known = positions.get(events) ?? new Map(events.flatMap((event, at) => todosIn(event).map((id) => [id, at])))
  positions.set(events, known)
  return known
}

const positions = new WeakMap<readonly PlanEvent[], ReadonlyMap<string, number>>()

const todosIn = (event: PlanEvent): readonly string[] => {
  if ("todo" in event) return [event.todo.id]
  if (event.type === "plan-cleared") return event.todos.map(({ id }) => id)
  return "id" in event ? [event.id] : []
}

/** The part of a change that the agent has not been told about. */
export const restOf = ({ told = 0, ...change }: Untold): Untold =>
  told === 0 ? change : partOf(change, told, change.events.length)

/** Those of its events alone. A todo that was added by an earlier one is called as it was worded then. */
export const partOf = (change: Untold, from: number, to: number): Untold => {
  const { names, events } = change
  const added = events.slice(0, from).flatMap((event) => (event.type === "todo-added" ? [event.todo] : []))
  const known = names && { names: { ...names, ...Object.fromEntries(added.map(({ id, content }) => [id, content])) } }
  return { ...change, events: events.slice(from, to), ...known }
}
