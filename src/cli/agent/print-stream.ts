/** Prints a run as JSON lines for another program, with the evidence at the end. */
import type { AgentEvent } from "../../reference-agent/index.ts"
import { printJsonLine } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import type { Printer, PrinterOptions, Run } from "./printer.ts"
import { createStreamLines } from "./stream-lines.ts"

export const createStreamPrinter = ({ io }: PrinterOptions): Printer => {
  const usage = { input: 0, output: 0 }
  let session = ""
  let turns = 0
  let linesOf: (event: AgentEvent) => object[] = () => []

  const print = (line: object): void => io.out(printJsonLine(line))

  const count = (event: AgentEvent): void => {
    if (event.type !== "turn-ended") return
    turns += 1
    usage.input += event.usage.input
    usage.output += event.usage.output
  }

  return {
    begin(run: Run) {
      session = run.session
      linesOf = createStreamLines({ session, now: io.now })
      print({ type: "session_started", agentId: session, ...run })
    },
    onEvent(event) {
      count(event)
      for (const line of linesOf(event)) print(line)
      if (event.type === "notice-given") say(io, event.message)
    },
    end({ ending, text, evidence }) {
      const told = evidence && evidence.todos.length > 0 ? { evidence } : {}
      print({ type: "session_ended", ending, text, turns, usage, agentId: session, session, ...told })
    },
  }
}
