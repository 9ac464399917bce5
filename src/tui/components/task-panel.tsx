/** The panel: a box with all todos and a progress bar. */
import { panelLines } from "../../views/plan/panel.ts"
import { Lines } from "./lines.tsx"
import { type PlanSource, usePlan } from "./use-plan.ts"
import { type Room, useRoom } from "./use-room.ts"

export type TaskPanelProps = Room & {
  plan: PlanSource
}

/** Keeps its shape at any width. On a screen too small for a frame and a todo, the frame is left out. */
export const TaskPanel = ({ plan, ...room }: TaskPanelProps) => (
  <Lines lines={panelLines(usePlan(plan), useRoom(room))} />
)
