/** Rebuilds the lists of a session from its log: every line is read, and the last call about a list decides (behaviours C28, O16). */
import { emptyPlan, type Plan, type Problem, type Progress, progressOf } from "../plan/index.ts"
import { createDetector } from "./detect.ts"
import { createLineSplitter, longLine } from "./lines.ts"
import { createObserver, type ObservedAgent } from "./observe.ts"
import type { Signal, Stream } from "./stream.ts"

export type RebuiltSession = {
  /** The agent that wrote the log. Undefined if no known agent's output was found. */
  agentType: string | undefined
  /** Undefined if the log does not name it. */
  session: string | undefined
  /** The main agent's list: empty if it has none, or if its last call cannot be read even after repair. */
  plan: Plan
  /** Its progress: `completed` of `total`, without cancelled todos. */
  progress: Progress
  /** The lists of sub-agents in the log, in the order of their first appearance. */
  subAgents: { agentId: string; parentId?: string; plan: Plan; progress: Progress }[]
  /** What could not be read, the first of each kind with a count. */
  problems: { problem: Problem; count: number }[]
}

export type Rebuilder = {
  push(chunk: Uint8Array): void
  /** Ends the log and returns the session. */
  end(): RebuiltSession
}

export const createRebuilder = (candidates: readonly Stream[]): Rebuilder => {
  const detector = createDetector(candidates)
  const observer = createObserver()

  const take = (signals: readonly Signal[]): void => {
    for (const signal of signals) observer.take(signal)
  }

  const splitter = createLineSplitter({
    onLine: (line) => take(detector.read(line)),
    onSkipped: (length) => take([{ type: "problem", problem: longLine(length) }]),
  })

  return {
    push: splitter.push,
    end() {
      splitter.end()
      take(detector.end())
      // A log may end before a result. The call itself then counts, even if it cannot be read.
      for (const callId of [...observer.open]) observer.take({ type: "result", callId, ok: true })
      observer.end()
      return sessionOf([...observer.agents.values()], detector.stream?.agentType, [...observer.problems.values()])
    },
  }
}

const sessionOf = (
  agents: readonly ObservedAgent[],
  agentType: string | undefined,
  problems: RebuiltSession["problems"],
): RebuiltSession => {
  const main = agents.find(({ agent }) => agent === "main")
  const plan = main?.plan ?? emptyPlan
  const session = main?.about.session ?? agents.find(({ about }) => about.session !== undefined)?.about.session
  const agentName = (agent: string): string => (agent === "main" ? (session ?? agent) : agent)
  const subAgents = agents.flatMap((one): RebuiltSession["subAgents"] => {
    if (one === main || !one.plan) return []
    const parent = one.about.parent?.agent
    const parentId = parent === undefined ? {} : { parentId: agentName(parent) }
    return [{ agentId: one.agent, ...parentId, plan: one.plan, progress: progressOf(one.plan) }]
  })
  return { agentType, session, plan, progress: progressOf(plan), subAgents, problems }
}
