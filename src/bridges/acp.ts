/** For the Agent Client Protocol: a plan as `session/update`, kept in step, and an agent's update as a plan. */
import { acp } from "../dialects/acp.ts"
import { lineForModel, type Plan, type Todo } from "../plan/index.ts"
import { isRecord } from "../plan/log/shape.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { Written } from "../tracker/written.ts"
import { reasonOf } from "../views/index.ts"

export type AcpPlanEntry = {
  content: string
  priority: "high" | "medium" | "low"
  status: "pending" | "in_progress" | "completed"
}

export type AcpPlanUpdate = { sessionUpdate: "plan"; entries: AcpPlanEntry[] }

export type AcpNotification = { sessionId: string; update: AcpPlanUpdate }

/**
 * The plan in the protocol's terms, which lack blocked and cancelled: blocked todos stay open with their reason,
 * cancelled ones are left out. Neither is shown as completed.
 */
export const planUpdate = (plan: Plan): AcpPlanUpdate => ({
  sessionUpdate: "plan",
  entries: plan.todos.filter(({ status }) => status !== "cancelled").map(entryOf),
})

const statuses: Record<Todo["status"], AcpPlanEntry["status"]> = {
  pending: "pending",
  in_progress: "in_progress",
  blocked: "pending",
  completed: "completed",
  cancelled: "pending",
}

const entryOf = (todo: Todo): AcpPlanEntry => {
  const { content, priority = "medium", status } = todo
  const why = status === "blocked" ? ` (${reasonOf(todo) || status})` : ""
  return { content: lineForModel(`${content}${why}`), priority, status: statuses[status] }
}

/** Sends the plan now and after every change, our own and others', until the returned function is called. */
export const reportPlan = async (
  tracker: Tracker,
  sessionId: string,
  send: (notification: AcpNotification) => unknown,
): Promise<() => Promise<void>> => {
  let queue: Promise<unknown> = Promise.resolve()
  let reported: Plan | undefined
  const report = (): void => {
    // Changes that were read together are sent once.
    if (tracker.plan === reported) return
    reported = tracker.plan
    // In order, and a failed connection does not affect the plan.
    queue = queue.then(() => send({ sessionId, update: planUpdate(tracker.plan) })).catch(() => {})
  }
  if (tracker.plan.todos.length > 0) report()
  const unsubscribe = tracker.subscribe(report)
  const unfollow = await tracker.follow()
  return async () => {
    unsubscribe()
    await unfollow()
    await queue
  }
}

/** Takes in an agent's `session/update`; undefined when it says no plan. */
export const receivePlan = async (tracker: Tracker, notification: unknown): Promise<Written | undefined> =>
  saysPlan(notification)
    ? tracker.write({ tool: acp.toolNames[0], input: notification, observed: true }, acp)
    : undefined

const saysPlan = (notification: unknown): boolean => {
  let value = notification
  for (const key of ["params", "update"]) if (isRecord(value) && isRecord(value[key])) value = value[key]
  return isRecord(value) && ["plan", "plan_update", "plan_removed"].includes(String(value.sessionUpdate))
}
