/** The order in which a person reads a plan. */
import type { Plan, Todo } from "../todo.ts"

/** The todos as a person reads them: those without a phase first, then phase by phase. */
export const inPhaseOrder = ({ todos, phases }: Pick<Plan, "todos" | "phases">): readonly Todo[] => {
  if (phases.length === 0) return todos
  const ranks = new Map(phases.map((name, index) => [name, index]))
  const rankOf = ({ phase }: Todo): number => (phase === undefined ? -1 : (ranks.get(phase) ?? phases.length))
  return todos.toSorted((one, other) => rankOf(one) - rankOf(other))
}
