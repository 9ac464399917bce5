/** A plan while it changes: a linked list and an index, so that each event costs the same in a plan of any size. */
import { isPlanChange, type Place, type PlanEvent, type Settle, type TodoPatch } from "./event.ts"
import { type Counts, isRemembered, noCounts, rememberPlan } from "./lookup.ts"
import { addedNotes, briefNotes, withMergedNotes } from "./notes.ts"
import { createPhaseList, type PhaseList } from "./phase-list.ts"
import { isFinished, type Plan, type Todo } from "./todo.ts"

type Link = { todo: Todo; previous: Link; next: Link }

export type Draft = {
  /** Stands before the first and after the last todo; its id `""` is the place "at the very start". */
  edge: Link
  links: Map<string, Link>
  phases: PhaseList
  /** Ids of todos that are gone: none is given twice. */
  goneIds: Set<string>
  /** The highest number that was an id; counted when a new one is first asked for. */
  highestId: number | undefined
  counts: Counts
  /** Lists of notes that only the draft holds, so that a note can be added in place: copying costs more with each one. */
  ownNotes: WeakSet<readonly string[]>
  /** The last todo of a phase, where it is known: new ones go behind it. */
  ends: Map<string, Link>
  revision: number
  /** The plan as it stands, made on request. */
  plan: Plan | undefined
  /** The last plan made, and the todos that changed in place since; undefined once one came, went or moved. */
  last: { plan: Plan; changed: Set<string>; uses: number; positions?: Map<string, number> } | undefined
}

export const createDraft = (plan: Plan, goneIds: Iterable<string> = []): Draft => {
  const edge = { todo: { id: "", content: "", status: "pending" } } as Link
  edge.previous = edge
  edge.next = edge
  const draft: Draft = {
    edge,
    links: new Map(),
    phases: createPhaseList(plan.phases),
    goneIds: new Set(goneIds),
    highestId: undefined,
    counts: noCounts(),
    ownNotes: new WeakSet(),
    ends: new Map(),
    revision: plan.revision,
    plan,
    last: undefined,
  }
  for (const todo of plan.todos) insert(draft, todo, edge.previous)
  draft.plan = plan
  return draft
}

/**
 * Lets others find todos of the plan through the draft. Only for a draft that lives on: keeping the plan also keeps
 * the draft.
 */
export const introducePlan = (draft: Draft, plan: Plan): void => {
  if (isRemembered(plan)) return
  const byId = (id: string): Todo | undefined => (draft.plan === plan ? draft.links.get(id)?.todo : undefined)
  rememberPlan(plan, { byId, counts: { ...draft.counts } })
}

export const planOf = (draft: Draft): Plan => {
  if (draft.plan) return draft.plan
  const todos = patchedTodos(draft) ?? todosOf(draft)
  const plan: Plan = { todos, phases: draft.phases.names(), revision: draft.revision }
  const { positions, uses = 0 } = draft.last ?? {}
  draft.plan = plan
  draft.ownNotes = new WeakSet()
  draft.last = { plan, changed: new Set(), uses: uses + 1, ...(positions ? { positions } : {}) }
  return plan
}

const todosOf = (draft: Draft): Todo[] => {
  const todos: Todo[] = []
  for (let link = draft.edge.next; link !== draft.edge; link = link.next) todos.push(link.todo)
  return todos
}

/** Where todos only changed in place, the last list with those replaced: a large plan is not walked for a small change. */
const patchedTodos = ({ last, links }: Draft): Todo[] | undefined => {
  // Knowing every place costs as much as a walk: it pays from the second small change on.
  if (!last || last.uses < 2) return undefined
  last.positions ??= new Map(last.plan.todos.map(({ id }, index) => [id, index]))
  const todos = [...last.plan.todos]
  for (const id of last.changed) {
    const position = last.positions.get(id)
    const todo = links.get(id)?.todo
    if (position === undefined || !todo) return undefined
    todos[position] = todo
  }
  return todos
}

/**
 * Applies the events of one entry and returns what really happened, with true old values.
 * Total: an event about a todo that is gone is a no-op, a colliding new id gets the next free one,
 * also in the later events of the same entry. A status that is held is not settled otherwise.
 */
export const applyToDraft = (
  draft: Draft,
  events: readonly PlanEvent[],
  settle: Settle = {},
  isHeld: (todo: Todo) => boolean = () => false,
): PlanEvent[] => {
  const renamed = new Map<string, string>()
  const happened: PlanEvent[] = []
  for (const event of events) for (const effect of applyOne(draft, event, renamed)) happened.push(effect)
  for (const effect of settling(draft, settle, isHeld)) happened.push(effect)
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
      return change(draft, current(event.id), withCurrentIds(event.to, current), event.from)
    case "todo-removed":
      return remove(draft, current(event.todo.id))
    case "todo-moved":
      return move(draft, current(event.id), event.after === undefined ? undefined : current(event.after))
    case "phase-added":
      return addPhase(draft, event.name, event.after)
    case "phase-removed":
      return removePhase(draft, event.name)
    case "plan-cleared":
      return clear(draft, new Set(event.todos.map(({ id }) => current(id))), new Set(event.phases ?? []))
    default:
      return [event]
  }
}

const add = (
  draft: Draft,
  { todo: wanted, restores }: Extract<PlanEvent, { type: "todo-added" }>,
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
  if (draft.highestId !== undefined) draft.highestId = Math.max(draft.highestId, numberOf(id))
  const opened = openPhase(draft, todo.phase)
  const place = linkAt(draft, after) ?? (opened.length > 0 ? draft.edge.previous : naturalEnd(draft, todo.phase))
  insert(draft, todo, place)
  return [...opened, { type: "todo-added", todo, after: place.todo.id, ...(restores ? { restores } : {}) }]
}

/** The fields a change may set, and whether it may also take them away. */
const isOptional: Record<keyof TodoPatch, boolean> = {
  content: false,
  status: false,
  activeForm: true,
  phase: true,
  notes: true,
  description: true,
  priority: true,
  blockedBy: true,
  owner: true,
  reason: true,
  waitsFor: true,
  extra: true,
}

const isField = (name: string): name is keyof TodoPatch => Object.hasOwn(isOptional, name)

const change = (draft: Draft, id: string, patch: TodoPatch, seen?: TodoPatch): PlanEvent[] => {
  const link = draft.links.get(id)
  if (!link) return []
  const from: Record<string, unknown> = {}
  const changed: Record<string, unknown> = {}
  const added = addInPlace(draft, link.todo, patch, seen)
  if (added) {
    from.notes = null
    changed.notes = added
  }
  const { notes: _, ...others } = patch
  const to = added ? others : withMergedNotes(patch, seen?.notes ?? [], link.todo.notes ?? [])
  const todo: Record<string, unknown> = { ...link.todo }
  for (const [field, given] of Object.entries(to)) {
    const value = field === "phase" && given === "" ? null : given
    if (!isField(field) || value === undefined || (value === null && !isOptional[field])) continue
    const old = todo[field] ?? null
    if (isSame(old, value)) continue
    from[field] = old
    changed[field] = value
    if (value === null) delete todo[field]
    else todo[field] = value
  }
  if (Object.keys(changed).length === 0) return []
  draft.counts[link.todo.status] -= 1
  if ("phase" in changed) {
    draft.ends.delete(link.todo.phase ?? "")
    draft.ends.delete((todo.phase as string | undefined) ?? "")
    draft.phases.count(link.todo.phase, -1)
    draft.phases.count(todo.phase as string | undefined, 1)
  }
  link.todo = todo as Todo
  draft.counts[link.todo.status] += 1
  draft.plan = undefined
  draft.last?.changed.add(id)
  const opened = openPhase(draft, link.todo.phase)
  const told = briefNotes(from as TodoPatch, changed as TodoPatch)
  // Told in brief, the whole list is known to the draft alone.
  if (link.todo.notes && told.to.notes && told.to.notes !== link.todo.notes) draft.ownNotes.add(link.todo.notes)
  return [...opened, { type: "todo-changed", id, ...told }]
}

/** Adds notes to a list that only the draft holds, and returns those; undefined where the change is another. */
const addInPlace = (draft: Draft, { notes }: Todo, patch: TodoPatch, seen?: TodoPatch): string[] | undefined => {
  if (!notes || !draft.ownNotes.has(notes)) return undefined
  const added = addedNotes(patch, seen?.notes ?? [])
  if (!added || added.length === 0) return undefined
  for (const note of added) (notes as string[]).push(note)
  return added
}

const remove = (draft: Draft, id: string): PlanEvent[] => {
  const link = draft.links.get(id)
  if (!link) return []
  const was = link.previous.todo.id
  unlink(draft, link)
  return [{ type: "todo-removed", todo: link.todo, was }]
}

const move = (draft: Draft, id: string, after: Place | undefined): PlanEvent[] => {
  const link = draft.links.get(id)
  if (!link) return []
  const place = after === undefined ? naturalEnd(draft, link.todo.phase) : linkAt(draft, after)
  if (!place || place === link || link.previous === place) return []
  const was = link.previous.todo.id
  unlink(draft, link)
  insert(draft, link.todo, place)
  return [{ type: "todo-moved", id, after: place.todo.id, was }]
}

const addPhase = (draft: Draft, name: string, after: Place | undefined): PlanEvent[] => {
  const { phases } = draft
  const isPlace = after === "" || (after !== undefined && after !== name && phases.has(after))
  const was = phases.has(name) ? phases.before(name) : undefined
  if (name === "" || (was !== undefined && (!isPlace || after === was))) return []
  phases.remove(name)
  const place = isPlace ? after : phases.last()
  phases.put(name, place)
  return [{ type: "phase-added", name, after: place, ...(was === undefined ? {} : { was }) }]
}

/** A phase comes with its first todo, as an event of its own, so that it also goes when that is undone. */
const openPhase = (draft: Draft, name: string | undefined): PlanEvent[] =>
  name === undefined || draft.phases.has(name) ? [] : addPhase(draft, name, undefined)

const removePhase = (draft: Draft, name: string): PlanEvent[] => {
  if (!draft.phases.has(name) || draft.phases.isUsed(name)) return []
  const was = draft.phases.before(name)
  draft.phases.remove(name)
  return [{ type: "phase-removed", name, was }]
}

/** Says "cleared" only when nothing of the kind named is left; otherwise one by one, so that each place is known. */
const clear = (draft: Draft, ids: ReadonlySet<string>, names: ReadonlySet<string>): PlanEvent[] => {
  if (!has(ids, draft.links) && !has(names, draft.phases)) return []
  const goneIds = [...ids].filter((id) => draft.links.has(id))
  const goneNames = [...names].filter((name) => draft.phases.has(name))
  if (goneIds.length < draft.links.size || (goneNames.length > 0 && goneNames.length < draft.phases.size)) {
    return [...goneIds.flatMap((id) => remove(draft, id)), ...goneNames.flatMap((name) => removePhase(draft, name))]
  }
  const gone = todosOf(draft)
  const phases = goneNames.length > 0 ? draft.phases.names() : []
  for (const { id, phase } of gone) {
    draft.goneIds.add(id)
    draft.phases.count(phase, -1)
  }
  draft.links.clear()
  draft.ownNotes = new WeakSet()
  draft.ends.clear()
  draft.counts = noCounts()
  draft.last = undefined
  draft.edge.previous = draft.edge
  draft.edge.next = draft.edge
  if (phases.length > 0) draft.phases.clear()
  return [{ type: "plan-cleared", todos: gone, phases }]
}

const has = (names: ReadonlySet<string>, known: { has(name: string): boolean }): boolean => {
  for (const name of names) if (known.has(name)) return true
  return false
}

const settling = (
  draft: Draft,
  { oneActive = false, autoStart = false }: Settle,
  isHeld: (todo: Todo) => boolean,
): PlanEvent[] => {
  // Most changes leave one todo in progress, or nothing to begin: then a large list need not be walked.
  const { in_progress: begun, pending } = draft.counts
  const isSettled = begun === 1 || (begun === 0 ? !autoStart || pending === 0 : !oneActive)
  if ((!oneActive && !autoStart) || isSettled) return []
  if (begun === 0) {
    const next = firstOf(draft, (todo) => todo.status === "pending" && !isHeld(todo))
    return next ? change(draft, next.id, { status: "in_progress" }) : []
  }
  const ordered = inPhaseOrder({ todos: todosOf(draft), phases: draft.phases.names() })
  const active = ordered.filter(({ status }) => status === "in_progress")
  const first = active.find(isHeld) ?? active[0]
  const others = active.filter((todo) => todo !== first && !isHeld(todo))
  return others.flatMap(({ id }) => change(draft, id, { status: "pending" }))
}

/** The first todo, as a person reads them, that something holds for. */
const firstOf = (draft: Draft, isMeant: (todo: Todo) => boolean): Todo | undefined => {
  const rankOf = phaseRank(draft.phases.names())
  let first: { todo: Todo; rank: number } | undefined
  for (let link = draft.edge.next; link !== draft.edge; link = link.next) {
    const rank = rankOf(link.todo)
    if ((first === undefined || rank < first.rank) && isMeant(link.todo)) first = { todo: link.todo, rank }
  }
  return first?.todo
}

/** The todos as a person reads them: those without a phase first, then phase by phase. */
export const inPhaseOrder = ({ todos, phases }: Pick<Plan, "todos" | "phases">): readonly Todo[] => {
  if (phases.length === 0) return todos
  const rankOf = phaseRank(phases)
  return todos.toSorted((one, other) => rankOf(one) - rankOf(other))
}

const phaseRank = (phases: readonly string[]): ((todo: Todo) => number) => {
  const rank = new Map(phases.map((name, index) => [name, index]))
  return ({ phase }) => (phase === undefined ? -1 : (rank.get(phase) ?? phases.length))
}

/** Actionable means an agent can go on with it: not finished, not blocked. */
export const isActionable = ({ status }: Todo): boolean => status !== "blocked" && !isFinished(status)

const insert = (draft: Draft, todo: Todo, previous: Link): void => {
  const link: Link = { todo, previous, next: previous.next }
  if (todo.phase !== undefined) {
    if (draft.ends.get(todo.phase) === previous) draft.ends.set(todo.phase, link)
    else draft.ends.delete(todo.phase)
  }
  previous.next.previous = link
  previous.next = link
  draft.links.set(todo.id, link)
  draft.goneIds.delete(todo.id)
  draft.counts[todo.status] += 1
  draft.phases.count(todo.phase, 1)
  draft.plan = undefined
  draft.last = undefined
}

const unlink = (draft: Draft, link: Link): void => {
  link.previous.next = link.next
  link.next.previous = link.previous
  if (draft.ends.get(link.todo.phase ?? "") === link) draft.ends.delete(link.todo.phase ?? "")
  draft.links.delete(link.todo.id)
  if (link.todo.notes) draft.ownNotes.delete(link.todo.notes)
  draft.goneIds.add(link.todo.id)
  draft.counts[link.todo.status] -= 1
  draft.phases.count(link.todo.phase, -1)
  draft.plan = undefined
  draft.last = undefined
}

const linkAt = (draft: Draft, place: Place | undefined): Link | undefined =>
  place === "" ? draft.edge : place === undefined ? undefined : draft.links.get(place)

const naturalEnd = (draft: Draft, phase: string | undefined): Link => {
  if (phase === undefined) return draft.edge.previous
  const known = draft.ends.get(phase)
  if (known) return known
  for (let link = draft.edge.previous; link !== draft.edge; link = link.previous) {
    if (link.todo.phase !== phase) continue
    draft.ends.set(phase, link)
    return link
  }
  return draft.edge.previous
}

/** The number an id is, 0 where it is none. */
const numberOf = (id: string): number => (/^\d{1,15}$/.test(id) ? Number(id) : 0)

/** An id that no todo of the plan has or had. */
export const nextId = (draft: Draft): string => {
  let highest =
    draft.highestId ?? [...draft.links.keys(), ...draft.goneIds].reduce((most, id) => Math.max(most, numberOf(id)), 0)
  do highest += 1
  while (draft.links.has(String(highest)) || draft.goneIds.has(String(highest)))
  draft.highestId = highest
  return String(highest)
}

const withCurrentIds = (patch: TodoPatch, current: (id: string) => string): TodoPatch =>
  patch.blockedBy ? { ...patch, blockedBy: patch.blockedBy.map(current) } : patch

const isSame = (one: unknown, other: unknown): boolean => {
  if (one === other || typeof one !== "object" || one === null) return one === other
  // Long lists that only grow differ in their length already.
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length) return false
  return JSON.stringify(one) === JSON.stringify(other)
}
