/** The panel: a box with every todo and a bar that says how far the plan is. */
import { panelLines } from "../../views/plan/panel.ts"
import { Lines } from "./lines.tsx"
import { type PlanSource, usePlan } from "./use-plan.ts"
import { type Room, useRoom } from "./use-room.ts"

export type TaskPanelProps = Room & {
  plan: PlanSource
}

/** Keeps its shape at any width; on a screen too small for a frame and a todo it goes without the frame. */
export const TaskPanel = ({ plan, ...room }: TaskPanelProps) => (
  <Lines lines={panelLines(usePlan(plan), useRoom(room))} />
)
