/** The contract between the command line and a screen on which a person works with an agent. Types only. */
import type { Dialect } from "../dialects/dialect.ts"
import type { Todo } from "../plan/todo.ts"
import type { Line, PlanView } from "../views/index.ts"
import type { DoneMarks } from "../views/plan/evidence-marks.ts"
import type { Agent, AgentOptions } from "./agent.ts"
import type { AgentEvent } from "./event.ts"

/** What a screen provides to the agent: functions that ask the person, and a listener for all events. */
export type ScreenListeners = Pick<AgentOptions, "permit" | "confirm"> & { onEvent: (event: AgentEvent) => void }

export type SlashCommand = { name: string; about: string }

/** The result of a command: text that is safe to show, and whether the person wants to leave. */
export type SlashAnswer = {
  text: string
  /** The text with styles, for a screen that supports them. */
  lines?: readonly Line[]
  /** Whether the command failed. The text says why. */
  isError?: boolean
  isExit?: boolean
}

export type AgentScreenOptions = {
  /** Opens the agent. `permit` is called only for actions that the person has not allowed already. */
  open(listeners: ScreenListeners): Promise<Agent>
  session: string
  /** The model, as the person named it. */
  model: string
  /** The person's first prompt, if it was given with the command. */
  task?: string | undefined
  /** Whether the session was resumed. */
  isResumed: boolean
  /** Runs a line that begins with a slash: `/todos`, `/todo add …`, `/plan`, …. Never rejects. */
  command(line: string, agent: Agent, signal: AbortSignal): Promise<SlashAnswer>
  commands: readonly SlashCommand[]
  appearance: { colour: boolean; ascii: boolean }
  now: () => Date
  /** How the plan is shown, as declared by the agent's dialect. @default "list" */
  view?: PlanView | undefined
  /** Describes a call of a list tool in one line, not sanitised yet. @default only its name is shown */
  describeCall?: Dialect["describeCall"] | undefined
  /** Returns the evidence for done todos, shown as a sign before each tick. @default no signs */
  marks?: ((todos: readonly Todo[]) => DoneMarks | undefined) | undefined
  /** Whether the list is shown in full (behaviour C16). */
  isExpanded: boolean
  saveExpanded(isExpanded: boolean): void
  /** Seconds until finished todos leave the visible list (behaviour O13). */
  clearDelay: number
  /** Aborted when the system asks to end. */
  stopped: AbortSignal
}

/** Resolves when the person leaves. */
export type OpenAgentScreen = (options: AgentScreenOptions) => Promise<void>
