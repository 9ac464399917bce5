/** The contract of what a run without a screen prints. */
import type { Evidence } from "../../evidence/index.ts"
import type { AgentEvent, Ending } from "../../reference-agent/index.ts"
import type { PlanView } from "../../views/index.ts"
import type { Io } from "../io.ts"

export type Run = {
  session: string
  model: string
  cwd: string
  tools: readonly string[]
  isResumed: boolean
}

export type Printer = {
  begin(run: Run): void
  onEvent(event: AgentEvent): void
  /** With the evidence for the run's todos. */
  end(result: { ending: Ending; text: string; evidence?: Evidence }): void
}

export type PrinterOptions = {
  io: Io
  ascii: boolean
  /** How the plan is shown, as the agent's dialect declares it. @default "list" */
  view?: PlanView | undefined
}
