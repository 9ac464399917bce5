/** The plan of one member among several, with the member's name in its colour as the heading. */
import { planLines } from "../../views/plan/plan-heading.ts"
import { layoutOf } from "../../views/plan/row.ts"
import { withAir } from "../../views/plan/window.ts"
import type { Colour } from "../../views/text/span.ts"
import { Lines } from "./lines.tsx"
import { type PlanSource, usePlan } from "./use-plan.ts"
import { type Room, useRoom } from "./use-room.ts"

export type MemberPlanProps = Room & {
  plan: PlanSource
  /** The member's display name, or its agent's id if it has none. */
  member: string
  /** A name, or a custom colour such as `#ff8800`. @default "cyan" */
  colour?: Colour | undefined
  /**
   * Whether its turn is over. Todos pending or in progress are then shown as completed, in this view only. @default
   * false
   */
  hasEnded?: boolean | undefined
}

/** Draws nothing for an empty plan. Adds an empty row above and below if there is room. */
export const MemberPlan = ({ plan, member, colour, hasEnded, ...given }: MemberPlanProps) => {
  const room = useRoom(given)
  const lines = planLines(usePlan(plan), member, { colour, hasEnded, ...room })
  return <Lines lines={withAir(lines, layoutOf(room).height)} />
}
