/** A plan in one line for a status bar: the current todo, the progress, and the time the todo has taken. */
import { countsOf } from "../../plan/lookup.ts"
import { activeTodo, nextTodo, progressOf } from "../../plan/progress.ts"
import { activeFormOf } from "../../plan/text/active-form.ts"
import { isFinished, type Todo, type TodoStatus } from "../../plan/todo.ts"
import { widthOf } from "../text/width.ts"
import { contradictedIn, doubtText, markIn, signOf } from "./evidence-marks.ts"
import { brackets, symbols } from "./marks.ts"
import { reasonOf } from "./reason.ts"
import { fitted, layoutOf, type Todos, type ViewOptions } from "./row.ts"

type Layout = ReturnType<typeof layoutOf>

export type StatusLineOptions = ViewOptions & {
  /** How long the current todo has had its status, in words: `2m`. */
  elapsed?: string | undefined
  /** The session's title, shown last if there is room. */
  title?: string | undefined
}

/** `▶ Running tests · 3/7 · 2m`; empty if no todo counts. On a narrow line, the text is cut first. */
export const statusLine = (plan: Todos, { title, ...options }: StatusLineOptions = {}): string => {
  const layout = layoutOf(options)
  const line = planLine(plan, layout, options.elapsed)
  if (line === "" || title === undefined || title === "") return line
  const dot = dotOf(layout)
  const room = layout.width - widthOf(line) - widthOf(dot)
  return room < Math.min(leastTitle, widthOf(title)) ? line : line + dot + fitted(title, { ...layout, width: room })
}

/** In columns. A shorter piece of a title would be useless. */
const leastTitle = 16

const dotOf = ({ ascii }: Pick<Layout, "ascii">): string => (ascii ? " - " : " · ")

const planLine = (plan: Todos, layout: Layout, elapsed: string | undefined): string => {
  const { completed, total } = progressOf(plan)
  if (total === 0) return ""
  const marks = layout.ascii ? brackets : symbols
  const { todo: current, status } = currentTodo(plan)
  const doubted = layout.marks ? contradictedIn(layout.marks) : 0
  if (!current) {
    const line = `${signOfAll(plan, layout)}${marks.completed} ${completed}/${total}`
    return fitted(doubted > 0 ? `${line}${dotOf(layout)}${doubtText(doubted)}` : line, layout)
  }
  const { blocked } = countsOf(plan)
  const facts = [
    `${completed}/${total}`,
    doubted > 0 ? doubtText(doubted) : [],
    status === "in_progress" ? (elapsed ?? []) : [],
    current.status !== "blocked" && blocked > 0 ? `${blocked} blocked` : [],
  ].flat()
  const [mark, dot] = [`${marks[status]} `, dotOf(layout)]
  for (let count = facts.length; count > 0; count -= 1) {
    const end = facts
      .slice(0, count)
      .map((fact) => dot + fact)
      .join("")
    const room = layout.width - widthOf(mark) - widthOf(end)
    // Facts without their subject would be confusing.
    if (room >= leastWords) return mark + fitted(wordsOf(current), { ...layout, width: room }) + end
  }
  return fitted(`${mark}${completed}/${total}`, layout)
}

const leastWords = 8

/** The sign of the weakest evidence when all todos are done; empty if the evidence for any todo is unknown. */
const signOfAll = ({ todos }: Todos, { marks, ascii }: Layout): string => {
  const done = todos.filter(({ status }) => status === "completed")
  const known = done.flatMap((todo) => markIn(marks, todo) ?? [])
  if (known.length === 0) return ""
  const worst = known.find(({ word }) => word === "contradicted")
  if (worst) return signOf(worst, ascii)
  const isBacked = known.length === done.length && known.every(({ word }) => word === "backed" || word === "verified")
  return isBacked ? signOf({ word: "backed" }, ascii) : ""
}

/** The current todo, otherwise the next one, otherwise the first of those that all wait for something, as in listings. */
const currentTodo = (plan: Todos): { todo: Todo | undefined; status: TodoStatus } => {
  const active = activeTodo(plan)
  if (active) return { todo: active, status: "in_progress" }
  const next = nextTodo(plan)
  if (next) return { todo: next, status: "pending" }
  return { todo: plan.todos.find(({ status }) => !isFinished(status)), status: "blocked" }
}

const wordsOf = (todo: Todo): string => {
  if (todo.status === "in_progress") return activeFormOf(todo)
  const reason = reasonOf(todo)
  return reason === "" ? todo.content : `${todo.content} (${reason})`
}
