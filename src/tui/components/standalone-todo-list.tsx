/** The list on its own, for an agent that is idle: under a heading, indented by two. */
import { standaloneListLines } from "../../views/plan/list.ts"
import { Lines } from "./lines.tsx"
import { type PlanSource, usePlan } from "./use-plan.ts"
import { type Room, useRoom } from "./use-room.ts"

export type StandaloneTodoListProps = Room & {
  plan: PlanSource
}

/** Draws nothing for an empty plan, not even the heading. */
export const StandaloneTodoList = ({ plan, ...room }: StandaloneTodoListProps) => (
  <Lines lines={standaloneListLines(usePlan(plan), useRoom(room))} />
)
