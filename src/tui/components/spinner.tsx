/** The spinner's own line, which redraws itself with every step of its animation. */
import type { Todos } from "../../views/plan/row.ts"
import { type SpinnerOptions, spinnerLine } from "../../views/plan/spinner.ts"
import { Line } from "./line.tsx"
import type { Room } from "./use-room.ts"
import { useTick } from "./use-tick.ts"

export type SpinnerProps = Room & {
  /** Shown instead of the todo in progress. */
  message?: string | undefined
  /** Shown if no todo is in progress. @default "Working" */
  word?: string | undefined
  /** When the work began. The elapsed time is shown after the text. @default no time is shown */
  since?: Date | undefined
  /** @default the system's clock */
  now?: (() => Date) | undefined
  /** The tokens used; shown after the time. */
  tokens?: number | undefined
  /** Shown after the tokens, such as the key that interrupts. */
  suffix?: string | undefined
  /** The step of the animation. @default counted by the component's own timer, in a terminal */
  tick?: number | undefined
}

type LineProps = Omit<SpinnerProps, keyof Room> & { plan: Todos; room: Pick<SpinnerOptions, "width" | "ascii"> }

export const Spinner = ({ plan, room, tick, since, now = systemClock, ...words }: LineProps) => {
  const turned = useTick(tick)
  const elapsed = since && now().getTime() - since.getTime()
  return <Line line={spinnerLine(plan, { ...words, ...room, elapsed, tick: turned })} />
}

const systemClock = (): Date => new Date()
