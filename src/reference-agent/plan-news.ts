/** Reports every change of an agent's plan, whatever its origin, and whether the plan can be stored. */
import { isFinished, type Plan, type PlanEvent } from "../plan/index.ts"
import type { Change, Tracker } from "../tracker/tracker.ts"
import type { Emit } from "./event.ts"

/** Emits the plan after every change. Returns a function that stops this. */
export const emitChanges = (tracker: Tracker, emit: Emit): (() => void) => {
  let told: Plan | undefined
  return tracker.subscribe(({ plan, events, entry }: Change) => {
    const cleared = entry.by.kind === "agent" ? events.find(isDone) : undefined
    // Some lists empty themselves once everything is done (behaviour C3). The list is reported with all todos done before
    // that.
    if (cleared) emit({ type: "plan-changed", plan: { ...plan, todos: cleared.todos } })
    // Changes that were read together have the same plan, which is reported once.
    if (cleared || plan !== told) emit({ type: "plan-changed", plan })
    told = plan
  })
}

type Cleared = Extract<PlanEvent, { type: "plan-cleared" }>

const isDone = (event: PlanEvent): event is Cleared =>
  event.type === "plan-cleared" && event.todos.length > 0 && event.todos.every(({ status }) => isFinished(status))

/** Notifies the person when the plan is only in memory because the disk is full, and again when it is stored. */
export const createStorageNews = (tracker: Tracker, emit: Emit): (() => void) => {
  let wasWritten = true
  return () => {
    const isWritten = tracker.unwritten === 0
    if (isWritten === wasWritten) return
    wasWritten = isWritten
    emit({ type: "notice-given", message: isWritten ? writtenAgain : onlyInMemory })
  }
}

const onlyInMemory =
  "The disk is full: the plan is kept in memory and written as soon as there is room. Free some space before you exit."
const writtenAgain = "There is room again: the plan has been written."
