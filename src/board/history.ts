/** The history of a plan in words and as timeline bars, and the plan at any of those moments. */
import {
  asSeen,
  createFold,
  type Entry,
  type Happening,
  isFinished,
  type Plan,
  type PlanEvent,
  planInSight,
  replay,
  sanitise,
  type TodoSpan,
  type TodoStatus,
  type Writer,
} from "../plan/index.ts"
import type { SessionHistory, StatusSpan } from "../views/board/session.ts"
import { changesInWords } from "../views/changes-in-words.ts"

export type HistoryOptions = {
  /** The display name of the plan's agent. */
  agentName: string
  /** The plan as shown now, and the start and end times of its todos, if its session records them. */
  plan: Plan | undefined
  times: Readonly<Record<string, TodoSpan>>
  /** The viewer, if plans are shared: other people are shown by name. */
  viewer?: Writer | undefined
}

/** The history of a kept plan comes from its log; otherwise from the times its session records. */
export const historyOf = (entries: readonly Entry[], options: HistoryOptions): SessionHistory => {
  const { plan, times } = options
  const { happenings, fold } = replay(entries)
  const told = new Set(happenings.flatMap(({ events }) => events.flatMap(toldIn)))
  const spans = joinedSpans(spansIn(happenings), plan ? spansSeen(plan, times) : [])
  return {
    entries: happenings.flatMap((one) => {
      const lines = linesOf(one)
      const { id, at, by } = one.entry
      if (lines.length === 0) return []
      // A check, or a change that was undone before the agent was told, is nothing to tell.
      const isTold = told.has(id) || fold.ledger.untold.has(id) ? { isTold: told.has(id) } : {}
      return [{ id, at, by: by.kind, name: actorName(one.entry, options), lines, ...isTold }]
    }),
    spans: spans.toSorted((one, other) => (one.from < other.from ? -1 : 1)),
  }
}

/** A plan that was imported late has its real times from the session; the log only adds what came later. */
const joinedSpans = (logged: readonly StatusSpan[], seen: readonly StatusSpan[]): StatusSpan[] => {
  const begun = new Map<string, number>()
  for (const { todo, from } of logged) begun.set(todo, Math.min(begun.get(todo) ?? Infinity, Date.parse(from)))
  const earlier = seen.filter(({ todo, from }) => Date.parse(from) < (begun.get(todo) ?? Infinity))
  const known = new Map(earlier.map((span) => [span.todo, span]))
  const isNews = ({ todo, status, from, to }: StatusSpan): boolean => {
    const before = known.get(todo)
    if (!before) return true
    // A span that was still open, or had ended, at the time of the import is the same span and is not added twice.
    if (before.to === undefined) return status !== "in_progress"
    const [began, ended] = [Date.parse(from), Date.parse(before.to)]
    return from === to ? isFinished(status) && began <= ended : began > ended
  }
  return [...earlier, ...logged.filter(isNews)]
}

/** The plan as a person saw it after an entry, or undefined if the log does not have that entry. */
export const momentIn = (entries: readonly Entry[], id: string): { at: string; plan: Plan } | undefined => {
  const fold = createFold()
  for (const entry of entries) {
    fold.add(entry)
    if (entry.id === id) return { at: entry.at, plan: planInSight(fold.plan, fold.ledger) }
  }
  return undefined
}

const toldIn = (event: PlanEvent): readonly string[] => (event.type === "agent-told" ? event.entries : [])

const linesOf = ({ entry, events, names }: Happening): string[] => {
  const namesThen = entry.by.kind === "person" && entry.names ? { names: entry.names } : {}
  const seen = asSeen({ events, ...namesThen }, (id) => names.get(id) ?? id)
  return changesInWords(seen.events, seen.contentOf)
}

const actorName = ({ by, from }: Entry, { agentName, viewer }: HistoryOptions): string => {
  const { kind, id } = by
  const isHere = !from || !viewer || (from.person === viewer.person && from.machine === viewer.machine)
  const elsewhere = isHere ? "" : sanitise(`${from.person}@${from.machine}`)
  if (kind === "person" && by.isElsewhere) return elsewhere || `${sanitise(from?.person ?? id)} (on another machine)`
  if (kind === "person") return isHere || from.person === viewer.person ? "You" : elsewhere
  if (kind === "system") return "Headway"
  const name = kind === "agent" && id === "main" ? agentName : id
  return elsewhere === "" ? name : `${name} (${elsewhere})`
}

const isShown = (status: TodoStatus): boolean => status === "in_progress" || status === "blocked"

/** A todo that was finished at once gets a bar of zero length, so that the timeline shows when. */
const spansIn = (happenings: readonly Happening[]): StatusSpan[] => {
  const spans: StatusSpan[] = []
  const open = new Map<string, StatusSpan>()
  const contents = new Map<string, string>()

  const end = (todo: string, at: string): void => {
    const span = open.get(todo)
    open.delete(todo)
    // Clocks may be set back, so make sure that no bar ends before it begins.
    if (span) span.to = at < span.from ? span.from : at
  }
  const enter = (todo: string, status: TodoStatus, at: string): void => {
    end(todo, at)
    if (!isShown(status) && !isFinished(status)) return
    const span: StatusSpan = { todo, content: contents.get(todo) ?? todo, status, from: at }
    if (isFinished(status)) span.to = at
    else open.set(todo, span)
    spans.push(span)
  }
  const take = (event: PlanEvent, at: string): void => {
    if (event.type === "todo-added") {
      contents.set(event.todo.id, event.todo.content)
      enter(event.todo.id, event.todo.status, at)
    }
    if (event.type === "todo-changed") {
      if (event.to.content) contents.set(event.id, event.to.content)
      if (event.to.status) enter(event.id, event.to.status, at)
    }
    if (event.type === "todo-removed") end(event.todo.id, at)
    if (event.type === "plan-cleared") for (const { id } of event.todos) end(id, at)
  }
  for (const { entry, events } of happenings) {
    if (Number.isNaN(Date.parse(entry.at))) continue
    for (const event of events) take(event, new Date(entry.at).toISOString())
  }
  // A reworded todo appears on the timeline under its latest text.
  for (const span of spans) span.content = contents.get(span.todo) ?? span.content
  return spans
}

const spansSeen = ({ todos }: Plan, times: HistoryOptions["times"]): StatusSpan[] =>
  todos.flatMap(({ id, content, status }): StatusSpan[] => {
    const { started, finished } = times[id] ?? {}
    const from = started ?? finished
    if (from === undefined) return []
    const begun = { todo: id, content, from }
    if (finished === undefined) return [{ ...begun, status }]
    return [{ ...begun, status: started === undefined ? status : "in_progress", to: finished }]
  })
