/** Turns a list, as a call says it, into the events that lead there. Ids, notes and times of what it still means stay. */
import type { PlanEvent, TodoPatch } from "./event.ts"
import { emptyLedger, isPersons, type Ledger } from "./ledger.ts"
import { indexById, match, type Wanted } from "./match.ts"
import { type Problem, warning } from "./problem.ts"
import { normalise, similarity } from "./text.ts"
import { isFinished, type Plan, type Todo } from "./todo.ts"

export type DiffOptions = {
  /** `replace`: the list is exactly this. `patch`: what is not mentioned stays, new todos go to their natural end. */
  mode?: "replace" | "patch"
  /** In a replacement, unfinished todos that are left out stay. */
  keepUnfinished?: boolean
  /** The ids in the list are the model's own. */
  modelIds?: boolean
  ledger?: Ledger
  /** The phases the plan shall have, in order; without it phases only come with their todos. */
  phases?: readonly string[]
}

export type Difference = {
  events: PlanEvent[]
  problems: Problem[]
  /** For each wanted item the id of its todo (new ones: as proposed), undefined where it names nothing. */
  ids: (string | undefined)[]
  /** Unfinished todos the call did not mention and that stay all the same. */
  kept: Todo[]
}

export const diff = (plan: Plan, wanted: readonly Wanted[], options: DiffOptions = {}): Difference => {
  const { mode = "replace", keepUnfinished = false, modelIds = false, ledger = emptyLedger } = options
  const found = match(plan.todos, wanted, { ledger, modelIds })
  const problems: Problem[] = []
  const proposeId = idProposer(plan, ledger)
  const isBuried = mode === "replace" ? graveyard(ledger) : () => false
  const ids = wanted.map((item, index) => {
    const todo = todoAt(plan, found[index])
    if (todo) return todo.id
    if (item.content === undefined) {
      problems.push(unknownTodo(plan, item.id))
      return undefined
    }
    if (isBuried(item.content)) {
      problems.push(
        warning("removed-by-person", `"${item.content}" was removed by the person on purpose and was not added again.`),
      )
      return undefined
    }
    return proposeId(modelIds ? undefined : item.id)
  })

  const meant = new Set(found)
  const left = plan.todos.filter((_, index) => !meant.has(index))
  // A call that names only what is not there is a mistake, not the wish for an empty list.
  const isLost = wanted.length > 0 && wanted.every(({ content }, index) => content === undefined && !ids[index])
  const stays = (todo: Todo): boolean =>
    mode === "patch" || isLost || (!isFinished(todo.status) && (keepUnfinished || isPersons(ledger, todo.id)))
  const removed = left.filter((todo) => !stays(todo))
  const unmentioned = left.filter(stays)
  const gone = new Set(removed)
  const remaining = plan.todos.filter((todo) => !gone.has(todo))
  const blockers = resolveBlockers(remaining, wanted, ids, modelIds, problems)

  const changes: PlanEvent[] = []
  const added = new Map<string, Todo>()
  for (const [index, item] of wanted.entries()) {
    const id = ids[index]
    if (id === undefined) continue
    const old = todoAt(plan, found[index])
    const said = { ...item, ...blockers[index] }
    const event = old && changeTodo(old, mode === "replace" ? withoutEcho(said, ledger.todos.get(id)?.formerly) : said)
    if (!old) added.set(id, newTodo(id, said))
    else if (event) changes.push(event)
  }

  const order =
    mode === "patch"
      ? [...plan.todos.map(({ id }) => id), ...added.keys()]
      : withKeptInPlace(
          plan,
          ids.filter((id) => id !== undefined),
          new Set(unmentioned.map(({ id }) => id)),
        )
  const events: PlanEvent[] = [
    ...removed.map((todo): PlanEvent => ({ type: "todo-removed", todo })),
    ...(options.phases ? phaseEvents(plan, options.phases) : newPhases(plan, wanted, ids)),
    ...placing(plan, order, added, mode),
    ...changes,
    ...(options.phases ? phasesGone(plan, options.phases) : []),
  ]
  return { events, problems, ids, kept: unmentioned.filter(({ status }) => !isFinished(status)) }
}

const todoAt = (plan: Plan, index: number | undefined): Todo | undefined =>
  index === undefined ? undefined : plan.todos[index]

/** Proposes ids for new todos: the one a call asks for if it is short, a number and unused, else the next free one. */
const idProposer = (plan: Plan, ledger: Ledger): ((asked: string | undefined) => string) => {
  const used = new Set([...plan.todos.map(({ id }) => id), ...ledger.removed.keys()])
  let highest = 0
  for (const id of used) if (/^\d{1,15}$/.test(id)) highest = Math.max(highest, Number(id))
  return (asked) => {
    let id = asked !== undefined && /^[1-9]\d{0,5}$/.test(asked) ? asked : String(highest + 1)
    while (used.has(id)) id = String(++highest)
    highest = Math.max(highest, Number(id))
    used.add(id)
    return id
  }
}

/** What a person removed, by its text. */
const graveyard = (ledger: Ledger): ((content: string) => boolean) => {
  const texts = new Set<string>()
  for (const { todo, by } of ledger.removed.values()) if (by.kind === "person") texts.add(normalise(todo.content))
  return (content) => texts.size > 0 && texts.has(normalise(content))
}

/** An agent that still uses a wording a person replaced has not reworded anything. */
const withoutEcho = (item: Wanted, formerly: readonly string[] | undefined): Wanted => {
  const text = formerly && normalise(item.content ?? "")
  if (!formerly?.some((wording) => normalise(wording) === text)) return item
  const { content: _, activeForm: __, ...rest } = item
  return rest
}

const unknownTodo = (plan: Plan, id: string | undefined): Problem => {
  const known = plan.todos.slice(0, 5).map((todo) => `${todo.id} "${todo.content.slice(0, 60)}"`)
  const list =
    known.length === 0 ? "the list is empty" : `the list has ${known.join(", ")}${plan.todos.length > 5 ? ", …" : ""}`
  return warning("unknown-todo", `There is no todo ${id === undefined ? "without text or id" : `"${id}"`}: ${list}.`)
}

const newTodo = (id: string, { status = "pending", content = "", ...rest }: Wanted): Todo => ({
  ...defined(rest),
  id,
  content,
  status,
})

/** What an item changes on the todo it means. What goes stale by the change goes with it. */
export const changeTodo = (old: Todo, { id: _, ...wanted }: Wanted): PlanEvent | undefined => {
  const to: Record<string, unknown> = defined(wanted)
  if (to.content !== undefined && to.content !== old.content && wanted.activeForm === undefined && old.activeForm) {
    to.activeForm = null
  }
  const status = wanted.status ?? old.status
  if (status !== "blocked" && old.waitsFor && wanted.waitsFor === undefined) to.waitsFor = null
  if (status !== old.status && old.reason && wanted.reason === undefined) to.reason = null
  if (wanted.extra) to.extra = { ...old.extra, ...wanted.extra }
  const from: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(to)) {
    const before = old[field as keyof Todo] ?? null
    if (JSON.stringify(before) === JSON.stringify(value)) delete to[field]
    else from[field] = before
  }
  if (Object.keys(to).length === 0) return undefined
  return { type: "todo-changed", id: old.id, from: from as TodoPatch, to: to as TodoPatch }
}

/** Blockers are named by the ids a call uses; they become ours. Edges that cannot hold are left out and named. */
const resolveBlockers = (
  todos: readonly Todo[],
  wanted: readonly Wanted[],
  ids: readonly (string | undefined)[],
  modelIds: boolean,
  problems: Problem[],
): Pick<Wanted, "blockedBy">[] => {
  if (!wanted.some(({ blockedBy }) => blockedBy)) return []
  const byId = indexById(todos, modelIds)
  const said = new Map(wanted.flatMap(({ id }, index) => (id === undefined ? [] : [[id, ids[index]] as const])))
  const waiting = wanted.map(({ blockedBy }, index) => {
    const id = ids[index]
    if (!blockedBy || id === undefined) return undefined
    const blockers = new Set<string>()
    for (const name of blockedBy) {
      const blocker = said.get(name) ?? todos[byId.get(name) ?? -1]?.id
      if (blocker !== undefined) blockers.add(blocker)
      else problems.push(warning("unknown-blocker", `Todo ${id} cannot wait for "${name}": there is no such todo.`))
    }
    return { id, blockers }
  })

  // What stays of the old edges first, then the new ones one by one: an edge that the call itself takes back is no obstacle.
  const edges = new Map(todos.map(({ id, blockedBy = [] }) => [id, new Set(blockedBy)]))
  for (const { id, blockers } of waiting.filter((one) => one !== undefined)) {
    edges.set(id, new Set([...(edges.get(id) ?? [])].filter((old) => old !== id && blockers.has(old))))
  }
  const waitedFor = new Set([...edges.values()].flatMap((blockers) => [...blockers]))
  const reaches = (from: string, target: string): boolean => {
    if (from === target) return true
    if (!waitedFor.has(target)) return false
    const seen = new Set([from])
    for (const id of seen) for (const next of edges.get(id) ?? []) seen.add(next)
    return seen.has(target)
  }
  return waiting.map((one) => {
    if (!one) return {}
    const { id, blockers } = one
    const held = edges.get(id) ?? new Set()
    const blockedBy = [...blockers].filter((blocker) => {
      if (held.has(blocker)) return true
      if (reaches(blocker, id)) {
        problems.push(
          warning("blocker-cycle", `Todo ${id} cannot wait for ${blocker}: they would wait for each other.`),
        )
        return false
      }
      held.add(blocker)
      waitedFor.add(blocker)
      return true
    })
    return { blockedBy }
  })
}

/** The wanted order, with todos that stay unmentioned behind the neighbour they stood behind. */
const withKeptInPlace = (plan: Plan, wanted: readonly string[], kept: ReadonlySet<string>): string[] => {
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

/** Adds and moves that bring the todos into an order, moving as few as possible. */
const placing = (
  plan: Plan,
  order: readonly string[],
  added: ReadonlyMap<string, Todo>,
  mode: DiffOptions["mode"],
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

/** Phases that come with their todos come in the order in which they are named. */
const newPhases = (plan: Plan, wanted: readonly Wanted[], ids: readonly (string | undefined)[]): PlanEvent[] => {
  const known = new Set(["", ...plan.phases])
  return wanted.flatMap(({ phase = "" }, index): PlanEvent[] => {
    if (ids[index] === undefined || known.has(phase)) return []
    known.add(phase)
    return [{ type: "phase-added", name: phase }]
  })
}

const phaseEvents = (plan: Plan, phases: readonly string[]): PlanEvent[] => {
  const events: PlanEvent[] = []
  const current = [...plan.phases]
  let after = ""
  for (const name of phases) {
    const at = current.indexOf(name)
    const isInPlace = at >= 0 && (current[at - 1] ?? "") === after
    if (!isInPlace) {
      events.push({ type: "phase-added", name, after })
      if (at >= 0) current.splice(at, 1)
      current.splice(after === "" ? 0 : current.indexOf(after) + 1, 0, name)
    }
    after = name
  }
  return events
}

const phasesGone = (plan: Plan, phases: readonly string[]): PlanEvent[] => {
  const names = new Set(phases)
  return plan.phases.filter((name) => !names.has(name)).map((name) => ({ type: "phase-removed", name }))
}

const defined = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields

/** The todos whose wording is nearest to a text, for a sentence that says what could have been meant. */
export const nearest = (plan: Plan, text: string, count = 3): Todo[] =>
  plan.todos
    .map((todo) => ({ todo, score: similarity(text, todo.content) }))
    .filter(({ score }) => score > 0.25)
    .sort((one, other) => other.score - one.score)
    .slice(0, count)
    .map(({ todo }) => todo)
