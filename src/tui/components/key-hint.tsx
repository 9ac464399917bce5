/** The hint that says which key shows or hides the todos. */
import { fitted, layoutOf } from "../../views/plan/row.ts"
import { Line } from "./line.tsx"
import { type Room, useRoom } from "./use-room.ts"

export type KeyHintProps = Pick<Room, "width"> & {
  isExpanded: boolean
}

export const KeyHint = ({ isExpanded, width }: KeyHintProps) => {
  const layout = layoutOf(useRoom({ width }))
  const text = fitted(`ctrl+t ${isExpanded ? "hide" : "show"} todos`, layout)
  return <Line line={[{ text, style: { dim: true } }]} />
}
