/** Reports every change of an agent's plan, whatever its origin. */
import { isFinished, type PlanEvent } from "../plan/index.ts"
import type { Change, Tracker } from "../tracker/tracker.ts"
import type { Emit } from "./event.ts"

/** Returns how to stop. */
export const tellChanges = (tracker: Tracker, emit: Emit): (() => void) =>
  tracker.subscribe(({ plan, events, entry }: Change) => {
    const cleared = entry.by.kind === "agent" ? events.find(isDone) : undefined
    // Some lists empty themselves once all is done (C3): the last todo is shown ticked off before that.
    if (cleared) emit({ type: "plan-changed", plan: { ...plan, todos: cleared.todos } })
    emit({ type: "plan-changed", plan })
  })

type Cleared = Extract<PlanEvent, { type: "plan-cleared" }>

const isDone = (event: PlanEvent): event is Cleared =>
  event.type === "plan-cleared" && event.todos.length > 0 && event.todos.every(({ status }) => isFinished(status))
