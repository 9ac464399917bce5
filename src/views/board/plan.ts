/** The items of the plan pane: a session's phases and todos, and the plans of its sub-agents. */
import { type Progress, progressOf } from "../../plan/progress.ts"
import { isFinished, type Plan, type Todo } from "../../plan/todo.ts"
import { type PhaseGroup, phaseGroups } from "../plan/phases.ts"
import { previewOf } from "../plan/tree.ts"
import { untoldLabel } from "../when-told.ts"
import { teamOf } from "./families.ts"
import type { BoardSession } from "./session.ts"

export type PlanItem =
  | { kind: "phase"; name: string; progress: Progress }
  | { kind: "todo"; todo: Todo; isPhased: boolean }
  /** How many todos are hidden before or after. */
  | { kind: "more"; text: string }
  /** Opens the plan of a sub-agent. */
  | { kind: "agent" }
  /** Shown if there are no todos, and for changes the agent has not been told about. */
  | { kind: "words"; text: string }

/** A todo of one of the sessions on the board. */
export type TodoRef = { session: string; todo: string }

type Section = {
  session: BoardSession
  depth: number
  items: readonly PlanItem[]
  /** The index of each todo's item, by todo id. */
  places: ReadonlyMap<string, number>
  /** How many items the earlier sections have. */
  start: number
}

export type PlanList = {
  /** Whose plan it is. */
  leader: BoardSession
  count: number
  at(index: number): { session: BoardSession; depth: number; item: PlanItem } | undefined
  placeOf(ref: TodoRef): number | undefined
  /** How many todos come before an item. */
  todosBefore(index: number): number
  /** The todo that is being done, or the next one to be. */
  current: TodoRef | undefined
  /** How many todos match the filter, and how many there are. */
  found: { shown: number; all: number }
}

export type PlanOptions = {
  /** Shows only a preview around the current todo, and only the names of the sub-agents. */
  isCollapsed: boolean
  filter: string
}

/** The plans of at most this many sub-agents are shown; the others are only counted. */
const mostPlans = 12

/** The keys of the sessions whose plans are shown with a session: its own, and those of its sub-agents. */
export const plansShownWith = (sessions: readonly BoardSession[], session: BoardSession): string[] => [
  session.key,
  ...teamOf(sessions, session)
    .slice(0, mostPlans)
    .flatMap((member) => (member.session.todos > 0 ? [member.session.key] : [])),
]

export const planList = (
  sessions: readonly BoardSession[],
  session: BoardSession,
  { isCollapsed, filter }: PlanOptions,
): PlanList => {
  const sections: Section[] = []
  let count = 0
  const add = (one: BoardSession, depth: number, part: Omit<Items, "current">): void => {
    sections.push({ session: one, depth, start: count, ...part })
    count += part.items.length
  }
  const own = itemsOf(session, { isCollapsed, filter })
  add(session, 0, own)
  for (const [index, member] of teamOf(sessions, session).entries()) {
    const isShown = !isCollapsed && index < mostPlans && member.session.todos > 0
    const { items, places } = isShown ? itemsOf(member.session, { isCollapsed: false, filter }) : noItems
    // With a filter, sub-agents without a match are left out.
    if (filter !== "" && places.size === 0) continue
    add(member.session, member.depth, { items: [{ kind: "agent" }], places: nowhere })
    add(member.session, member.depth, { items, places })
  }
  return {
    leader: session,
    count,
    at(index) {
      const section = sectionAt(sections, index)
      const item = section?.items[index - section.start]
      return section && item ? { session: section.session, depth: section.depth, item } : undefined
    },
    placeOf({ session: key, todo }) {
      for (const { session: one, places, start } of sections) {
        const place = one.key === key ? places.get(todo) : undefined
        if (place !== undefined) return start + place
      }
      return undefined
    },
    todosBefore(index) {
      let todos = 0
      for (const { items, places, start } of sections) {
        if (start >= index) break
        const isPassed = start + items.length <= index
        todos += isPassed ? places.size : items.slice(0, index - start).filter(({ kind }) => kind === "todo").length
      }
      return todos
    },
    current: own.current === undefined ? undefined : { session: session.key, todo: own.current },
    found: { shown: own.places.size, all: session.plan?.todos.length ?? 0 },
  }
}

const nowhere: ReadonlyMap<string, number> = new Map()

type Items = Pick<Section, "items" | "places"> & { current: string | undefined }

const noItems: Items = { items: [], places: nowhere, current: undefined }

/** The last section that begins at or before the index. */
const sectionAt = (sections: readonly Section[], index: number): Section | undefined => {
  let [low, high] = [0, sections.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((sections[middle]?.start ?? 0) <= index) low = middle
    else high = middle - 1
  }
  return sections[low]
}

const itemsOf = (session: BoardSession, options: PlanOptions): Items => {
  const { plan } = session
  const untoldChanges = options.filter === "" ? untoldItems(session) : []
  if (plan === undefined || plan.todos.length === 0) {
    return { ...noItems, items: [{ kind: "words", text: wordsFor(session) }, ...untoldChanges] }
  }
  const made = planItems(plan, options)
  return untoldChanges.length > 0 ? { ...made, items: [...made.items, ...untoldChanges] } : made
}

/** The person's changes that the agent has not been told about, and what the agent did against them. */
const untoldItems = ({ untoldChanges }: BoardSession): PlanItem[] => {
  if (!untoldChanges) return []
  const { whenTold, untold, against } = untoldChanges
  const lines = [
    ...untold.map((line) => `${untoldLabel(whenTold)}: ${line}`),
    ...against.map((line) => `${whenTold.agent} ${line}`),
  ]
  return lines.length > 0 ? [{ kind: "words", text: lines.join("\n") }] : []
}

const wordsFor = ({ planTool }: BoardSession): string =>
  planTool === "absent"
    ? "This agent has no todo tool here, so it has no plan.\nMost agents have a switch that turns one on."
    : "No plan yet."

/** A plan is never changed in place, so its items are computed once, not for every frame. */
const itemCache = new WeakMap<Plan, { options: PlanOptions; items: Items }>()

const planItems = (plan: Plan, options: PlanOptions): Items => {
  const known = itemCache.get(plan)
  if (known?.options.isCollapsed === options.isCollapsed && known.options.filter === options.filter) return known.items
  const items = itemize(plan, options)
  itemCache.set(plan, { options, items })
  return items
}

const itemize = (plan: Plan, { isCollapsed, filter }: PlanOptions): Items => {
  const groups = filter === "" ? phaseGroups(plan) : matchingGroups(plan, filter)
  const count = groups.reduce((sum, { todos }) => sum + todos.length, 0)
  const isPreview = isCollapsed && filter === ""
  const { from, to } = isPreview ? previewOf(groups.flatMap(({ todos }) => todos)) : { from: 0, to: count }
  const items: PlanItem[] = []
  const places = new Map<string, number>()
  if (from > 0) items.push({ kind: "more", text: `${from} earlier` })
  let start = 0
  for (const { name, todos } of groups) {
    const visible = todos.slice(Math.max(0, from - start), Math.max(0, to - start))
    start += todos.length
    if (visible.length === 0 && to - from < count) continue
    if (name !== undefined) items.push({ kind: "phase", name, progress: progressOf({ todos }) })
    for (const todo of visible) {
      places.set(todo.id, items.length)
      items.push({ kind: "todo", todo, isPhased: name !== undefined })
    }
  }
  if (to < count) items.push({ kind: "more", text: `${count - to} more` })
  if (count === 0) items.push({ kind: "words", text: "No todo contains these words." })
  return { items, places, current: currentOf(groups)?.id }
}

const matchingGroups = (plan: Plan, filter: string): PhaseGroup[] => {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = ({ content, status }: Todo): boolean => {
    const text = `${content} ${status.replace("_", " ")}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return phaseGroups(plan)
    .map((group) => ({ ...group, todos: group.todos.filter(matches) }))
    .filter(({ todos }) => todos.length > 0)
}

const currentOf = (groups: readonly PhaseGroup[]): Todo | undefined =>
  firstIn(groups, ({ status }) => status === "in_progress") ??
  firstIn(groups, ({ status }) => !isFinished(status)) ??
  groups.at(-1)?.todos.at(-1)

const firstIn = (groups: readonly PhaseGroup[], isIt: (todo: Todo) => boolean): Todo | undefined => {
  for (const { todos } of groups) {
    const found = todos.find(isIt)
    if (found) return found
  }
  return undefined
}
