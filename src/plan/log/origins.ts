/**
 * Which todo an entry means. Branches of a repository can give one number to two todos, so an entry also says which entry
 * added each todo it names; the fold uses that if the number means another todo by then.
 */
import type { Entry, PlanEvent, TodoPatch } from "../event.ts"
import type { Todo } from "../todo.ts"
import type { Ledger, MutableLedger } from "./ledger.ts"

/** The entry that added a todo, and its id in that entry. */
export type Origin = { entry: string; id: string }

/** The origins of the todos an entry names: by adding entry, the id the writer saw and the id in the adding entry. */
export type Origins = Record<string, Record<string, string>>

type TodoAdded = Extract<PlanEvent, { type: "todo-added" }>

const isAdded = (event: PlanEvent): event is TodoAdded => event.type === "todo-added"

export const originOf = ({ todos, removed }: Ledger, id: string): Origin | undefined => {
  const record = todos.get(id) ?? removed.get(id)?.record
  return record && (record.origin ?? { entry: record.added.entry, id })
}

const isFrom = ({ todos, removed }: Ledger, id: string, entry: string, idThere: string): boolean => {
  const record = todos.get(id) ?? removed.get(id)?.record
  if (!record) return false
  return record.origin
    ? record.origin.entry === entry && record.origin.id === idThere
    : record.added.entry === entry && id === idThere
}

/** The origins of the todos that events name and that a plan has or had; undefined where they name none. */
export const originsIn = (events: readonly PlanEvent[], ledger: Ledger): Origins | undefined => {
  const origins = new Map<string, Map<string, string>>()
  for (const id of events.flatMap(idsNamedIn)) {
    const origin = originOf(ledger, id)
    if (!origin) continue
    const ids = origins.get(origin.entry) ?? new Map<string, string>()
    origins.set(origin.entry, ids.set(id, origin.id))
  }
  if (origins.size === 0) return undefined
  return Object.fromEntries([...origins].map(([entry, ids]) => [entry, Object.fromEntries(ids)]))
}

const idsNamedIn = (event: PlanEvent): readonly string[] => {
  const after = "after" in event && event.after !== undefined ? [event.after] : []
  switch (event.type) {
    case "todo-added":
      return [...(event.restores ? [event.todo.id] : []), ...(event.todo.blockedBy ?? []), ...after]
    case "todo-changed":
      return [event.id, ...(event.to.blockedBy ?? [])]
    case "todo-removed":
      return [event.todo.id]
    case "todo-moved":
      return [event.id, ...after]
    case "todo-claimed":
    case "todo-released":
    case "todo-decided":
      return [event.id]
    case "plan-cleared":
      return event.todos.map(({ id }) => id)
    default:
      return []
  }
}

export type OriginIndex = {
  /** The entry with the ids its todos have in this log; events about todos that are not in this log are left out. */
  withCurrentIds(entry: Entry): Entry
  /** Keeps where the todos an entry added come from. `taken` are its events as they were applied, `happened` what they did. */
  keep(entry: Entry, current: Entry, taken: readonly PlanEvent[], happened: readonly PlanEvent[]): void
}

/** `newId` gives an id that was never used, `isUsed` says whether one was. */
export const createOriginIndex = (
  ledger: MutableLedger,
  isUsed: (id: string) => boolean,
  newId: () => string,
): OriginIndex => {
  /** The present id by adding entry and id there. Made when the first number turns out to mean another todo. */
  let ids: Map<string, Map<string, string>> | undefined
  const learn = (index: Map<string, Map<string, string>>, id: string): void => {
    const origin = originOf(ledger, id)
    if (!origin) return
    const added = index.get(origin.entry) ?? new Map<string, string>()
    if (!added.has(origin.id)) added.set(origin.id, id)
    index.set(origin.entry, added)
  }
  const currentId = ({ entry, id }: Origin): string | undefined => {
    if (!ids) {
      ids = new Map()
      for (const known of [...ledger.todos.keys(), ...ledger.removed.keys()]) learn(ids, known)
    }
    return ids.get(entry)?.get(id)
  }
  /** The ids that mean another todo here than they did to the writer, with what they are here; undefined for none. */
  const strayIds = ({ origins }: Entry): Map<string, string | undefined> | undefined => {
    let stray: Map<string, string | undefined> | undefined
    // Every entry of every log comes this way: nothing is made for those, nearly all, whose ids mean the same here.
    for (const entry in origins) {
      const named = origins[entry]
      for (const id in named) {
        const idThere = named[id] ?? ""
        if (isFrom(ledger, id, entry, idThere)) continue
        stray ??= new Map()
        stray.set(id, currentId({ entry, id: idThere }))
      }
    }
    return stray
  }
  return {
    withCurrentIds(entry) {
      const stray = strayIds(entry)
      if (!stray) return entry
      const current = (id: string): string | undefined => (stray.has(id) ? stray.get(id) : id)
      const events = entry.events.flatMap((event) => {
        if (!isAdded(event) || event.restores || !isUsed(event.todo.id)) return renamedIn(event, current)
        const fresh = newId()
        const added = renamedIn({ ...event, todo: { ...event.todo, id: fresh } }, current)
        stray.set(event.todo.id, fresh)
        return added
      })
      const names = Object.entries(entry.names ?? {}).flatMap(([id, name]) => {
        const here = current(id)
        return here === undefined ? [] : [[here, name] as const]
      })
      return { ...entry, events, ...(entry.names ? { names: Object.fromEntries(names) } : {}) }
    },
    keep(entry, current, taken, happened) {
      if (!current.events.some(isAdded)) return
      const written = current.events.filter(isAdded)
      const idsThere = new Map(idsAddedBy(entry).map((id, index) => [written[index], id]))
      const added = happened.filter(isAdded)
      for (const [index, event] of taken.filter(isAdded).entries()) {
        const id = added[index]?.todo.id ?? ""
        const record = ledger.todos.get(id)
        const idThere = idsThere.get(event)
        if (record && !record.origin && idThere !== undefined && idThere !== id) {
          ledger.todos.set(id, { ...record, origin: { entry: entry.id, id: idThere } })
        }
        if (ids) learn(ids, id)
      }
    },
  }
}

/** The ids an entry adds todos under, made different where it gives none or one twice. */
const idsAddedBy = ({ events }: Entry): string[] => {
  const used = new Set<string>()
  return events.filter(isAdded).map(({ todo }, index) => {
    const id = todo.id === "" || used.has(todo.id) ? `${todo.id}#${index}` : todo.id
    used.add(id)
    return id
  })
}

/** The event with other ids; nothing where it is about a todo that has none. */
export const renamedIn = (event: PlanEvent, current: (id: string) => string | undefined): PlanEvent[] => {
  const todos = (ids: readonly string[]): string[] => ids.flatMap((id) => current(id) ?? [])
  const place = (after: string | undefined): { after?: string } => {
    const here = after === undefined || after === "" ? after : current(after)
    return here === undefined ? {} : { after: here }
  }
  const blockers = <Fields extends Todo | TodoPatch>(fields: Fields): Fields =>
    fields.blockedBy ? { ...fields, blockedBy: todos(fields.blockedBy) } : fields
  const id = "id" in event ? current(event.id) : undefined
  if ("id" in event && id === undefined) return []
  switch (event.type) {
    case "todo-added": {
      const { after, restores, ...rest } = event
      const own = restores ? current(event.todo.id) : event.todo.id
      // What was never here cannot come back: it is new, and its number may be another's.
      const isBack = restores && own !== undefined ? { restores } : {}
      return [{ ...rest, todo: { ...blockers(event.todo), id: own ?? event.todo.id }, ...isBack, ...place(after) }]
    }
    case "todo-changed":
      return [{ ...event, id: id ?? "", to: blockers(event.to) }]
    case "todo-removed":
      return todos([event.todo.id]).map((here) => ({ ...event, todo: { ...event.todo, id: here } }))
    case "todo-moved": {
      const { after, ...rest } = event
      return [{ ...rest, id: id ?? "", ...place(after) }]
    }
    case "todo-claimed":
    case "todo-released":
    case "todo-decided":
      return [{ ...event, id: id ?? "" }]
    case "plan-cleared":
      return [
        {
          ...event,
          todos: event.todos.flatMap((todo) => todos([todo.id]).map((here) => ({ ...todo, id: here }))),
        },
      ]
    default:
      return [event]
  }
}
