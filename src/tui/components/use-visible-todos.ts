/**
 * The todos a screen shows: finished ones leave after a while (behaviour O13), those of an earlier session at once
 * (behaviour O14).
 */
import { useEffect, useReducer } from "react"
import { isFinished, type Plan } from "../../plan/todo.ts"
import { defaultClearDelay, visibleTodos, withTodos } from "../../plan/working.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import { usePlan } from "./use-plan.ts"

export type VisibleTodosOptions = {
  /**
   * Seconds until a finished todo leaves, for example from the setting `tasks.todoClearDelay`. 0 means at once, a
   * negative number never. @default 60
   */
  clearDelay?: number | undefined
  /** @default the system's clock */
  now?: (() => Date) | undefined
}

/**
 * A tracker's plan without the todos that have left the screen; redraws when one leaves. The stored plan keeps them
 * all.
 */
export const useVisibleTodos = (
  tracker: Tracker,
  { clearDelay = defaultClearDelay, now = systemClock }: VisibleTodosOptions = {},
): Plan => {
  const plan = usePlan<Plan>(tracker)
  const [, drawAnew] = useReducer((count: number) => count + 1, 0)
  const todos = visibleTodos(plan, tracker.ledger, now(), clearDelay)
  const finished = todos.filter(({ status }) => isFinished(status)).length
  useEffect(() => {
    if (finished === 0 || clearDelay < 0) return
    // Checking once a second is precise enough for todos that leave after many seconds.
    const timer = setInterval(drawAnew, 1000)
    return () => clearInterval(timer)
  }, [finished, clearDelay])
  return withTodos(plan, todos)
}

const systemClock = (): Date => new Date()
