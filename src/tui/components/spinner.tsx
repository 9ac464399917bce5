/** The spinner's own line, which redraws itself with every turn of its glyph. */
import type { Todos } from "../../views/plan/row.ts"
import { type SpinnerOptions, spinnerLine } from "../../views/plan/spinner.ts"
import { Line } from "./line.tsx"
import type { Room } from "./use-room.ts"
import { useTick } from "./use-tick.ts"

export type SpinnerProps = Room & {
  /** Said in place of what the todo in progress says. */
  message?: string | undefined
  /** Said when no todo is in progress. @default "Working" */
  word?: string | undefined
  /** When the work began: the elapsed time follows the text. @default no time is shown */
  since?: Date | undefined
  /** @default the system's clock */
  now?: (() => Date) | undefined
  /** How many tokens it has taken; shown after the time. */
  tokens?: number | undefined
  /** Shown after those, such as how to interrupt. */
  suffix?: string | undefined
  /** How often the glyph has turned. @default counted by its own timer, in a terminal */
  tick?: number | undefined
}

type LineProps = Omit<SpinnerProps, keyof Room> & { plan: Todos; room: Pick<SpinnerOptions, "width" | "ascii"> }

export const Spinner = ({ plan, room, tick, since, now = systemClock, ...words }: LineProps) => {
  const turned = useTick(tick)
  const elapsed = since && now().getTime() - since.getTime()
  return <Line line={spinnerLine(plan, { ...words, ...room, elapsed, tick: turned })} />
}

const systemClock = (): Date => new Date()
