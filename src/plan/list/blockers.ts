/** Resolves the blockers of a call to our ids, without edges that would form a cycle. */
import { type Problem, warning } from "../problem.ts"
import { normalise } from "../text/wording.ts"
import type { Todo } from "../todo.ts"
import { indexById, type Wanted } from "./match.ts"

/** Where there are circles, the edges that close them are looked for in as many steps. Few plans need a hundred. */
const mostSteps = 100_000

/** What a call may name as a blocker: the todos of the plan, and those the call itself names, in whatever order. */
export type Nameable = {
  todos: readonly Todo[]
  /** The items of the call, and the id of the todo each of them means. */
  wanted?: readonly Wanted[]
  ids?: readonly (string | undefined)[]
  /** The ids in the call are the model's own. */
  modelIds: boolean
}

/**
 * Finds the todo that a name means for the todo that waits: by an id the call gives, an id of the plan, the id a new todo
 * gets, or a text. One text may hold several names, with commas between them.
 */
export const blockerFinder = ({ todos, wanted = [], ids = [], modelIds }: Nameable) => {
  const byId = indexById(todos, modelIds)
  const idOf = new Map(wanted.flatMap(({ id }, index) => (id === undefined ? [] : [[id, ids[index]] as const])))
  // An item with its own id is named by that id.
  const given = new Set(wanted.flatMap(({ id }, index) => (id === undefined ? [ids[index]] : [])))
  let texts: readonly Map<string, string[]>[] | undefined
  /** Made for the first name that is not an id: few calls have one. */
  const byText = (): readonly Map<string, string[]>[] => {
    const named = [
      ...wanted.map(({ content }, index) => ({ id: ids[index], content })),
      ...todos.map(({ id, content }) => ({ id, content })),
    ]
    texts ??= [(text: string) => text, normalise].map((keyOf) => {
      const found = new Map<string, string[]>()
      for (const { id, content } of named) {
        if (id === undefined || content === undefined) continue
        const known = found.get(keyOf(content))
        if (known) known.push(id)
        else found.set(keyOf(content), [id])
      }
      return found
    })
    return texts
  }
  const one = (name: string, waiting: string): string | undefined => {
    const named = idOf.get(name) ?? todos[byId.get(name) ?? -1]?.id ?? (given.has(name) ? name : undefined)
    if (named !== undefined) return named
    const [exact, folded] = byText()
    const found = exact?.get(name) ?? folded?.get(normalise(name)) ?? []
    return found.find((id) => id !== waiting) ?? found[0]
  }
  return (name: string, waiting: string): { found: string[]; unknown: string[] } => {
    const whole = one(name, waiting)
    if (whole !== undefined) return { found: [whole], unknown: [] }
    const parts = name.split(",").flatMap((part) => part.trim().replace(/^#(?=\d)/, "") || [])
    const found = parts.map((part) => one(part, waiting))
    // Without a single one of its parts it is a text with commas.
    if (found.every((id) => id === undefined)) return { found: [], unknown: [name] }
    return {
      found: found.filter((id) => id !== undefined),
      unknown: parts.filter((_, index) => found[index] === undefined),
    }
  }
}

/** Blockers are named by ids or texts; they become ids of ours. Edges that cannot hold are left out and named. */
export const resolveBlockers = (
  todos: readonly Todo[],
  wanted: readonly Wanted[],
  ids: readonly (string | undefined)[],
  modelIds: boolean,
  problems: Problem[],
): Pick<Wanted, "blockedBy">[] => {
  if (!wanted.some(({ blockedBy }) => blockedBy)) return []
  const blockersNamed = blockerFinder({ todos, wanted, ids, modelIds })
  const waiting = wanted.map(({ blockedBy }, index) => {
    const id = ids[index]
    if (!blockedBy || id === undefined) return undefined
    const blockers = new Set<string>()
    for (const name of blockedBy) {
      const { found, unknown } = blockersNamed(name, id)
      for (const blocker of found) blockers.add(blocker)
      for (const one of unknown)
        problems.push(warning("unknown-blocker", `Todo ${id} cannot wait for "${one}": there is no such todo.`))
    }
    return { id, blockers }
  })

  // What stays of the old edges first, then the new ones one by one: an edge that the call itself removes is not an obstacle.
  const edges = new Map(todos.map(({ id, blockedBy = [] }) => [id, new Set(blockedBy)]))
  for (const { id, blockers } of waiting.filter((one) => one !== undefined)) {
    edges.set(id, new Set([...(edges.get(id) ?? [])].filter((old) => old !== id && blockers.has(old))))
  }
  const all = new Map(edges)
  for (const one of waiting) if (one) all.set(one.id, one.blockers)
  const hasCircles = !canBeOrdered(all)
  const waitedBefore = new Set(todos.flatMap(({ id, blockedBy = [] }) => (blockedBy.length > 0 ? [id] : [])))
  const waitedFor = new Set([...edges.values()].flatMap((blockers) => [...blockers]))
  let steps = 0
  /** A call can be made so that every blocker leads through all the others: then the last ones are refused unseen. */
  const reaches = (from: string, target: string): boolean => {
    if (!hasCircles) return false
    if (from === target) return true
    if (!waitedFor.has(target)) return false
    if (steps > mostSteps) return true
    const seen = new Set([from])
    for (const id of seen) {
      for (const next of edges.get(id) ?? []) {
        steps += 1
        seen.add(next)
      }
      if (seen.has(target) || steps > mostSteps) return true
    }
    return false
  }
  return waiting.map((one) => {
    if (!one) return {}
    const { id, blockers } = one
    const held = edges.get(id) ?? new Set()
    const blockedBy = [...blockers].filter((blocker) => {
      if (held.has(blocker)) return true
      if (reaches(blocker, id)) {
        const why =
          steps > mostSteps
            ? "too many todos wait for each other to check for a cycle"
            : "they would wait for each other"
        problems.push(warning("blocker-cycle", `Todo ${id} cannot wait for ${blocker}: ${why}.`))
        return false
      }
      held.add(blocker)
      waitedFor.add(blocker)
      return true
    })
    return blockedBy.length > 0 || waitedBefore.has(id) ? { blockedBy } : {}
  })
}

/** Whether all can be done one after the other, each when what it waits for is done. */
const canBeOrdered = (edges: ReadonlyMap<string, ReadonlySet<string>>): boolean => {
  const waiters = new Map<string, string[]>()
  const open = new Map<string, number>()
  for (const [id, blockers] of edges) {
    open.set(id, blockers.size)
    for (const blocker of blockers) {
      const known = waiters.get(blocker)
      if (known) known.push(id)
      else waiters.set(blocker, [id])
      if (!edges.has(blocker)) open.set(blocker, 0)
    }
  }
  const ready = [...open].flatMap(([id, count]) => (count === 0 ? [id] : []))
  for (const id of ready) {
    for (const waiter of waiters.get(id) ?? []) {
      const left = (open.get(waiter) ?? 0) - 1
      open.set(waiter, left)
      if (left === 0) ready.push(waiter)
    }
  }
  return ready.length === open.size
}
