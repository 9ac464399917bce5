/** The evidence for the todos of a run of our own agent, from its events. */
import { loadStream } from "../../agents/index.ts"
import type { Evidence } from "../../evidence/index.ts"
import type { Contradiction } from "../../guidance/contradicted.ts"
import type { AgentEvent } from "../../reference-agent/index.ts"
import { createEvidenceTaker } from "../../sessions/evidence/evidence-taker.ts"
import { contradictionsOf } from "../check/contradictions-of.ts"
import { createStreamLines } from "./stream-lines.ts"

export type RunEvidence = {
  onEvent(event: AgentEvent): void
  evidence(): Evidence
  /** The main agent's todos that are marked done although its last check failed. */
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
    contradictions: () => contradictionsOf(taker.evidence()),
  }
}
