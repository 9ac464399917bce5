/** The ways an agent's screen shows its plan; a dialect names the one its own agent has. */

import type { Line } from "../text/span.ts"
import { panelLines } from "./panel.ts"
import type { PhasedPlan } from "./phases.ts"
import type { ViewOptions } from "./row.ts"
import { treeLines } from "./tree.ts"

/**
 * `list` is the plain list under the spinner (C30), which does not report single calls. `panel` is the box, and a notice
 * of every call (G5, G6). `tree` is the tree of phases, and every call with its result (O11).
 */
export type PlanView = "list" | "panel" | "tree"

export type FramedViewOptions = ViewOptions & {
  /** Show all that there is room for, not only 8 todos around the current one. @default false */
  isExpanded?: boolean | undefined
}

/** The views that stay visible, expanded or not; empty for an empty plan. */
export const framedLines = (
  view: Exclude<PlanView, "list">,
  plan: PhasedPlan,
  { isExpanded = false, ...options }: FramedViewOptions = {},
): Line[] => {
  if (plan.todos.length === 0) return []
  if (view === "tree") return treeLines(plan, { ...options, collapsed: !isExpanded })
  const { height = Number.POSITIVE_INFINITY } = options
  return panelLines(plan, { ...options, height: isExpanded ? height : Math.min(height, previewRows) })
}

/** Eight todos, the progress below an empty row, and the frame. */
const previewRows = 12
