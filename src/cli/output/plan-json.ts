/** A plan as stable JSON for other programs. */
import { activeFormOf, escapeHidden, type Plan, progressOf } from "../../plan/index.ts"
import type { PlanKey } from "../../stores/store.ts"

export const planJson = ({ session, agent }: PlanKey, plan: Plan, title?: string) => ({
  session,
  agent,
  ...(title === undefined ? {} : { title }),
  revision: plan.revision,
  phases: plan.phases,
  todos: plan.todos.map(({ id, content, status, ...rest }) => ({
    id,
    content,
    status,
    ...rest,
    activeForm: activeFormOf({ content, ...rest }),
  })),
  progress: progressOf(plan),
})

export const printJson = (value: unknown): string => `${escapeHidden(JSON.stringify(value, null, 2))}\n`

/** One line of JSON. */
export const printJsonLine = (value: unknown): string => `${escapeHidden(JSON.stringify(value))}\n`
