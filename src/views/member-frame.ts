/** The plan of one member as a low screen can hold it: its heading, and the part of its list that surrounds the current todo. */
import { isFinished, type Todo } from "../plan/todo.ts"
import { planHeading, planRows } from "./plan-heading.ts"
import { fitted, layoutOf, lineOf, type Todos, type ViewOptions } from "./row.ts"
import type { Colour, Line } from "./span.ts"
import { withAir } from "./window.ts"

export type MemberFrameOptions = ViewOptions & {
  /** Rows it may fill. */
  height: number
  /** @default "cyan" */
  colour?: Colour | undefined
  /** The agent's turn is over: what is left shows as completed, in this view only. @default false */
  hasEnded?: boolean | undefined
}

/** Nothing for an empty plan. What is left out is counted in the last row, where there is room to spare for it. */
export const memberFrame = (plan: Todos, member: string, options: MemberFrameOptions): Line[] => {
  const { height, colour = "cyan", hasEnded = false, ...view } = options
  if (plan.todos.length === 0 || height < 1) return []
  const room = Math.max(1, height - 1)
  const isWhole = plan.todos.length <= room
  const counts = !isWhole && room >= 3
  const size = isWhole ? plan.todos.length : counts ? room - 1 : room
  const start = startOf(plan.todos, size)
  // Only what is seen is drawn: a plan may have thousands of todos.
  const seen = plan.todos.slice(start, start + size).map((todo) => (hasEnded ? ended(todo) : todo))
  const rows = planRows({ todos: seen }, view).map(
    (row): Line => [{ text: lineOf(row), style: { colour: row.status === "completed" ? "green" : "yellow" } }],
  )
  const left = counts ? [leftOut(start, plan.todos.length - start - size, view)] : []
  const heading: Line = [{ text: planHeading(member, view), style: { bold: true, colour } }]
  return height < 2 ? rows : withAir([heading, ...rows, ...left], height)
}

/** SPEC A7: an agent that ends its turn seldom ticks off its last todos; what is blocked or cancelled stays so. */
const ended = (todo: Todo): Todo =>
  todo.status === "pending" || todo.status === "in_progress" ? { ...todo, status: "completed" } : todo

/** A third of the rows goes to what came before. */
const startOf = (todos: readonly Todo[], size: number): number =>
  Math.max(0, Math.min(currentIndex(todos) - Math.floor(size / 3), todos.length - size))

/** The todo in progress, else the first that is left, else the last. */
const currentIndex = (todos: readonly Todo[]): number => {
  const active = todos.findIndex(({ status }) => status === "in_progress")
  if (active >= 0) return active
  const next = todos.findIndex(({ status }) => !isFinished(status))
  return next >= 0 ? next : todos.length - 1
}

const leftOut = (above: number, below: number, view: ViewOptions): Line => {
  const layout = layoutOf(view)
  const counts = [above > 0 ? `${above} above` : [], below > 0 ? `${below} below` : []].flat()
  return [{ text: fitted(`${layout.ellipsis} ${counts.join(", ")}`, layout), style: { dim: true } }]
}
