/** The notice of a change: the updated list, and which todos changed their status. */
import type { PlanEvent } from "../../plan/event.ts"
import { transitionLine } from "../changes.ts"
import { indented, type Line, plainText } from "../text/span.ts"
import { panelRowsIn } from "./panel.ts"
import { fitted, indentIn, layoutOf, narrowed, type Todos, type ViewOptions } from "./row.ts"
import { lowered, under } from "./window.ts"

export type NoticeOptions = ViewOptions & {
  /** The events. Each change of a status gets its own line. @default [] */
  events?: readonly PlanEvent[] | undefined
  /** Shows only the lines of status changes, without the list. @default false */
  isBrief?: boolean | undefined
}

export const changeNoticeText = (plan: Todos, options: NoticeOptions = {}): string =>
  plainText(changeNoticeLines(plan, options))

/** A brief notice without status changes is empty. */
export const changeNoticeLines = (plan: Todos, options: NoticeOptions = {}): Line[] => {
  const { events = [], isBrief = false, ...rest } = options
  const layout = layoutOf(rest)
  const contentOf = wordingOf(plan, events)
  const transitions = events.flatMap((event): Line[] => {
    const status = event.type === "todo-changed" ? event.to.status : undefined
    return event.type === "todo-changed" && status
      ? [[{ text: transitionLine(contentOf(event.id), status, rest), style: { dim: true } }]]
      : []
  })
  const heading = layout.ascii ? "Todo list updated:" : "📋 Todo list updated:"
  if (isBrief) return transitions.slice(0, layout.height)
  // The list comes first. Lines that do not fit below it can be left out: the list's marks show the same changes.
  const list = under([{ text: fitted(heading, layout), style: { bold: true } }], layout, (below) => {
    const columns = indentIn(below)
    return indented(panelRowsIn(plan, narrowed(below, columns)), columns)
  })
  return [...list, ...transitions.slice(0, lowered(layout, list.length).height)]
}

/** The current text of a todo, or the last one of a removed todo. */
const wordingOf = (plan: Todos, events: readonly PlanEvent[]): ((id: string) => string) => {
  const gone = events.flatMap((event) =>
    event.type === "plan-cleared" ? event.todos : event.type === "todo-removed" ? [event.todo] : [],
  )
  const names = new Map([...gone, ...plan.todos].map(({ id, content }) => [id, content]))
  return (id) => names.get(id) ?? id
}
