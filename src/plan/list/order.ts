/** The order of a list: where new todos go, and as few moves as possible for the others. */
import type { PlanEvent } from "../event.ts"
import type { Plan, Todo } from "../todo.ts"

/** The wanted order; a todo that it does not mention stays after its previous neighbour. */
export const withKeptInPlace = (plan: Plan, wanted: readonly string[], kept: ReadonlySet<string>): string[] => {
  if (kept.size === 0) return [...wanted]
  const listed = new Set(wanted)
  const behind = new Map<string, string[]>()
  let followers: string[] = []
  behind.set("", followers)
  for (const { id } of plan.todos) {
    if (listed.has(id)) {
      followers = []
      behind.set(id, followers)
    } else if (kept.has(id)) followers.push(id)
  }
  return [...(behind.get("") ?? []), ...wanted.flatMap((id) => [id, ...(behind.get(id) ?? [])])]
}

/**
 * An order in which each phase has its todos as listed. Todos of different phases keep their relative order: a list that is sent
 * phase by phase does not say how they are mixed.
 */
export const phaseByPhase = (
  plan: Plan,
  listed: readonly { id: string; phase: string }[],
  kept: ReadonlySet<string>,
): string[] => {
  const position = new Map(plan.todos.map(({ id }, index) => [id, index]))
  const phases = new Map<string, string[]>()
  for (const { id, phase } of listed) {
    const ids = phases.get(phase)
    if (ids) ids.push(id)
    else phases.set(phase, [id])
  }
  const around = new Map<string, { before: string[]; behind: string[] }>()
  const rest: string[] = []
  for (const ids of phases.values()) {
    const steady = longestRise(
      ids.filter((id) => position.has(id)),
      (id) => position.get(id) ?? 0,
    )
    const first: string[] = []
    let behind = first
    for (const id of ids) {
      if (!steady.has(id)) behind.push(id)
      else {
        const before = behind === first ? first : []
        behind = []
        around.set(id, { before, behind })
      }
    }
    if (steady.size === 0) for (const id of first) rest.push(id)
  }
  const order = plan.todos.flatMap(({ id }) => {
    const neighbours = around.get(id)
    if (neighbours) return [...neighbours.before, id, ...neighbours.behind]
    return kept.has(id) ? [id] : []
  })
  return [...order, ...rest]
}

/** Adds and moves that bring the todos into an order, moving as few as possible. */
export const placing = (
  plan: Plan,
  order: readonly string[],
  added: ReadonlyMap<string, Todo>,
  mode: "replace" | "patch",
): PlanEvent[] => {
  const position = new Map(plan.todos.map(({ id }, index) => [id, index]))
  const existing = order.filter((id) => position.has(id))
  const steady = longestRise(existing, (id) => position.get(id) ?? 0)
  const lastExisting = order.findLastIndex((id) => position.has(id))
  const upcoming = new Set(added.keys())
  const events: PlanEvent[] = []
  const late: PlanEvent[] = []
  let after = ""
  for (const [index, id] of order.entries()) {
    const todo = added.get(id)
    // At the end no place is named, so that two writers who append at once keep their order.
    const atEnd = index > lastExisting && (mode === "patch" || todo?.phase === undefined)
    upcoming.delete(id)
    if (todo?.blockedBy?.some((blocker) => upcoming.has(blocker))) {
      // A todo that is still to be added may get another id than proposed: only then can it be named.
      const { blockedBy, ...rest } = todo
      events.push({ type: "todo-added", todo: rest, ...(atEnd ? {} : { after }) })
      late.push({ type: "todo-changed", id, from: { blockedBy: null }, to: { blockedBy } })
    } else if (todo) events.push({ type: "todo-added", todo, ...(atEnd ? {} : { after }) })
    else if (!steady.has(id)) events.push({ type: "todo-moved", id, after })
    after = id
  }
  return [...events, ...late]
}

/** The largest set of ids whose old positions already rise: everything else has to move. */
const longestRise = (ids: readonly string[], positionOf: (id: string) => number): Set<string> => {
  const tails: number[] = []
  const previous: number[] = []
  for (const [index, id] of ids.entries()) {
    const position = positionOf(id)
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (positionOf(ids[tails[middle] ?? 0] ?? "") < position) low = middle + 1
      else high = middle
    }
    previous[index] = low > 0 ? (tails[low - 1] ?? -1) : -1
    tails[low] = index
  }
  const rise = new Set<string>()
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) rise.add(ids[index] ?? "")
  return rise
}
