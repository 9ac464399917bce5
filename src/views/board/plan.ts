/** What the plan pane can show of a session, item by item: phases, todos, and the plans of those who work for it. */
import { type Progress, progressOf } from "../../plan/progress.ts"
import { isFinished, type Plan, type Todo } from "../../plan/todo.ts"
import { notTold } from "../hearing.ts"
import { type PhaseGroup, phaseGroups } from "../plan/phases.ts"
import { previewOf } from "../plan/tree.ts"
import { teamOf } from "./families.ts"
import type { BoardSession } from "./session.ts"

export type PlanItem =
  | { kind: "phase"; name: string; progress: Progress }
  | { kind: "todo"; todo: Todo; isPhased: boolean }
  /** How many todos are hidden before or after. */
  | { kind: "more"; text: string }
  /** Opens the plan of a sub-agent. */
  | { kind: "agent" }
  /** Shown if there are no todos, and for changes the agent does not know. */
  | { kind: "words"; text: string }

/** A todo of one of the sessions on the board. */
export type TodoRef = { session: string; todo: string }

type Section = {
  session: BoardSession
  depth: number
  items: readonly PlanItem[]
  /** Where a todo is among the items, by its id. */
  places: ReadonlyMap<string, number>
  /** How many items are in the sections before. */
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
  /** How many todos a filter lets through, of how many. */
  found: { shown: number; all: number }
}

export type PlanOptions = {
  /** Only a preview around the current todo, and only the names of the sub-agents. */
  isCollapsed: boolean
  filter: string
}

/** The plans of this many sub-agents are shown; the others are only counted. */
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
    // Under a filter a sub-agent without a match is left out.
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
  const unheard = options.filter === "" ? unheardItems(session) : []
  if (plan === undefined || plan.todos.length === 0) {
    return { ...noItems, items: [{ kind: "words", text: wordsFor(session) }, ...unheard] }
  }
  const made = planItems(plan, options)
  return unheard.length > 0 ? { ...made, items: [...made.items, ...unheard] } : made
}

/** What a person changed and the agent does not know, and what the agent did against it. */
const unheardItems = ({ unheard }: BoardSession): PlanItem[] => {
  if (!unheard) return []
  const { hearing, untold, against } = unheard
  const lines = [
    ...untold.map((line) => `${notTold(hearing)}: ${line}`),
    ...against.map((line) => `${hearing.agent} ${line}`),
  ]
  return lines.length > 0 ? [{ kind: "words", text: lines.join("\n") }] : []
}

const wordsFor = ({ planTool }: BoardSession): string =>
  planTool === "absent"
    ? "This agent has no todo tool here, so it has no plan.\nMost agents have a switch that turns one on."
    : "No plan yet."

/** A plan is never changed in place, so its items are computed once, not for every frame. */
const knownItems = new WeakMap<Plan, { options: PlanOptions; items: Items }>()

const planItems = (plan: Plan, options: PlanOptions): Items => {
  const known = knownItems.get(plan)
  if (known?.options.isCollapsed === options.isCollapsed && known.options.filter === options.filter) return known.items
  const items = itemize(plan, options)
  knownItems.set(plan, { options, items })
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
