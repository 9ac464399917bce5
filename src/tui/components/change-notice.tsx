/** The notice of a change, for the scroll-back: the current list, and which todos changed their status. */
import type { PlanEvent } from "../../plan/event.ts"
import { changeNoticeLines } from "../../views/plan/change-notice.ts"
import type { Todos } from "../../views/plan/row.ts"
import { Lines } from "./lines.tsx"
import { type Room, useRoom } from "./use-room.ts"

/** The `Change` that a tracker's listener gets has the required fields: `<ChangeNotice {...change} />`. */
export type ChangeNoticeProps = Room & {
  /** The plan after the change. A notice does not follow later changes. */
  plan: Todos
  /** The events. Each change of a status gets its own line. @default [] */
  events?: readonly PlanEvent[] | undefined
  /** Shows only the lines of status changes, without the list. @default false */
  isBrief?: boolean | undefined
}

export const ChangeNotice = ({ plan, events, isBrief, width, height }: ChangeNoticeProps) => (
  <Lines lines={changeNoticeLines(plan, { events, isBrief, ...useRoom({ width, height }) })} />
)
