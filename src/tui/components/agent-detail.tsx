/** An agent's list in a view of that agent: its progress, then the list. */
import { agentTasksLines } from "../../views/plan/list.ts"
import { Lines } from "./lines.tsx"
import { type PlanSource, usePlan } from "./use-plan.ts"
import { type Room, useRoom } from "./use-room.ts"

export type AgentDetailProps = Room & {
  plan: PlanSource
}

/** Draws nothing for an agent without a list. */
export const AgentDetail = ({ plan, ...room }: AgentDetailProps) => (
  <Lines lines={agentTasksLines(usePlan(plan), useRoom(room))} />
)
