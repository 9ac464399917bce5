/** A plan as stable JSON for other programs. */
import { activeFormOf, type Plan, progressOf } from "../plan/index.ts"
import type { PlanKey } from "../stores/store.ts"

export const planJson = ({ session, agent }: PlanKey, plan: Plan) => ({
  session,
  agent,
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

export const printJson = (value: unknown): string => `${harmless(JSON.stringify(value, null, 2))}\n`

/** One line of JSON. */
export const printJsonLine = (value: unknown): string => `${harmless(JSON.stringify(value))}\n`

/** JSON lets through what steers a terminal or turns its text around; written as escapes it means the same. */
const harmless = (json: string): string =>
  json.replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
