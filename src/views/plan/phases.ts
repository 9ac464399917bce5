/** A plan taken apart by phase. */

import type { Plan, Todo } from "../../plan/todo.ts"

export type PhasedPlan = Pick<Plan, "todos" | "phases">

/** A phase and its todos; without a name, the todos that belong to none. */
export type PhaseGroup = { name?: string; todos: Todo[] }

/** Todos of no phase first, then every phase in plan order, empty ones too; a phase only todos know of comes last. */
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
