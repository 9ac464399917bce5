/** The wording of todos as a person saw it when they changed them, because an id may later mean another todo. */
import type { Actor, Entry, PlanEvent } from "../event.ts"
import { todoById } from "../lookup.ts"
import { planInSight } from "../put-away.ts"
import type { Plan } from "../todo.ts"
import type { Ledger, Untold } from "./ledger.ts"
import { originsIn } from "./origins.ts"

/** What an entry records about the todos in its events, in addition to their ids: where they come from and, for a person, how they were worded. */
export const referencesIn = (
  events: readonly PlanEvent[],
  by: Actor,
  { plan, ledger }: { plan: Plan; ledger: Ledger },
): Pick<Entry, "names" | "origins"> => {
  const names = by.kind === "person" ? namesIn(events, planInSight(plan, ledger)) : undefined
  const origins = originsIn(events, ledger)
  return { ...(names ? { names } : {}), ...(origins ? { origins } : {}) }
}

/** The wordings of the todos that events name, by id; undefined where they name none of the plan. */
const namesIn = (events: readonly PlanEvent[], plan: Plan): Record<string, string> | undefined => {
  const names = events.flatMap(idsIn).flatMap((id) => {
    const todo = todoById(plan, id)
    return todo ? [[id, todo.content] as const] : []
  })
  return names.length > 0 ? Object.fromEntries(names) : undefined
}

const idsIn = (event: PlanEvent): string[] => {
  if (event.type === "todo-removed") return [event.todo.id]
  if (event.type === "plan-cleared") return event.todos.map(({ id }) => id)
  if ("check" in event) return event.check.todo === undefined ? [] : [event.check.todo]
  return "id" in event ? [event.id] : []
}

/**
 * What a person did, in their own words alone: where a todo was worded otherwise before their entry came to count, it is
 * called as they saw it. `contentOf` is for an entry that says no names, and for a todo that started by itself with it.
 */
export const asSeen = (
  { names, events }: Pick<Untold, "names" | "events">,
  contentOf: (id: string) => string,
): { events: readonly PlanEvent[]; contentOf: (id: string) => string } => {
  if (!names) return { events, contentOf }
  const added = events.flatMap((event) => (event.type === "todo-added" ? [event.todo] : []))
  const seen = new Map([...Object.entries(names), ...added.map(({ id, content }) => [id, content] as const)])
  const seenName = (id: string): string => seen.get(id) ?? contentOf(id)
  return { events: events.map((event) => reworded(event, seenName)), contentOf: seenName }
}

const reworded = (event: PlanEvent, contentOf: (id: string) => string): PlanEvent => {
  if (event.type === "todo-removed") return { ...event, todo: { ...event.todo, content: contentOf(event.todo.id) } }
  if (event.type !== "todo-changed" || event.from.content === undefined) return event
  return { ...event, from: { ...event.from, content: contentOf(event.id) } }
}
