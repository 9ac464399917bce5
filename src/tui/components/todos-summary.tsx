/** What `/todos` shows (behaviour C34): the number of todos and the list, or a sentence for an empty plan. */
import { todosLines } from "../../views/plan/list.ts"
import { Lines } from "./lines.tsx"
import { type PlanSource, usePlan } from "./use-plan.ts"
import { type Room, useRoom } from "./use-room.ts"

export type TodosSummaryProps = Room & {
  plan: PlanSource
}

export const TodosSummary = ({ plan, ...room }: TodosSummaryProps) => (
  <Lines lines={todosLines(usePlan(plan), useRoom(room))} />
)
