/**
 * Finds the window of each todo, the part of a session that counts for it: while it was in progress, or since the last
 * change of the list.
 */

import { addTo } from "../plan/grouped.ts"
import { isFinished, type TodoStatus } from "../plan/index.ts"
import type { WindowKind } from "./evidence.ts"
import { type Action, type ListChange, placeAfter, type Timeline } from "./timeline.ts"

/** A range of orders. `from` is not part of it. */
type Span = { from: number; to: number; lines: readonly [number, number] }

export type TodoWindow = {
  agent: string
  id: string
  content: string
  status: TodoStatus
  kind: WindowKind
  spans: readonly Span[]
  /** The order in which it was marked done. */
  ticked?: number
  /** When it was marked done, if known. */
  tickedAt?: string
  /** The ids of the other todos that were marked done with it. */
  sharedWith: readonly string[]
  /** The same object for all todos that were marked done together. */
  burst?: object
  /** Whether it disappeared from the list while open. */
  isDropped: boolean
}

/** All todos of a session, in order of appearance. */
export const windowsOf = (timeline: Timeline): TodoWindow[] => {
  const changes = timeline.changes()
  const end = endOf(timeline.actions.at(-1), changes.at(-1))
  const byAgent = new Map<string, ListChange[]>()
  for (const change of changes) addTo(byAgent, change.agent, change)
  return [...byAgent].flatMap(([agent, own]) => windowsOfAgent(agent, own, timeline.actionsOf(agent), end))
}

/** The state of a todo while its list is read. */
type Course = {
  id: string
  content: string
  status: TodoStatus
  began?: Position
  spans: Span[]
  ticked?: Position
  /** The last change of the list before it was marked done. */
  before: Position
  isGone: boolean
}

type Position = Pick<ListChange, "order" | "line" | "at">

const start: Position = { order: 0, line: 1 }

const windowsOfAgent = (
  agent: string,
  changes: readonly ListChange[],
  actions: readonly Action[],
  end: Position,
): TodoWindow[] => {
  const courses = new Map<string, Course>()
  let before = start
  let shown: readonly Course[] = []
  for (const change of changes) {
    shown = follow(courses, change, before, shown)
    before = { order: change.order, line: change.line }
  }
  const all = [...courses.values()]
  for (const course of all) {
    if (course.began) course.spans.push(spanOf(course.began, end))
  }
  const burstOf = burstsOf(all, actions)
  return all.map((course) => windowOf(agent, course, burstOf.get(course)))
}

/** Returns the todos of the current list; `shown` are those of the previous one. */
const follow = (
  courses: Map<string, Course>,
  change: ListChange,
  before: Position,
  shown: readonly Course[],
): readonly Course[] => {
  const place = { order: change.order, line: change.line, at: change.at }
  const listed = change.todos.map((todo) => {
    const known = courses.get(todo.id)
    const course = known ?? { ...todo, status: "pending" as const, spans: [], before: start, isGone: false }
    if (!known) courses.set(todo.id, course)
    course.content = todo.content
    course.isGone = false
    if (todo.status !== course.status) move(course, todo.status, place, before)
    return course
  })
  const still = new Set(listed)
  for (const course of shown) {
    if (still.has(course)) continue
    course.isGone = true
    if (course.began) course.spans.push(spanOf(course.began, place))
    delete course.began
  }
  return listed
}

const move = (course: Course, status: TodoStatus, place: Position, before: Position): void => {
  if (course.began) course.spans.push(spanOf(course.began, place))
  delete course.began
  if (status === "in_progress") course.began = place
  if (status === "completed") {
    course.ticked = place
    course.before = before
  } else delete course.ticked
  course.status = status
}

const spanOf = (from: Position, to: Position): Span => ({ from: from.order, to: to.order, lines: [from.line, to.line] })

const endOf = (action: Action | undefined, change: ListChange | undefined): Position => {
  const order = Math.max(action?.order ?? 0, change?.order ?? 0) + 1
  return { order, line: Math.max(action?.line ?? 1, change?.line ?? 1) }
}

/** Todos that were marked done in one change of the list, or without work in between. */
type Burst = { courses: readonly Course[]; spans: readonly Span[] }

const burstsOf = (courses: readonly Course[], actions: readonly Action[]): Map<Course, Burst> => {
  const groups: Course[][] = []
  for (const together of tickedTogether(courses)) {
    const last = groups.at(-1)
    const next = actions[placeAfter(actions, orderOf(last?.at(-1)))]
    const isBetween = next !== undefined && next.order < orderOf(together[0])
    // Work for one todo is no evidence for another that was in progress alone afterwards.
    if (last && !isBetween && !together.some(wasInProgress)) for (const course of together) last.push(course)
    else groups.push(together)
  }
  const bursts = groups.flatMap((group) =>
    group.length > 1 ? [{ courses: group, spans: joined(group.flatMap(ownSpans)) }] : [],
  )
  return new Map(bursts.flatMap((burst) => burst.courses.map((course) => [course, burst] as const)))
}

/** The todos marked done, grouped by the change of the list, in order. */
const tickedTogether = (courses: readonly Course[]): Course[][] => {
  const ticked = courses.filter((course) => course.ticked !== undefined)
  const groups: Course[][] = []
  for (const course of ticked.toSorted((one, other) => orderOf(one) - orderOf(other))) {
    const last = groups.at(-1)
    if (last && orderOf(last[0]) === orderOf(course)) last.push(course)
    else groups.push([course])
  }
  return groups
}

/** Joins spans that overlap or touch, because only a change of the list is between them. */
const joined = (spans: readonly Span[]): Span[] => {
  const found: Span[] = []
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = found.at(-1)
    if (!last || span.from > last.to) found.push(span)
    else {
      const lines = [Math.min(last.lines[0], span.lines[0]), Math.max(last.lines[1], span.lines[1])] as const
      found[found.length - 1] = { from: last.from, to: Math.max(last.to, span.to), lines }
    }
  }
  return found
}

const orderOf = (course: Course | undefined): number => course?.ticked?.order ?? 0

/** The spans of a todo alone: while it was in progress, otherwise since the last change of the list. */
const ownSpans = (course: Course): Span[] => {
  const { spans, ticked, before } = course
  if (wasInProgress(course)) return spans
  return ticked ? [spanOf(before, ticked)] : []
}

const wasInProgress = ({ spans }: Course): boolean => spans.some(({ from, to }) => to > from)

/** The most other todos named that were marked done together with a todo. */
const mostShared = 200

const windowOf = (agent: string, course: Course, burst: Burst | undefined): TodoWindow => {
  const { id, content, status, spans, ticked, isGone } = course
  const kind: WindowKind = spans.length > 0 ? "in-progress" : ticked ? "since-last-change" : "none"
  const others = burst?.courses.slice(0, mostShared + 1).filter((one) => one !== course) ?? []
  return {
    agent,
    id,
    content,
    status,
    kind,
    spans: burst?.spans ?? ownSpans(course),
    ...(ticked ? { ticked: ticked.order } : {}),
    ...(ticked?.at === undefined ? {} : { tickedAt: ticked.at }),
    sharedWith: others.slice(0, mostShared).map((one) => one.id),
    ...(burst ? { burst } : {}),
    isDropped: isGone && !isFinished(status),
  }
}
