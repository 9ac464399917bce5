/** A draft as plainly as it can be written: lists that are walked for every question. What the real one does is held against it. */
import type { PlanEvent, Settle, TodoPatch } from "../../../src/plan/event.ts"
import { isPlanChange } from "../../../src/plan/event.ts"
import { inPhaseOrder } from "../../../src/plan/list/phase-order.ts"
import { briefNotes, withMergedNotes } from "../../../src/plan/notes.ts"
import type { Plan, Todo } from "../../../src/plan/todo.ts"

export type NaiveDraft = {
  plan(): Plan
  apply(events: readonly PlanEvent[], settle: Settle, isHeld: (todo: Todo) => boolean): PlanEvent[]
}

const fields = ["content", "status", "activeForm", "phase", "notes", "description", "priority"].concat([
  "blockedBy",
  "owner",
  "reason",
  "waitsFor",
  "extra",
])

export const createNaiveDraft = (before: Plan): NaiveDraft => {
  let todos = [...before.todos]
  let phases = [...before.phases]
  let { revision } = before
  const gone = new Set<string>()

  const find = (id: string): Todo | undefined => todos.find((todo) => todo.id === id)
  /** The id of the one before it, as a place. */
  const placeOf = (id: string): string => todos[todos.findIndex((todo) => todo.id === id) - 1]?.id ?? ""
  const isPlace = (place: string | undefined): place is string => place === "" || find(place ?? "") !== undefined
  const put = (todo: Todo, after: string): void => {
    todos.splice(todos.findIndex(({ id }) => id === after) + 1, 0, todo)
    gone.delete(todo.id)
  }
  const naturalEnd = (phase: string | undefined): string => {
    const last = phase === undefined ? undefined : todos.findLast((todo) => todo.phase === phase)
    return (last ?? todos.at(-1))?.id ?? ""
  }
  const freshId = (): string => {
    const numbers = [...todos.map(({ id }) => id), ...gone].map((id) => (/^\d{1,15}$/.test(id) ? Number(id) : 0))
    let number = Math.max(0, ...numbers) + 1
    while (find(String(number)) || gone.has(String(number))) number += 1
    return String(number)
  }

  const addPhase = (name: string, after: string | undefined): PlanEvent[] => {
    const isGood = after === "" || (after !== undefined && after !== name && phases.includes(after))
    const index = phases.indexOf(name)
    const was = index < 0 ? undefined : (phases[index - 1] ?? "")
    if (name === "" || (was !== undefined && (!isGood || after === was))) return []
    phases = phases.filter((one) => one !== name)
    const place = isGood ? after : (phases.at(-1) ?? "")
    phases.splice(phases.indexOf(place) + 1, 0, name)
    return [{ type: "phase-added", name, after: place, ...(was === undefined ? {} : { was }) }]
  }
  const openPhase = (name: string | undefined): PlanEvent[] =>
    name === undefined || phases.includes(name) ? [] : addPhase(name, undefined)
  const removePhase = (name: string): PlanEvent[] => {
    if (!phases.includes(name) || todos.some(({ phase }) => phase === name)) return []
    const was = phases[phases.indexOf(name) - 1] ?? ""
    phases = phases.filter((one) => one !== name)
    return [{ type: "phase-removed", name, was }]
  }

  const change = (id: string, patch: TodoPatch, seen: TodoPatch = {}): PlanEvent[] => {
    const old = find(id)
    if (!old) return []
    const todo: Record<string, unknown> = { ...old }
    const from: Record<string, unknown> = {}
    const to: Record<string, unknown> = {}
    for (const [field, given] of Object.entries(withMergedNotes(patch, seen.notes ?? [], old.notes ?? []))) {
      const value = field === "phase" && given === "" ? null : given
      const isGood = fields.includes(field) && value !== undefined
      if (!isGood || (value === null && (field === "content" || field === "status"))) continue
      if (JSON.stringify(todo[field] ?? null) === JSON.stringify(value)) continue
      from[field] = todo[field] ?? null
      to[field] = value
      if (value === null) delete todo[field]
      else todo[field] = value
    }
    if (Object.keys(to).length === 0) return []
    todos = todos.map((one) => (one === old ? (todo as Todo) : one))
    return [
      ...openPhase(todo.phase as string | undefined),
      { type: "todo-changed", id, ...briefNotes(from as TodoPatch, to as TodoPatch) },
    ]
  }

  const add = (
    { todo: { phase, ...wanted }, restores, after }: Extract<PlanEvent, { type: "todo-added" }>,
    renamed: Map<string, string>,
  ): PlanEvent[] => {
    if (restores && find(wanted.id)) return []
    const isFree = wanted.id !== "" && !find(wanted.id) && (restores || !gone.has(wanted.id))
    const id = isFree ? wanted.id : freshId()
    const asked = after === undefined ? undefined : (renamed.get(after) ?? after)
    if (id !== wanted.id && wanted.id !== "") renamed.set(wanted.id, id)
    const blockedBy = wanted.blockedBy?.map((blocker) => renamed.get(blocker) ?? blocker)
    const todo: Todo = { ...wanted, id, ...(phase ? { phase } : {}), ...(blockedBy ? { blockedBy } : {}) }
    const opened = openPhase(todo.phase)
    const place = isPlace(asked) ? asked : naturalEnd(todo.phase)
    put(todo, place)
    return [...opened, { type: "todo-added", todo, after: place, ...(restores ? { restores } : {}) }]
  }

  const remove = (id: string): PlanEvent[] => {
    const todo = find(id)
    if (!todo) return []
    const was = placeOf(id)
    todos = todos.filter((one) => one !== todo)
    gone.add(id)
    return [{ type: "todo-removed", todo, was }]
  }

  const move = (id: string, after: string | undefined): PlanEvent[] => {
    const todo = find(id)
    const place = after ?? naturalEnd(todo?.phase)
    const was = placeOf(id)
    if (!todo || !isPlace(place) || place === id || place === was) return []
    todos = todos.filter((one) => one !== todo)
    put(todo, place)
    return [{ type: "todo-moved", id, after: place, was }]
  }

  const clear = (ids: readonly string[], names: readonly string[]): PlanEvent[] => {
    const goneIds = [...new Set(ids)].filter(find)
    const goneNames = [...new Set(names)].filter((name) => phases.includes(name))
    if (goneIds.length + goneNames.length === 0) return []
    const isAll = goneIds.length === todos.length && (goneNames.length === 0 || goneNames.length === phases.length)
    if (!isAll) return [...goneIds.flatMap(remove), ...goneNames.flatMap(removePhase)]
    const cleared: PlanEvent = { type: "plan-cleared", todos, phases: goneNames.length > 0 ? phases : [] }
    for (const id of goneIds) gone.add(id)
    todos = []
    if (goneNames.length > 0) phases = []
    return [cleared]
  }

  const applyOne = (event: PlanEvent, renamed: Map<string, string>): PlanEvent[] => {
    const current = (id: string): string => renamed.get(id) ?? id
    switch (event.type) {
      case "todo-added":
        return add(event, renamed)
      case "todo-changed": {
        const blockers = event.to.blockedBy ? { blockedBy: event.to.blockedBy.map(current) } : {}
        return change(current(event.id), { ...event.to, ...blockers }, event.from)
      }
      case "todo-removed":
        return remove(current(event.todo.id))
      case "todo-moved":
        return move(current(event.id), event.after === undefined ? undefined : current(event.after))
      case "phase-added":
        return addPhase(event.name, event.after)
      case "phase-removed":
        return removePhase(event.name)
      case "plan-cleared":
        return clear(
          event.todos.map(({ id }) => current(id)),
          event.phases ?? [],
        )
      default:
        return [event]
    }
  }

  return {
    plan: () => ({ todos, phases, revision }),
    apply(events, settle, isHeld) {
      const renamed = new Map<string, string>()
      const happened = events.flatMap((event) => applyOne(event, renamed))
      happened.push(...naiveSettling({ todos, phases, revision }, settle, isHeld).flatMap(([id, to]) => change(id, to)))
      if (happened.some(isPlanChange)) revision += 1
      return happened
    },
  }
}

/** Which todos get another status so that what must hold does. */
export const naiveSettling = (
  plan: Plan,
  { oneActive, autoStart }: Settle,
  isHeld: (todo: Todo) => boolean,
): [id: string, to: Pick<Todo, "status">][] => {
  const ordered = inPhaseOrder(plan)
  const active = ordered.filter(({ status }) => status === "in_progress")
  if (active.length === 0) {
    const next = autoStart ? ordered.find((todo) => todo.status === "pending" && !isHeld(todo)) : undefined
    return next ? [[next.id, { status: "in_progress" }]] : []
  }
  if (!oneActive) return []
  const first = active.find(isHeld) ?? active[0]
  return active.filter((todo) => todo !== first && !isHeld(todo)).map(({ id }) => [id, { status: "pending" }])
}
