/** With `--gate`: decides whether an agent's own task may be marked done, by running its allowed checks. */
import type { HookAgent, HookEvent } from "../../bridges/hooks/hook.ts"
import type { Plan, Todo } from "../../plan/index.ts"
import { openTracker } from "../../tracker/tracker.ts"
import { gateFor } from "../check/gate.ts"
import { reporter } from "../choose/plans.ts"
import type { Context } from "../command.ts"
import { storeForHook } from "./act-on-hook.ts"

/** In milliseconds. Set-up grants this hook two minutes. */
const limit = 100_000

/** Why the task stays open, in words for the model; undefined if it may be marked done. */
export const taskRefusal = async (
  context: Context,
  { session, task }: Pick<HookEvent, "session" | "task">,
  agent: Pick<HookAgent, "agentType">,
): Promise<string | undefined> => {
  if (!task) return undefined
  const store = await storeForHook(context)
  const { now } = context.io
  const opened = { agentType: agent.agentType }
  // All agents of a session work on one list.
  const key = { session, agent: "main" }
  const tracker = await openTracker({ store, ...key, opened, now, onProblem: reporter(context) })
  try {
    const { plan } = tracker
    const todo = todoOf(plan, task)
    if (!todo || todo.status === "completed") return undefined
    const isLast = plan.todos.every((one) => one === todo || one.status === "completed" || one.status === "cancelled")
    const question = { completing: [todo], isLast, plan, entries: () => tracker.entries() }
    const { refused, found } = await gateFor(context, limit)(question)
    if (found) await tracker.edit(found.by, () => found.ran)
    return refused[0]?.why
  } finally {
    await tracker.close()
  }
}

const todoOf = ({ todos }: Plan, { id, subject }: NonNullable<HookEvent["task"]>): Todo | undefined =>
  todos.find(({ extra }) => extra?.nativeId === id) ?? todos.find(({ content }) => content === subject)
