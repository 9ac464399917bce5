/** The notice of a change, for the scroll-back: the current list, and which todos changed their status. */
import type { PlanEvent } from "../../plan/event.ts"
import { changeNoticeLines } from "../../views/plan/change-notice.ts"
import type { Todos } from "../../views/plan/row.ts"
import { Lines } from "./lines.tsx"
import { type Room, useRoom } from "./use-room.ts"

/** A `Change`, as a tracker's listener gets it, has both: `<ChangeNotice {...change} />`. */
export type ChangeNoticeProps = Room & {
  /** As it was after the change; a notice does not follow what comes later. */
  plan: Todos
  /** What happened; each change of a status gets its own line. @default [] */
  events?: readonly PlanEvent[] | undefined
  /** Shows only those lines, without the list. @default false */
  isBrief?: boolean | undefined
}

export const ChangeNotice = ({ plan, events, isBrief, width, height }: ChangeNoticeProps) => (
  <Lines lines={changeNoticeLines(plan, { events, isBrief, ...useRoom({ width, height }) })} />
)
