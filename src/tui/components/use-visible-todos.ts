/** The todos a screen shows: finished ones leave it after a while (O13), and those of an earlier session at once (O14). */
import { useEffect, useReducer } from "react"
import { isFinished, type Plan } from "../../plan/todo.ts"
import { visibleTodos } from "../../plan/working.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import type { Todos } from "../../views/row.ts"
import { usePlan } from "./use-plan.ts"

/** `clearDelay` is in seconds; negative: they stay. */
export const useVisibleTodos = (tracker: Tracker, now: () => Date, clearDelay: number): Todos => {
  const plan = usePlan<Plan>(tracker)
  const [, drawAnew] = useReducer((count: number) => count + 1, 0)
  const todos = visibleTodos(plan, tracker.ledger, now(), clearDelay)
  const finished = todos.filter(({ status }) => isFinished(status)).length
  useEffect(() => {
    if (finished === 0 || clearDelay < 0) return
    // One look a second; the moment when each of many todos goes need not be known better.
    const timer = setInterval(drawAnew, 1000)
    return () => clearInterval(timer)
  }, [finished, clearDelay])
  return { todos }
}
