/** Groups the todos of a plan by phase. */

import type { Plan, Todo } from "../../plan/todo.ts"

export type PhasedPlan = Pick<Plan, "todos" | "phases">

/** A phase and its todos. The group without a name has the todos without a phase. */
export type PhaseGroup = { name?: string; todos: Todo[] }

/** Todos without a phase first, then every phase of the plan, even empty ones, then phases that only todos name. */
export const phaseGroups = (plan: PhasedPlan): PhaseGroup[] => {
  const loose: Todo[] = []
  const phases = new Map<string, Todo[]>(plan.phases.map((name) => [name, []]))
  for (const todo of plan.todos) {
    if (todo.phase === undefined) loose.push(todo)
    else {
      const known = phases.get(todo.phase)
      if (known) known.push(todo)
      else phases.set(todo.phase, [todo])
    }
  }
  const named = [...phases].map(([name, todos]): PhaseGroup => ({ name, todos }))
  return loose.length === 0 ? named : [{ todos: loose }, ...named]
}
