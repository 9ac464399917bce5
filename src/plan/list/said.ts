/** When an agent last said what its list says. A call that changes single todos says nothing about the others. */
import type { PlanEvent } from "../event.ts"

/** A time is null where the call has none. */
export type Said = {
  /** The last call that said the whole list. Absent if none did. */
  readonly whole?: string | null
  /** The last call after it that removed todos. */
  readonly removed?: string | null
  /** The agent's own ids of todos that it removed for good, whether its list had them or not. */
  readonly gone?: readonly string[]
  /** By todo and field, the last call after it that changed the field. */
  readonly fields?: Readonly<Record<string, Readonly<Record<string, string | null>>>>
}

/** After a call that said the whole list, also where nothing in it was new. */
export const saidWhole = (at: string | undefined): Said => ({ whole: at ?? null })

/** After a call that changed a list as these events say. */
export const saidAfter = (said: Said, events: readonly PlanEvent[], at: string | undefined): Said => {
  const time = at ?? null
  const gone = new Set(events.flatMap(idsGone))
  const fields = new Map(Object.entries(said.fields ?? {}).filter(([id]) => !gone.has(id)))
  for (const event of events) {
    if (event.type !== "todo-changed") continue
    const changed = Object.keys(event.to).map((field) => [field, time] as const)
    fields.set(event.id, { ...fields.get(event.id), ...Object.fromEntries(changed) })
  }
  return {
    ...said,
    ...(gone.size > 0 ? { removed: time } : {}),
    ...(fields.size > 0 || said.fields ? { fields: Object.fromEntries(fields) } : {}),
  }
}

/** After a call that removed todos with these ids of the agent. */
export const saidGone = (said: Said, ids: readonly string[]): Said => ({
  ...said,
  gone: [...new Set([...(said.gone ?? []), ...ids])],
})

/** When the agent last said what a field of a todo is, as far as it changed it: null if at an unknown time, "" if never. */
export const fieldSaid = ({ whole = "", fields = {} }: Said, id: string, field: string): string | null => {
  const { [field]: own = whole } = (Object.hasOwn(fields, id) && fields[id]) || {}
  return own
}

/** Whether it has reworded a todo in a call that names it. */
export const isRewordedIn = ({ fields = {} }: Said, id: string): boolean =>
  Object.hasOwn(fields, id) && Object.hasOwn(fields[id] ?? {}, "content")

/** When it last said which todos there are, in the same way. */
export const absenceSaid = ({ whole = "", removed = whole }: Said): string | null => removed

const idsGone = (event: PlanEvent): readonly string[] => {
  if (event.type === "todo-removed") return [event.todo.id]
  return event.type === "plan-cleared" ? event.todos.map(({ id }) => id) : []
}
