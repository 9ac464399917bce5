/** A plan that moves to another session: the changes on arrival. */
import { apply } from "./apply.ts"
import type { Entry, PlanEvent, TodoChanged } from "./event.ts"
import { diff } from "./list/diff.ts"
import { setterOf } from "./log/by-person.ts"
import type { Ledger, Stamp, TodoRecord, Tombstone } from "./log/ledger.ts"
import { isUntoldAbout } from "./log/untold.ts"
import { normalise } from "./text/wording.ts"
import type { Plan, Todo } from "./todo.ts"

/** The plan as it left, with what is known about its past. */
export type Moved = {
  plan: Plan
  ledger: Pick<Ledger, "removed">
  /** It was started separately, so its ids differ from those of the plan it joins. @default false */
  isOtherPlan?: boolean
  /** Todos of the plan it joins that a person reworded in the plan that left. */
  rewordings?: readonly TodoChanged[]
}

/**
 * Returns what to write in the log that a plan moves to, or undefined once it has arrived. If several processes move it at
 * the same time, they all use the same call id, so only the first one in the log counts; the others ask again.
 */
export const arrivalOf = (
  moved: Moved,
  from: string,
  { plan, ledger }: { plan: Plan; ledger: Ledger },
): (Pick<Entry, "events"> & { via: NonNullable<Entry["via"]> }) | undefined => {
  // What was done here since it arrived stays, so only missing todos are added.
  const isHere = ledger.moved?.from === from
  const { rewordings = [] } = moved
  const reworded = rewordings.length > 0 ? apply(plan, rewordings).plan : plan
  const events = isHere
    ? missing(moved, plan, ledger)
    : [...rewordings, ...removals(moved, reworded), ...rest(moved, reworded, ledger)]
  if (isHere && events.length === 0) return undefined
  const via = { dialect: "moved", tool: "session", callId: nextCall(from, ledger) }
  return { via, events: [{ type: "plan-moved", from }, ...events] }
}

/**
 * A plan of its own as it left, without what was said here later: two logs that were written at the same time have no order but
 * that of their times. What a person decided here and the agent does not know yet was not overruled there by the agent.
 */
export const withoutOlder = (
  { plan: left, ledger: past }: { plan: Plan; ledger: Pick<Ledger, "todos" | "removed"> },
  { plan, ledger }: { plan: Plan; ledger: Ledger },
): Moved => {
  const here = new Map(plan.todos.map((todo) => [normalise(todo.content), todo]))
  const reworded = new Map(plan.todos.flatMap((todo) => formerlyOf(ledger, todo).map((text) => [text, todo])))
  const gone = new Map([...ledger.removed.values()].flatMap((one) => wordingsOf(one).map((text) => [text, one.at])))
  const renamed = rewordedThere({ plan: left, ledger: past }, { here, ledger })
  const todos = left.todos.flatMap((todo): Todo[] => {
    const text = normalise(todo.content)
    const same = here.get(text) ?? reworded.get(text) ?? renamed.get(todo.id)
    if (same) return [withoutFields(todo, past.todos.get(todo.id), same, ledger)]
    return (gone.get(normalise(todo.content)) ?? "") > lastTime(past.todos.get(todo.id)) ? [] : [todo]
  })
  // An id means different todos in the two plans: a todo here was removed there if the text is the same and it was not added again.
  const live = new Set(left.todos.map(({ content }) => normalise(content)))
  const removed = new Map(
    [...past.removed.values()].flatMap((one): [string, Tombstone][] => {
      const text = normalise(one.todo.content)
      const same = live.has(text) ? undefined : here.get(text)
      return same && one.at > lastTime(ledger.todos.get(same.id)) ? [[same.id, { ...one, todo: same }]] : []
    }),
  )
  const rewordings = left.todos.flatMap(({ id, content }): TodoChanged[] => {
    const same = renamed.get(id)
    return same ? [{ type: "todo-changed", id: same.id, from: { content: same.content }, to: { content } }] : []
  })
  return { plan: { ...left, todos }, ledger: { removed }, isOtherPlan: true, rewordings }
}

/** By the id of a todo that was reworded in the plan that left, the todo here that still has the former wording from before that. */
const rewordedThere = (
  { plan, ledger: past }: { plan: Plan; ledger: Pick<Ledger, "todos"> },
  { here, ledger }: { here: ReadonlyMap<string, Todo>; ledger: Ledger },
): ReadonlyMap<string, Todo> => {
  const texts = new Set(plan.todos.map(({ content }) => normalise(content)))
  const found = new Map<string, Todo>()
  const taken = new Set<Todo>()
  for (const { id, content } of plan.todos) {
    const record = past.todos.get(id)
    if (!record?.formerly || here.has(normalise(content))) continue
    const former = record.formerly.map(normalise).filter((text) => !texts.has(text))
    const same = former.map((text) => here.get(text)).find((todo) => todo && !taken.has(todo))
    if (!same || timeOf(ledger.todos.get(same.id), "content") >= timeOf(record, "content")) continue
    taken.add(same)
    found.set(id, same)
  }
  return found
}

/** What is left out of a patch stays as it is. */
const withoutFields = (todo: Todo, past: TodoRecord | undefined, same: Todo, ledger: Ledger): Todo => {
  const { status } = same
  const here = ledger.todos.get(same.id)
  const isOverruled = (field: string): boolean =>
    stampOf(past, field)?.by.kind !== "person" &&
    (isSetUntold(ledger, same, causeOf(field)) || (causeOf(field) === "status" && isWithoutWord(todo, same, ledger)))
  const isOlder = (field: string): boolean => timeOf(here, field) > timeOf(past, field) || isOverruled(field)
  const { id, content } = todo
  const kept = Object.entries(todo).filter(([field]) => !isOlder(field))
  return { status, ...Object.fromEntries(kept), id, content }
}

/** The reason for a todo's status was set with the status. */
const causeOf = (field: string): string => (field === "reason" || field === "waitsFor" ? "status" : field)

/** Who gave a field its value, and when. */
const stampOf = (record: TodoRecord | undefined, field: string): Stamp | undefined => {
  const named = causeOf(field)
  return record && Object.hasOwn(record.set, named) ? record.set[named] : record?.added
}

const timeOf = (record: TodoRecord | undefined, field: string): string => stampOf(record, field)?.at ?? ""

const isSetUntold = (ledger: Ledger, { id }: Todo, field: string): boolean => {
  const stamp = setterOf(ledger, id, field)
  return stamp?.by.kind === "person" && isUntoldAbout(ledger, stamp.entry, id)
}

/** Few agents have a word for it: "pending" says nothing about what a person blocked or cancelled. */
const isWithoutWord = ({ status }: Todo, same: Todo, ledger: Ledger): boolean =>
  status === "pending" &&
  (same.status === "blocked" || same.status === "cancelled") &&
  setterOf(ledger, same.id, "status")?.by.kind === "person"

const formerlyOf = ({ todos }: Ledger, { id }: Todo): string[] => (todos.get(id)?.formerly ?? []).map(normalise)

export const lastTime = (record: TodoRecord | undefined): string =>
  record
    ? ([record.added, ...Object.values(record.set)]
        .map((stamp) => stamp?.at ?? "")
        .toSorted()
        .at(-1) ?? "")
    : ""

/** The changes of a plan that continued elsewhere, without duplicates of equal todos. What others wrote here stays. */
const rest = ({ plan: { todos, phases }, isOtherPlan = false }: Moved, plan: Plan, ledger: Ledger): PlanEvent[] =>
  diff(plan, todos, {
    mode: "patch",
    saysWholeList: true,
    isOtherPlan,
    // Todos in the plan that moved were restored there on purpose.
    bringsBack: !isOtherPlan,
    phases: [...new Set([...phases, ...plan.phases])],
    ledger,
  }).events

/** Todos that were removed from the plan that moved and are still here unchanged. */
const removals = ({ ledger: { removed } }: Moved, { todos }: Plan): PlanEvent[] =>
  todos.flatMap((todo) => (removed.get(todo.id)?.todo.content === todo.content ? [{ type: "todo-removed", todo }] : []))

/** The same id for all processes that see the same log, and never one that is already in it. */
const nextCall = (from: string, { calls, moves }: Ledger): string => {
  const call = (number: number): string => `moved ${number} from ${from}`
  let number = moves
  while (calls.has(call(number))) number += 1
  return call(number)
}

/** The todos that no todo here equals, or equalled before it was reworded or removed. */
const missing = ({ plan: moved, isOtherPlan = false }: Moved, plan: Plan, ledger: Ledger): PlanEvent[] => {
  const removed = [...ledger.removed.values()].flatMap(wordingsOf)
  const reworded = [...ledger.todos.values()].flatMap(({ formerly = [] }) => formerly.map(normalise))
  const known = new Set([...plan.todos.map(({ content }) => normalise(content)), ...removed, ...reworded])
  const isKnown = ({ id, content }: Todo): boolean =>
    known.has(normalise(content)) || (!isOtherPlan && ledger.todos.get(id)?.set.content !== undefined)
  return moved.todos.flatMap((todo): PlanEvent[] => (isKnown(todo) ? [] : [{ type: "todo-added", todo }]))
}

/** All wordings of a removed todo, the last one at the end. */
export const wordingsOf = ({ todo, record }: Tombstone): string[] =>
  [...(record?.formerly ?? []), todo.content].map(normalise)
