/**
 * Turns the list of a call into the events that lead to it. Todos that are still meant keep their ids, notes and times.
 */

import type { Actor, PlanEvent, TodoPatch } from "../event.ts"
import { hasPersonsWords, isPersons, isSetByPerson, isUnknownToAgent, personSet } from "../log/by-person.ts"
import { emptyLedger, type Ledger } from "../log/ledger.ts"
import { todoById } from "../lookup.ts"
import { briefNotes } from "../notes.ts"
import { type Problem, warning } from "../problem.ts"
import { quoted } from "../text/quoted.ts"
import { normalise, similarity } from "../text/wording.ts"
import { isFinished, type Plan, type Todo, type TodoStatus } from "../todo.ts"
import { resolveBlockers } from "./blockers.ts"
import { graveyard, numberedGraveyard } from "./graveyard.ts"
import { match, type Wanted } from "./match.ts"
import { phaseByPhase, placing, withKeptInPlace } from "./order.ts"
import { inPhaseOrder } from "./phase-order.ts"

export type DiffOptions = {
  /** `replace`: the list is exactly this. `patch`: what is not mentioned stays, new todos go to their natural end. */
  mode?: "replace" | "patch"
  /** In a replacement, unfinished todos that are left out stay. */
  keepUnfinished?: boolean
  /** In a replacement, todos that a person added and the agent's list never had stay, finished or not. @default false */
  keepUnknown?: boolean
  /** The ids in the list are the model's own. */
  modelIds?: boolean
  /** A new todo takes the id its item has, where that is a number that is free. @default where the ids are not the model's */
  takesIds?: boolean
  ledger?: Ledger
  /** The sender sees the list as a whole, even where only part of it arrived. @default when replacing */
  saysWholeList?: boolean
  /** The list belongs to another plan with its own ids: only a todo with the same text is the same. @default false */
  isOtherPlan?: boolean
  /** Whether the agent is known to have reworded, by its own number or key, the todo with this id in the list. @default none was */
  isReworded?: ((id: string) => boolean) | undefined
  /**
   * The phases the plan should have, in order; without it phases are only added with their todos. A caller that gives them sees the list
   * phase by phase, so that its order counts within each phase only.
   */
  phases?: readonly string[]
  /**
   * In a replacement, fields that a todo's item omits are removed, so only ids show what was there before. What a person has set
   * stays. @default false
   */
  isExact?: boolean
  /** An agent that names what a person removed may bring it back, once it was told. @default unless it says the whole list */
  bringsBack?: boolean
  /** The statuses the sender has words for: one that says "pending" leaves a person's status alone that it cannot say. @default all */
  statuses?: readonly TodoStatus[]
  /** The fields the sender's vocabulary has: even an exact list does not affect the others. @default all */
  fields?: readonly string[]
  /** The agent only read the list, and so decided nothing: what a person set or removed stays as it is. @default false */
  isRead?: boolean
}

export type Difference = {
  events: PlanEvent[]
  problems: Problem[]
  /** For each wanted item the id of its todo (new ones: as proposed), undefined where it names nothing. */
  ids: (string | undefined)[]
  /** Unfinished todos the call did not mention and that stay anyway. Few ask for them, and there may be thousands. */
  kept: () => Todo[]
}

export const diff = (plan: Plan, wanted: readonly Wanted[], options: DiffOptions = {}): Difference => {
  const { mode = "replace", keepUnfinished = false, modelIds = false, ledger = emptyLedger, isExact = false } = options
  if (mode === "patch" && !modelIds) {
    const patched = patchNamed(plan, wanted, ledger)
    if (patched) return patched
  }
  const { takesIds = !modelIds } = options
  const saysWholeList = options.saysWholeList ?? mode === "replace"
  const shown = options.phases ? inPhaseOrder(plan) : plan.todos
  const { isOtherPlan = false, isReworded } = options
  const { isRead = false, bringsBack = !saysWholeList } = options
  const removerOf = graveyard(ledger, bringsBack && !isRead)
  const removerOfNumber = numberedGraveyard(ledger, bringsBack && !isRead)
  const isBuried = (content: string): boolean => removerOf(content) !== undefined
  const found = match(shown, wanted, {
    ledger,
    modelIds,
    guesses: saysWholeList,
    isBuried,
    isOtherPlan,
    ...(isReworded ? { isReworded } : {}),
  })
  const problems: Problem[] = []
  const proposeId = idProposer(plan, ledger)
  const refused: PlanEvent[] = []
  const ids = wanted.map((item, index) => {
    const todo = todoAt(shown, found[index])
    if (todo) return todo.id
    if (item.content === undefined) {
      problems.push(unknownTodo(plan, item.id))
      return undefined
    }
    const remover = removerOf(item.content) ?? removerOfNumber(item, isReworded?.(item.id ?? "") === true)
    if (remover) {
      problems.push(warning("removed-by-person", removedText(item.content, remover)))
      refused.push({ type: "todo-refused", content: item.content, status: item.status ?? "pending" })
      return undefined
    }
    return proposeId(takesIds ? item.id : undefined)
  })
  // In a whole list models number todos as they please; in a patch an id is meant.
  if (mode === "patch" && !modelIds && !isRead) problems.push(...unfollowedIds(plan, wanted, ids))

  const meant = new Set(found)
  const left = shown.filter((_, index) => !meant.has(index))
  // A call that names only what is not there is a mistake, not the wish for an empty list.
  const isLost = wanted.length > 0 && wanted.every(({ content }, index) => content === undefined && !ids[index])
  const stays = (todo: Todo): boolean =>
    mode === "patch" ||
    isLost ||
    (!isFinished(todo.status) && (keepUnfinished || hasPersonsWords(ledger, todo))) ||
    (options.keepUnknown === true && isUnknownToAgent(ledger, todo))
  const removed = left.filter((todo) => !stays(todo))
  const unmentioned = left.filter(stays)
  const gone = new Set(removed)
  const remaining = plan.todos.filter((todo) => !gone.has(todo))
  const blockers = resolveBlockers(remaining, wanted, ids, modelIds, problems)

  const isKept = keptFields(ledger, options.fields)
  /** The lists and files of an agent cannot know where a person has moved a todo. */
  const hasPersonsPhase = ({ id }: Todo): boolean => saysWholeList && isSetByPerson(ledger, id, "phase")
  const changes: PlanEvent[] = []
  const added = new Map<string, Todo>()
  for (const [index, item] of wanted.entries()) {
    const id = ids[index]
    if (id === undefined) continue
    const old = todoAt(shown, found[index])
    const { blockedBy: _, ...own } = item
    const resolved: Wanted = { ...own, ...blockers[index] }
    // Only a call that names single todos by our ids and gives one another text means to reword it.
    const isEcho = saysWholeList || modelIds || item.id === undefined
    if (!old) {
      added.set(id, newTodo(id, resolved))
      continue
    }
    const isTheirs = saysWholeList && isPersons(ledger, id) && item.content !== old.content
    const echoless = isTheirs
      ? withoutWording(resolved)
      : isEcho
        ? withoutEcho(resolved, ledger.todos.get(id)?.formerly)
        : resolved
    const isUnsayable = options.statuses && !options.statuses.includes(old.status) && personSet(ledger, id, "status")
    const stayed = hasPersonsPhase(old) ? withoutPhase(echoless) : echoless
    const intended = isUnsayable && stayed.status === "pending" ? withoutStatus(stayed) : stayed
    const changed = isExact
      ? replaceTodo(old, withKept(old, intended, isKept))
      : changeTodo(old, isRead ? withoutPersons(old, intended, ledger) : withPersonsNotes(old, intended, ledger))
    const isByText = item.content !== undefined && normalise(item.content) === normalise(old.content)
    changes.push(...(isByText ? namedByText(changed, ledger) : changed))
  }

  const order = (): string[] => {
    if (mode === "patch") return [...plan.todos.map(({ id }) => id), ...added.keys()]
    const kept = new Set(unmentioned.map(({ id }) => id))
    const listed = wanted.flatMap(({ phase }, index) => {
      const [id, old] = [ids[index], todoAt(shown, found[index])]
      const own = old && hasPersonsPhase(old) ? undefined : phase
      return id === undefined ? [] : [{ id, phase: own ?? old?.phase ?? "" }]
    })
    if (options.phases) return phaseByPhase(plan, listed, kept)
    return withKeptInPlace(
      plan,
      listed.map(({ id }) => id),
      kept,
    )
  }
  const chosen = remaining.flatMap((todo) => (todo.phase && hasPersonsPhase(todo) ? [todo.phase] : []))
  const given = options.phases && [...new Set([...options.phases, ...chosen])]
  const phases = given ?? (isExact ? phasesOfExact(plan, wanted, { isKept, stays: unmentioned }) : undefined)
  const events: PlanEvent[] = [
    ...removed.map((todo): PlanEvent => ({ type: "todo-removed", todo })),
    ...(phases ? phaseEvents(plan, phases) : newPhases(plan, wanted, ids)),
    ...placing(plan, order(), added, mode),
    ...changes,
    ...(phases ? phasesGone(plan, phases) : []),
    ...refused,
  ]
  return { events, problems, ids, kept: () => unmentioned.filter(({ status }) => !isFinished(status)) }
}

/** The commonest call, a few fields of a few todos named by our ids, costs the same in a plan of any size. */
const patchNamed = (plan: Plan, wanted: readonly Wanted[], ledger: Ledger): Difference | undefined => {
  const ids = new Set<string>()
  const events: PlanEvent[] = []
  for (const item of wanted) {
    const todo = item.id === undefined ? undefined : todoById(plan, item.id)
    if (!todo || item.content !== undefined || item.blockedBy || ids.has(todo.id)) return undefined
    ids.add(todo.id)
    events.push(...changeTodo(todo, withPersonsNotes(todo, item, ledger)))
  }
  return {
    events,
    problems: [],
    ids: [...ids],
    kept: () => plan.todos.filter(({ id, status }) => !ids.has(id) && !isFinished(status)),
  }
}

const todoAt = (todos: readonly Todo[], index: number | undefined): Todo | undefined =>
  index === undefined ? undefined : todos[index]

/** Proposes ids for new todos: the one a call asks for if it is short, a number and unused, else the next free one. */
export const idProposer = (plan: Plan, ledger: Ledger): ((asked: string | undefined) => string) => {
  const used = new Set([...plan.todos.map(({ id }) => id), ...ledger.removed.keys()])
  let highest = ledger.highestId ?? 0
  for (const id of used) if (/^\d{1,15}$/.test(id)) highest = Math.max(highest, Number(id))
  return (asked) => {
    let id = asked !== undefined && /^[1-9]\d{0,5}$/.test(asked) ? asked : String(highest + 1)
    while (used.has(id)) id = String(++highest)
    highest = Math.max(highest, Number(id))
    used.add(id)
    return id
  }
}

/** Edits on another machine are reported as such: anyone who may write to the plans of a team can make them, under any name. */
const removedText = (content: string, { isElsewhere }: Actor): string =>
  isElsewhere
    ? `${quoted(content)} was removed by hand on another machine, by a person of the team, and was not added again.`
    : `${quoted(content)} was removed by the person on purpose and was not added again.`

/** An agent that still uses a wording a person replaced has not reworded anything. */
const withoutEcho = (item: Wanted, formerly: readonly string[] | undefined): Wanted => {
  const text = formerly && normalise(item.content ?? "")
  if (!formerly?.some((wording) => normalise(wording) === text)) return item
  return withoutWording(item)
}

const withoutWording = ({ content: _, activeForm: __, ...item }: Wanted): Wanted => item

/** Items whose id names one todo and whose text another, or none: the text decides, and the model should know. */
const unfollowedIds = (plan: Plan, wanted: readonly Wanted[], ids: readonly (string | undefined)[]): Problem[] =>
  wanted.flatMap(({ id, content }, index) => {
    const [named, meant] = [id === undefined ? undefined : todoById(plan, id), ids[index]]
    if (!named || content === undefined || meant === undefined || meant === named.id) return []
    const what = `Todo ${named.id} is ${quoted(named.content.slice(0, 60))}`
    return [warning("other-todo", `${what}, so ${quoted(content.slice(0, 60))} was taken as todo ${meant}.`)]
  })

const withoutPhase = ({ phase: _, ...item }: Wanted): Wanted => item

const withoutStatus = ({ status: _, ...item }: Wanted): Wanted => item

const unknownTodo = (plan: Plan, id: string | undefined): Problem => {
  const known = plan.todos.slice(0, 5).map((todo) => `${todo.id} ${quoted(todo.content.slice(0, 60))}`)
  const list =
    known.length === 0 ? "the list is empty" : `the list has ${known.join(", ")}${plan.todos.length > 5 ? ", …" : ""}`
  return warning("unknown-todo", `There is no todo ${id === undefined ? "without text or id" : `"${id}"`}: ${list}.`)
}

const newTodo = (id: string, { status = "pending", content = "", ...rest }: Wanted): Todo => {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined && !isBlank(value))
  return { ...Object.fromEntries(given), id, content, status }
}

/** An empty text or list says that there is none. */
const isBlank = (value: unknown): boolean => value === "" || (Array.isArray(value) && value.length === 0)

/** What an item changes on the todo it means: one event, or none. What goes stale by the change goes with it. */
export const changeTodo = (old: Todo, wanted: Wanted): PlanEvent[] => {
  const to: Record<string, unknown> = {}
  const from: Record<string, unknown> = {}
  let isChanged = false
  const set = (field: keyof Todo, value: unknown): void => {
    if (value === undefined) return
    const before = old[field] ?? null
    const after = isBlank(value) ? null : value
    if (before === after || (typeof after === "object" && JSON.stringify(before) === JSON.stringify(after))) return
    to[field] = after
    from[field] = before
    isChanged = true
  }
  for (const field of Object.keys(wanted) as (keyof Wanted)[])
    if (field !== "id")
      set(field, field === "extra" ? wanted.extra && { ...old.extra, ...wanted.extra } : wanted[field])
  const status = wanted.status ?? old.status
  const isReworded = wanted.content !== undefined && wanted.content !== old.content
  if (isReworded && wanted.activeForm === undefined) set("activeForm", null)
  if (status !== "blocked" && wanted.waitsFor === undefined) set("waitsFor", null)
  if (status !== old.status && wanted.reason === undefined) set("reason", null)
  if (!isChanged) return []
  return [{ type: "todo-changed", id: old.id, ...briefNotes(from as TodoPatch, to as TodoPatch) }]
}

/** Marks changes of todos that an agent named by text, if it was not told that a person added them. */
export const namedByText = (events: readonly PlanEvent[], { todos, untold }: Ledger): PlanEvent[] => {
  const isNews = (id: string): boolean => {
    const { added, isKnown = false } = todos.get(id) ?? {}
    return added?.by.kind === "person" && untold.has(added.entry) && !isKnown
  }
  return events.map((event) => (event.type === "todo-changed" && isNews(event.id) ? { ...event, byText: true } : event))
}

type IsKept = (todo: Todo, field: string) => boolean

/** Which fields of a todo an exact list leaves alone: those a person has set, and those its sender has no words for. */
const keptFields = (ledger: Ledger, fields: readonly string[] | undefined): IsKept => {
  const unsaid = new Set<string>(fields && optionalFields.filter((field) => !fields.includes(field)))
  return ({ id }, field) => personSet(ledger, id, field) !== undefined || (unsaid.has(field) && ledger.todos.has(id))
}

const optionalFields: readonly string[] = [
  ...["phase", "notes", "description", "priority", "blockedBy", "owner", "reason", "waitsFor"],
]

/** An item of a list that says everything, with what it leaves unsaid and what stays nevertheless. */
const withKept = (old: Todo, item: Wanted, isKept: IsKept): Wanted => {
  const kept = Object.entries(old).filter(([field]) => field !== "id" && isKept(old, field))
  const { reason, waitsFor, ...rest }: Wanted = Object.fromEntries(kept)
  const status = item.status ?? old.status
  return {
    content: old.content,
    ...rest,
    ...(reason !== undefined && status === old.status ? { reason } : {}),
    ...(waitsFor !== undefined && status === "blocked" ? { waitsFor } : {}),
    ...item,
  }
}

/** An agent's notes are added to a person's: it means to add what it found, not to remove theirs. */
const withPersonsNotes = (old: Todo, item: Wanted, ledger: Ledger): Wanted => {
  const { notes = [] } = old
  if (!item.notes || notes.length === 0 || !isSetByPerson(ledger, old.id, "notes")) return item
  return { ...item, notes: [...notes, ...item.notes.filter((note) => !notes.includes(note))] }
}

/** An item that was only read, without the fields on which a person has the last word. */
const withoutPersons = (old: Todo, item: Wanted, ledger: Ledger): Wanted => {
  const isOpen = (field: string): boolean =>
    !isSetByPerson(ledger, old.id, field) && !(field === "content" && isPersons(ledger, old.id))
  return Object.fromEntries(Object.entries(item).filter(([field]) => isOpen(field)))
}

/** Makes a todo what its item says and nothing else. */
const replaceTodo = (old: Todo, wanted: Wanted): PlanEvent[] => {
  const { id, ...now } = newTodo(old.id, wanted)
  const { id: _, ...was } = old
  const fields = [...new Set([...Object.keys(was), ...Object.keys(now)])] as (keyof typeof now)[]
  const changed = fields.filter((field) => JSON.stringify(was[field]) !== JSON.stringify(now[field]))
  if (changed.length === 0) return []
  const patch = (todo: typeof now): TodoPatch =>
    Object.fromEntries(changed.map((field) => [field, todo[field] ?? null]))
  return [{ type: "todo-changed", id, ...briefNotes(patch(was), patch(now)) }]
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

/** The phases of a list that says everything, and those of todos that stay in them. */
const phasesOfExact = (
  plan: Plan,
  wanted: readonly Wanted[],
  { isKept, stays }: { isKept: IsKept; stays: readonly Todo[] },
): string[] => {
  const unmentioned = new Set(stays)
  const used = plan.todos.flatMap((todo) =>
    todo.phase && (unmentioned.has(todo) || isKept(todo, "phase")) ? [todo.phase] : [],
  )
  return [...new Set([...used, ...wanted.flatMap(({ phase }) => phase || [])])]
}

const phaseEvents = (plan: Plan, phases: readonly string[]): PlanEvent[] => {
  const events: PlanEvent[] = []
  // Each name's neighbours in the list after the events so far; "" is its edge.
  const before = new Map(
    ["", ...plan.phases].map((name, index) => [name, index === 0 ? "" : (plan.phases[index - 2] ?? "")]),
  )
  const behind = new Map(["", ...plan.phases].map((name, index) => [name, plan.phases[index] ?? ""]))
  const link = (one: string, other: string): void => {
    behind.set(one, other)
    before.set(other, one)
  }
  let after = ""
  for (const name of new Set(phases)) {
    if (before.get(name) !== after || !behind.has(name)) {
      events.push({ type: "phase-added", name, after })
      if (behind.has(name)) link(before.get(name) ?? "", behind.get(name) ?? "")
      link(name, behind.get(after) ?? "")
      link(after, name)
    }
    after = name
  }
  return events
}

const phasesGone = (plan: Plan, phases: readonly string[]): PlanEvent[] => {
  const names = new Set(phases)
  return plan.phases.filter((name) => !names.has(name)).map((name) => ({ type: "phase-removed", name }))
}

/** A hint is worth comparing with this many todos at most. */
const mostCompared = 2_000

/** The todos whose wording is nearest to a text, for a sentence that says what could have been meant. */
export const nearest = (plan: Plan, text: string, count = 3): Todo[] =>
  plan.todos
    .slice(0, mostCompared)
    .map((todo) => ({ todo, score: similarity(text, todo.content) }))
    .filter(({ score }) => score > 0.25)
    .sort((one, other) => other.score - one.score)
    .slice(0, count)
    .map(({ todo }) => todo)
