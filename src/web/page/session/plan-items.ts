/** A plan as a list to show: phases as headings, and their todos. */
import { type Progress, progressOf } from "../../../plan/progress.ts"
import type { Plan, Todo } from "../../../plan/todo.ts"
import { phaseGroups } from "../../../views/plan/phases.ts"

export type PlanItem =
  | { kind: "phase"; name: string; progress: Progress }
  | { kind: "todo"; todo: Todo /** The position among all todos, from 1. */; place: number }

/** The target of a dragged todo: another todo, or the name of a phase. */
export type DropTarget = { todo: string; phase?: never } | { phase: string; todo?: never }

/** The place before or after a target. `phase: ""` stands for the todos without a phase. */
export const placeAt = (
  items: readonly PlanItem[],
  moved: string,
  target: DropTarget,
  side: "before" | "behind",
): { after?: string | undefined; phase: string } => {
  if (target.todo === undefined) return { phase: target.phase }
  const todos = items.flatMap((item) => (item.kind === "todo" && item.todo.id !== moved ? [item.todo] : []))
  const at = todos.findIndex(({ id }) => id === target.todo)
  const phase = todos[at]?.phase ?? ""
  const neighbour = side === "behind" ? todos[at] : todos[at - 1]
  return (neighbour?.phase ?? "") === phase ? { after: neighbour?.id, phase } : { phase }
}

export const planItems = (plan: Plan): PlanItem[] => {
  let place = 0
  return phaseGroups(plan).flatMap(({ name, todos }): PlanItem[] => [
    ...(name === undefined ? [] : [{ kind: "phase" as const, name, progress: progressOf({ todos }) }]),
    ...todos.map((todo): PlanItem => {
      place += 1
      return { kind: "todo", todo, place }
    }),
  ])
}
