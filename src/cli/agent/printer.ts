/** The contract of what a run without a screen prints. */
import type { AgentEvent, Ending } from "../../reference-agent/index.ts"
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
  end(result: { ending: Ending; text: string }): void
}

export type PrinterOptions = { io: Io; ascii: boolean }
