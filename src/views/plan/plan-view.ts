/** The ways an agent's screen can show its plan; each dialect names the one that its own agent uses. */

import type { Line } from "../text/span.ts"
import { panelLines } from "./panel.ts"
import type { PhasedPlan } from "./phases.ts"
import type { ViewOptions } from "./row.ts"
import { treeLines } from "./tree.ts"

/**
 * `list` is the plain list under the spinner, without notices of single calls (behaviour C30). `panel` is the box, and a
 * notice of every call (behaviours G5, G6). `tree` is the tree of phases, and every call with its result (behaviour O11).
 */
export type PlanView = "list" | "panel" | "tree"

export type FramedViewOptions = ViewOptions & {
  /** Shows as many todos as fit, instead of 8 around the current one. @default false */
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
