/** A plan while it changes: an ordered list and indexes, so that each event costs the same in a plan of any size. */
import type { Place } from "../event.ts"
import { type Counts, isRemembered, noCounts, rememberPlan } from "../lookup.ts"
import type { Plan, Todo } from "../todo.ts"
import { createOrderedList, type Link, type OrderedList } from "./ordered-list.ts"
import { createPhaseEnds, type PhaseEnds } from "./phase-ends.ts"
import { createPhaseList, type PhaseList } from "./phase-list.ts"
import { createWorkQueue, type WorkQueue } from "./work-queue.ts"

export type Draft = {
  /** The id of its edge, `""`, is the place "at the very start". */
  list: OrderedList<Todo>
  links: Map<string, Link<Todo>>
  phases: PhaseList
  /** Ids of removed todos, which are never reused. */
  goneIds: Set<string>
  /** The highest number that was an id; counted when a new one is first asked for. */
  highestId: number | undefined
  counts: Counts
  /** Lists of notes that only the draft holds, so that they can be changed in place: copying costs more with each note. */
  ownNotes: WeakSet<readonly string[]>
  /** Ids of todos whose status is a person's: what settles an agent's entry leaves it alone. */
  held: Set<string>
  /** Made when first asked for: few plans need them. */
  ends: PhaseEnds | undefined
  work: WorkQueue | undefined
  revision: number
  /** The current plan, built on request. */
  plan: Plan | undefined
  /** The last plan made, and the todos that changed in place since; undefined once one came, went or moved. */
  last: { plan: Plan; changed: Set<string>; uses: number; positions?: Map<string, number> } | undefined
}

export const createDraft = (plan: Plan, goneIds: Iterable<string> = []): Draft => {
  const list = createOrderedList<Todo>({ id: "", content: "", status: "pending" })
  const draft: Draft = {
    list,
    links: new Map(),
    phases: createPhaseList(plan.phases),
    goneIds: new Set(goneIds),
    highestId: undefined,
    counts: noCounts(),
    ownNotes: new WeakSet(),
    held: new Set(),
    ends: undefined,
    work: undefined,
    revision: plan.revision,
    plan,
    last: undefined,
  }
  for (const todo of plan.todos) insert(draft, todo, list.edge.previous)
  draft.plan = plan
  return draft
}

export const todoIn = (draft: Draft, id: string): Todo | undefined => draft.links.get(id)?.item

/**
 * Lets others find todos of the plan through the draft. Only for a draft that lives on: keeping the plan also keeps
 * the draft.
 */
export const introducePlan = (draft: Draft, plan: Plan): void => {
  if (isRemembered(plan)) return
  const byId = (id: string): Todo | undefined => (draft.plan === plan ? todoIn(draft, id) : undefined)
  rememberPlan(plan, { byId, counts: { ...draft.counts } })
}

export const planOf = (draft: Draft): Plan => {
  if (draft.plan) return draft.plan
  const todos = patchedTodos(draft) ?? draft.list.items()
  const plan: Plan = { todos, phases: draft.phases.names(), revision: draft.revision }
  const { positions, uses = 0 } = draft.last ?? {}
  draft.plan = plan
  draft.ownNotes = new WeakSet()
  draft.last = { plan, changed: new Set(), uses: uses + 1, ...(positions ? { positions } : {}) }
  return plan
}

/** Where todos only changed in place, the last list with those replaced: a large plan is not walked for a small change. */
const patchedTodos = ({ last, links }: Draft): Todo[] | undefined => {
  // Knowing every place costs as much as a walk: it pays from the second small change on.
  if (!last || last.uses < 2) return undefined
  last.positions ??= new Map(last.plan.todos.map(({ id }, index) => [id, index]))
  const todos = [...last.plan.todos]
  for (const id of last.changed) {
    const position = last.positions.get(id)
    const todo = links.get(id)?.item
    if (position === undefined || !todo) return undefined
    todos[position] = todo
  }
  return todos
}

export const insert = (draft: Draft, todo: Todo, previous: Link<Todo>): void => {
  const link = draft.list.insert(todo, previous)
  draft.links.set(todo.id, link)
  draft.goneIds.delete(todo.id)
  draft.counts[todo.status] += 1
  draft.phases.count(todo.phase, 1)
  draft.ends?.add(link)
  draft.work?.add(link, draft.held.has(todo.id))
  draft.plan = undefined
  draft.last = undefined
}

export const unlink = (draft: Draft, link: Link<Todo>): void => {
  const { id, status, phase } = link.item
  draft.ends?.remove(link)
  draft.work?.remove(link)
  draft.list.remove(link)
  draft.links.delete(id)
  draft.goneIds.add(id)
  draft.counts[status] -= 1
  draft.phases.count(phase, -1)
  draft.plan = undefined
  draft.last = undefined
}

/** Puts another version of a todo in its place. */
export const replace = (draft: Draft, link: Link<Todo>, todo: Todo): void => {
  const { id, status, phase } = link.item
  const isElsewhere = phase !== todo.phase
  const isOther = isElsewhere || status !== todo.status
  if (isElsewhere) draft.ends?.remove(link)
  if (isOther) draft.work?.remove(link)
  link.item = todo
  if (isElsewhere) {
    draft.ends?.add(link)
    draft.phases.count(phase, -1)
    draft.phases.count(todo.phase, 1)
  }
  if (isOther) draft.work?.add(link, draft.held.has(id))
  draft.counts[status] -= 1
  draft.counts[todo.status] += 1
  draft.plan = undefined
  draft.last?.changed.add(id)
}

/** Removes all todos, and returns them. */
export const empty = (draft: Draft): Todo[] => {
  const gone = draft.list.items()
  for (const { id, phase } of gone) {
    draft.goneIds.add(id)
    draft.phases.count(phase, -1)
  }
  draft.list.clear()
  draft.links.clear()
  draft.ownNotes = new WeakSet()
  draft.ends = undefined
  draft.work = undefined
  draft.counts = noCounts()
  draft.last = undefined
  return gone
}

/** Says whether the status of a todo is a person's. */
export const hold = (draft: Draft, id: string, isHeld: boolean): void => {
  if (draft.held.has(id) === isHeld) return
  const link = draft.links.get(id)
  if (link) draft.work?.remove(link)
  if (isHeld) draft.held.add(id)
  else draft.held.delete(id)
  if (link) draft.work?.add(link, isHeld)
}

export const linkAt = (draft: Draft, place: Place | undefined): Link<Todo> | undefined =>
  place === "" ? draft.list.edge : place === undefined ? undefined : draft.links.get(place)

/** The position of a todo that names none: after the last of its phase, otherwise of the list. */
export const naturalEnd = (draft: Draft, phase: string | undefined): Link<Todo> => {
  const { edge } = draft.list
  if (phase === undefined) return edge.previous
  if (!draft.ends) {
    draft.ends = createPhaseEnds()
    for (let link = edge.next; link !== edge; link = link.next) draft.ends.add(link)
  }
  return draft.ends.last(phase) ?? edge.previous
}

export const workOf = (draft: Draft): WorkQueue => {
  if (!draft.work) {
    const { edge } = draft.list
    draft.work = createWorkQueue(draft.phases)
    for (let link = edge.next; link !== edge; link = link.next) draft.work.add(link, draft.held.has(link.item.id))
  }
  return draft.work
}

/** An id that no todo of the plan has or had. */
export const nextId = (draft: Draft): string => {
  let highest =
    draft.highestId ?? [...draft.links.keys(), ...draft.goneIds].reduce((most, id) => Math.max(most, numberOf(id)), 0)
  do highest += 1
  while (draft.links.has(String(highest)) || draft.goneIds.has(String(highest)))
  draft.highestId = highest
  return String(highest)
}

/** Counts an id that was given from outside. */
export const noticeId = (draft: Draft, id: string): void => {
  if (draft.highestId !== undefined) draft.highestId = Math.max(draft.highestId, numberOf(id))
}

/** The number an id is, 0 where it is none. */
const numberOf = (id: string): number => (/^\d{1,15}$/.test(id) ? Number(id) : 0)
