/** The plan of one member among several, headed by its name in its colour. */
import { planLines } from "../../views/plan-heading.ts"
import type { Colour } from "../../views/span.ts"
import { Lines } from "./lines.tsx"
import { type PlanSource, usePlan } from "./use-plan.ts"
import { type Room, useRoom } from "./use-room.ts"

export type MemberPlanProps = Room & {
  plan: PlanSource
  /** Its display name, or its agent's id when it has none. */
  member: string
  /** @default "cyan" */
  colour?: Colour | undefined
  /** Its turn is over: what is pending or in progress shows as completed, here and nowhere else. @default false */
  hasEnded?: boolean | undefined
}

export const MemberPlan = ({ plan, member, colour, hasEnded, ...room }: MemberPlanProps) => (
  <Lines lines={planLines(usePlan(plan), member, { colour, hasEnded, ...useRoom(room) })} />
)
