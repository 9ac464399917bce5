/** The plan of one member among several, headed by its name in its colour. */
import { planLines } from "../../views/plan/plan-heading.ts"
import { layoutOf } from "../../views/plan/row.ts"
import { withAir } from "../../views/plan/window.ts"
import type { Colour } from "../../views/text/span.ts"
import { Lines } from "./lines.tsx"
import { type PlanSource, usePlan } from "./use-plan.ts"
import { type Room, useRoom } from "./use-room.ts"

export type MemberPlanProps = Room & {
  plan: PlanSource
  /** Its display name, or its agent's id when it has none. */
  member: string
  /** A name, or a custom colour such as `#ff8800`. @default "cyan" */
  colour?: Colour | undefined
  /** Its turn is over: what is pending or in progress shows as completed, here and nowhere else. @default false */
  hasEnded?: boolean | undefined
}

/** Nothing for an empty plan; else with an empty row above and below, where there is room. */
export const MemberPlan = ({ plan, member, colour, hasEnded, ...given }: MemberPlanProps) => {
  const room = useRoom(given)
  const lines = planLines(usePlan(plan), member, { colour, hasEnded, ...room })
  return <Lines lines={withAir(lines, layoutOf(room).height)} />
}
