/** When the todos of an observed list got their status, and how long each was in progress before. */

import { isFinished, type Plan, type Said, spanOf, type Todo, type TodoSpan } from "../plan/index.ts"
import { ownOf } from "./line.ts"

/** Compact data for the index. `spent` is in milliseconds; absent if its beginning is unknown. */
export type Since = readonly [since: string, spent?: number]

/** By todo id. A todo without a known change is absent. */
export type Times = Readonly<Record<string, Since>>

/** A list and what is known about its times. */
export type Timed = {
  plan: Plan | undefined
  times: Times
  /** When its agent last stated each part of it. Absent if its calls are unknown. */
  said?: Said | undefined
}

export const noTimes: Times = {}

/** The times after a call changed a list. */
export const timesAfter = (before: Timed, plan: Plan, at: string | undefined): Times => {
  const old = new Map(before.plan?.todos.map((todo) => [todo.id, todo]))
  return timesOf(plan, (todo) => {
    const known = old.get(todo.id)
    if (known) return changed(known, ownOf(before.times, todo.id), todo, at)
    return at === undefined ? undefined : [at, 0]
  })
}

/**
 * The same for todos without lasting ids, which are recognised by their texts. The beginning of the list is unknown
 * too, so the todos of the first list have no times.
 */
export const timesByContent = (before: Timed | undefined, plan: Plan, at: string | undefined): Times => {
  if (!before?.plan) return noTimes
  const old = byContent(before.plan)
  return timesOf(plan, (todo) => {
    const known = old(todo)
    if (known) return changed(known, ownOf(before.times, known.id), todo, at)
    return at === undefined ? undefined : [at, 0]
  })
}

export const observedSpans = (timed: Timed | undefined): Record<string, TodoSpan> =>
  Object.fromEntries(
    (timed?.plan?.todos ?? []).flatMap(({ id, status }) => {
      const [since, spent] = ownOf(timed?.times, id) ?? []
      const span = since === undefined ? undefined : spanOf(status, since, spent)
      return span ? [[id, span] as const] : []
    }),
  )

const timesOf = (plan: Plan, sinceOf: (todo: Todo) => Since | undefined): Times =>
  Object.fromEntries(
    plan.todos.flatMap((todo) => {
      const since = sinceOf(todo)
      return since ? [[todo.id, since] as const] : []
    }),
  )

const changed = (was: Todo, known: Since | undefined, is: Todo, at: string | undefined): Since | undefined => {
  if (was.status === is.status || at === undefined) return known
  if (was.status !== "in_progress") return [at, ...spentIn(known, is)]
  const [since, spent = 0] = known ?? []
  return since === undefined ? [at] : [at, spent + Math.max(0, Date.parse(at) - Date.parse(since) || 0)]
}

/** The time in progress so far. A todo that begins now has none. */
const spentIn = (known: Since | undefined, { status }: Todo): [spent?: number] => {
  if (known?.[1] !== undefined) return [known[1]]
  return isFinished(status) ? [] : [0]
}

/** Todos with the same text are returned one after the other, in order. */
const byContent = ({ todos }: Plan): ((todo: Todo) => Todo | undefined) => {
  const places = new Map<string, Todo[]>()
  for (const todo of todos) {
    const place = places.get(todo.content)
    if (place) place.push(todo)
    else places.set(todo.content, [todo])
  }
  return ({ content }) => places.get(content)?.shift()
}
