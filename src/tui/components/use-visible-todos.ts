/** The todos a screen shows: finished ones leave it after a while (O13), and those of an earlier session at once (O14). */
import { useEffect, useReducer } from "react"
import { isFinished, type Plan } from "../../plan/todo.ts"
import { defaultClearDelay, visibleTodos, withTodos } from "../../plan/working.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import { usePlan } from "./use-plan.ts"

export type VisibleTodosOptions = {
  /** Seconds until a finished todo goes, such as the setting `tasks.todoClearDelay` says; negative: never, 0: at once. @default 60 */
  clearDelay?: number | undefined
  /** @default the system's clock */
  now?: (() => Date) | undefined
}

/** The plan of a tracker without what has left the screen, redrawn when something does. The plan itself keeps all of it. */
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
    // One look a second; the moment when each of many todos goes need not be known better.
    const timer = setInterval(drawAnew, 1000)
    return () => clearInterval(timer)
  }, [finished, clearDelay])
  return withTodos(plan, todos)
}

const systemClock = (): Date => new Date()
