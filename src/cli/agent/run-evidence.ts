/** The evidence for the todos of a run of our own agent, from its events. */
import { loadStream } from "../../agents/index.ts"
import { briefOf, type Evidence, marksOf } from "../../evidence/index.ts"
import type { Contradiction } from "../../guidance/contradicted.ts"
import type { Todo } from "../../plan/todo.ts"
import type { AgentEvent } from "../../reference-agent/index.ts"
import { createEvidenceTaker } from "../../sessions/evidence/evidence-taker.ts"
import type { DoneMarks } from "../../views/plan/evidence-marks.ts"
import { contradictionsOf } from "../check/contradictions-of.ts"
import { createStreamLines } from "./stream-lines.ts"

export type RunEvidence = {
  onEvent(event: AgentEvent): void
  evidence(): Evidence
  /** What is shown of the todos of the main agent that are done; undefined where none is. */
  marks(todos: readonly Todo[]): DoneMarks | undefined
  /** The todos of the main agent that are called done against its own last check. */
  contradictions(): Contradiction[]
}

/** Reads the lines that it would print for another program, so that both say the same. */
export const createRunEvidence = async (session: string, now: () => Date): Promise<RunEvidence> => {
  const reader = (await loadStream("headway-events"))?.open(undefined, { work: true })
  const taker = createEvidenceTaker()
  const linesOf = createStreamLines({ session, now })
  let line = 0
  return {
    onEvent(event) {
      for (const one of linesOf(event)) {
        line += 1
        for (const signal of reader?.read(JSON.stringify(one)) ?? []) taker.take(signal, line)
      }
    },
    evidence: taker.evidence,
    marks(todos) {
      if (!todos.some(({ status }) => status === "completed")) return undefined
      const marks = marksOf(todos, { brief: briefOf(taker.evidence()), agent: "main", checks: [] })
      return Object.keys(marks).length > 0 ? marks : undefined
    },
    contradictions: () => contradictionsOf(taker.evidence()),
  }
}
