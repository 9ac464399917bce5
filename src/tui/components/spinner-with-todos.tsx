/** The spinner of a working agent: its current todo, its list if expanded, and the next todo. */
import { Box } from "ink"
import { spinnerRest } from "../../views/plan/spinner.ts"
import { Lines } from "./lines.tsx"
import { Spinner, type SpinnerProps } from "./spinner.tsx"
import { type PlanSource, usePlan } from "./use-plan.ts"
import { useRoom } from "./use-room.ts"

export type SpinnerWithTodosProps = SpinnerProps & {
  plan: PlanSource
  /** Shown if nothing is pending. @default nothing is shown then */
  tip?: string | undefined
  /** Shows the list below. @default false */
  isExpanded?: boolean | undefined
}

export const SpinnerWithTodos = ({
  plan,
  width,
  height,
  marks,
  tip,
  isExpanded,
  ...spinner
}: SpinnerWithTodosProps) => {
  const room = useRoom({ width, height, marks })
  const shown = usePlan(plan)
  return (
    <Box flexDirection="column">
      <Spinner plan={shown} room={room} {...spinner} />
      <Lines lines={spinnerRest(shown, { tip, isExpanded, ...room })} />
    </Box>
  )
}
