/** Applies events to a draft, one function for each kind of event. */

import { isPlanChange, type Place, type PlanEvent, type Settle, type TodoChanged, type TodoPatch } from "../event.ts"
import { isAllDone, isFinished, type Todo } from "../todo.ts"
import { change } from "./change.ts"
import { type Draft, empty, insert, linkAt, naturalEnd, nextId, noticeId, unlink } from "./draft.ts"
import { addPhase, openPhase, removePhase } from "./phases.ts"
import { settling } from "./settle.ts"

export type ApplyOptions = {
  /** Leaves statuses that are held alone when settling. @default false */
  heedsHeld?: boolean
  /** Puts a list away only when all of it is done, never a part of it. @default false */
  keepsListWhole?: boolean
}

/**
 * Applies the events of one entry and returns what really happened, with true old values.
 * Total: an event about a removed todo is a no-op, a colliding new id gets the next free one,
 * also in the later events of the same entry.
 */
export const applyToDraft = (
  draft: Draft,
  events: readonly PlanEvent[],
  settle: Settle = {},
  { heedsHeld = false, keepsListWhole = false }: ApplyOptions = {},
): PlanEvent[] => {
  const renamed = new Map<string, string>()
  const happened: PlanEvent[] = []
  for (const event of events) {
    if (keepsListWhole && isEarlyPutAway(draft, event)) continue
    for (const effect of applyOne(draft, event, renamed)) happened.push(effect)
  }
  for (const effect of settling(draft, settle, heedsHeld)) happened.push(effect)
  if (happened.some(isPlanChange)) {
    draft.revision += 1
    draft.plan = undefined
  }
  return happened
}

const applyOne = (draft: Draft, event: PlanEvent, renamed: Map<string, string>): PlanEvent[] => {
  const current = (id: string): string => renamed.get(id) ?? id
  switch (event.type) {
    case "todo-added":
      return add(draft, event, event.after === undefined ? undefined : current(event.after), renamed)
    case "todo-changed":
      return withKnown(change(draft, current(event.id), withCurrentIds(event.to, current), event.from), event)
    case "todo-removed":
      return remove(draft, current(event.todo.id), event.putsAway)
    case "todo-moved":
      return move(draft, current(event.id), event.after === undefined ? undefined : current(event.after))
    case "phase-added":
      return addPhase(draft, event.name, event.after)
    case "phase-removed":
      return removePhase(draft, event.name)
    case "todo-buried":
      return bury(draft, event)
    case "todo-decided":
      return draft.links.has(current(event.id)) ? [{ ...event, id: current(event.id) }] : []
    case "plan-cleared":
      return clear(draft, new Set(event.todos.map(({ id }) => current(id))), new Set(event.phases ?? []))
    default:
      return [event]
  }
}

/** The effects of a change, with the event's additional information. Most have none. */
const withKnown = (effects: PlanEvent[], { times, byText, former }: TodoChanged): PlanEvent[] => {
  if (!times && !byText && !former) return effects
  const more = { ...(times ? { times } : {}), ...(byText ? { byText } : {}), ...(former ? { former } : {}) }
  return effects.map((effect) => (effect.type === "todo-changed" ? { ...effect, ...more } : effect))
}

const withCurrentIds = (patch: TodoPatch, current: (id: string) => string): TodoPatch =>
  patch.blockedBy ? { ...patch, blockedBy: patch.blockedBy.map(current) } : patch

const add = (
  draft: Draft,
  { todo: wanted, restores, times }: Extract<PlanEvent, { type: "todo-added" }>,
  after: Place | undefined,
  renamed: Map<string, string>,
): PlanEvent[] => {
  // Two who take back one removal bring the todo back once.
  if (restores && draft.links.has(wanted.id)) return []
  const isFree = wanted.id !== "" && !draft.links.has(wanted.id) && (restores || !draft.goneIds.has(wanted.id))
  const id = isFree ? wanted.id : nextId(draft)
  // A blank id names no todo: as a place it stays the very start.
  if (id !== wanted.id && wanted.id !== "") renamed.set(wanted.id, id)
  const { phase, blockedBy, ...fields } = wanted
  const todo: Todo = {
    ...fields,
    id,
    ...(phase === undefined || phase === "" ? {} : { phase }),
    ...(blockedBy ? { blockedBy: blockedBy.map((blocker) => renamed.get(blocker) ?? blocker) } : {}),
  }
  noticeId(draft, id)
  const opened = openPhase(draft, todo.phase)
  const place = linkAt(draft, after) ?? (opened.length > 0 ? draft.list.edge.previous : naturalEnd(draft, todo.phase))
  insert(draft, todo, place)
  const known = { ...(restores ? { restores } : {}), ...(times ? { times } : {}) }
  return [...opened, { type: "todo-added", todo, after: place.item.id, ...known }]
}

const remove = (draft: Draft, id: string, putsAway?: true): PlanEvent[] => {
  const link = draft.links.get(id)
  if (!link) return []
  const { item: todo, previous } = link
  unlink(draft, link)
  if (todo.notes) draft.ownNotes.delete(todo.notes)
  return [{ type: "todo-removed", todo, was: previous.item.id, ...(putsAway ? { putsAway } : {}) }]
}

/** A todo that was never in this list still uses up an id, so that no other gets it later. */
const bury = (draft: Draft, event: Extract<PlanEvent, { type: "todo-buried" }>): PlanEvent[] => {
  const { id: wanted } = event.todo
  const isFree = wanted !== "" && !draft.links.has(wanted) && !draft.goneIds.has(wanted)
  const id = isFree ? wanted : nextId(draft)
  noticeId(draft, id)
  draft.goneIds.add(id)
  return [{ ...event, todo: { ...event.todo, id } }]
}

const move = (draft: Draft, id: string, after: Place | undefined): PlanEvent[] => {
  const link = draft.links.get(id)
  if (!link) return []
  const place = after === undefined ? naturalEnd(draft, link.item.phase) : linkAt(draft, after)
  if (!place || place === link || link.previous === place) return []
  const was = link.previous.item.id
  unlink(draft, link)
  insert(draft, link.item, place)
  return [{ type: "todo-moved", id, after: place.item.id, was }]
}

/** Reports "cleared" only when no todo of the named kind is left; otherwise one by one, so that each position is known. */
const clear = (draft: Draft, ids: ReadonlySet<string>, names: ReadonlySet<string>): PlanEvent[] => {
  if (!has(ids, draft.links) && !has(names, draft.phases)) return []
  const goneIds = [...ids].filter((id) => draft.links.has(id))
  const goneNames = [...names].filter((name) => draft.phases.has(name))
  if (goneIds.length < draft.links.size || (goneNames.length > 0 && goneNames.length < draft.phases.size)) {
    return [...goneIds.flatMap((id) => remove(draft, id)), ...goneNames.flatMap((name) => removePhase(draft, name))]
  }
  const todos = empty(draft)
  const phases = goneNames.length > 0 ? draft.phases.names() : []
  if (phases.length > 0) draft.phases.clear()
  return [{ type: "plan-cleared", todos, phases }]
}

/** It would put a finished list away, but others have added or reopened todos in the meantime. */
const isEarlyPutAway = ({ links }: Draft, event: PlanEvent): boolean => {
  if (event.type !== "plan-cleared" || !isAllDone(event.todos)) return false
  for (const { item } of links.values()) if (!isFinished(item.status)) return true
  return links.size > event.todos.length
}

const has = (names: ReadonlySet<string>, known: { has(name: string): boolean }): boolean => {
  for (const name of names) if (known.has(name)) return true
  return false
}
