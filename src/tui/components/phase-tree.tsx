/** The tree: phases with their todos, note counts, and the notes of the todo in progress. */
import type { PhasedPlan } from "../../views/plan/phases.ts"
import { treeLines } from "../../views/plan/tree.ts"
import { Lines } from "./lines.tsx"
import { type PlanSource, usePlan } from "./use-plan.ts"
import { type Room, useRoom } from "./use-room.ts"

export type PhaseTreeProps = Room & {
  plan: PlanSource<PhasedPlan>
  /** Shows at most 8 todos, around the current one. @default false */
  isCollapsed?: boolean | undefined
}

export const PhaseTree = ({ plan, isCollapsed, ...room }: PhaseTreeProps) => (
  <Lines lines={treeLines(usePlan<PhasedPlan>(plan), { collapsed: isCollapsed, ...useRoom(room) })} />
)
