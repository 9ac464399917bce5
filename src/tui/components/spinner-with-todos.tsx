/** The spinner of a working agent: what it does, its list when expanded, and what comes next. */
import { Box } from "ink"
import type { Todos } from "../../views/row.ts"
import { type SpinnerOptions, spinnerLine, spinnerRest } from "../../views/spinner.ts"
import { Line } from "./line.tsx"
import { Lines } from "./lines.tsx"
import { type PlanSource, usePlan } from "./use-plan.ts"
import { type Room, useRoom } from "./use-room.ts"
import { useTick } from "./use-tick.ts"

export type SpinnerWithTodosProps = Room & {
  plan: PlanSource
  /** Said in place of what the todo in progress says. */
  message?: string | undefined
  /** Said when no todo is in progress. @default "Working" */
  word?: string | undefined
  /** Said when nothing is pending. @default nothing is said then */
  tip?: string | undefined
  /** Show the list below. @default false */
  isExpanded?: boolean | undefined
  /** How often the glyph has turned. @default a timer of its own counts, in a terminal */
  tick?: number | undefined
}

export const SpinnerWithTodos = ({ plan, width, height, tick, ...words }: SpinnerWithTodosProps) => {
  const options = { ...words, ...useRoom({ width, height }) }
  const shown = usePlan(plan)
  return (
    <Box flexDirection="column">
      <Spinner plan={shown} options={options} tick={tick} />
      <Lines lines={spinnerRest(shown, options)} />
    </Box>
  )
}

/** Apart from the rest, so that a turn of the glyph redraws only this one line. */
const Spinner = ({ plan, options, tick }: { plan: Todos; options: SpinnerOptions; tick: number | undefined }) => (
  <Line line={spinnerLine(plan, { ...options, tick: useTick(tick) })} />
)
