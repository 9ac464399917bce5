/** The agents of a stream, each with the log of its calls; limited in number. */
import { type Problem, warning } from "../plan/index.ts"
import type { Observed } from "./_call-index.ts"
import { type Budget, createCallLog, type ListState, nothingYet } from "./_call-log.ts"
import type { ObservedAgent } from "./observe.ts"

export type AgentsOptions = {
  /** Whether every list is applied, instead of only the last one that was sent whole. */
  readsAll: boolean
  budget: Budget
  onProblem: (problem: Problem) => void
}

export type ObservedAgents = {
  /** By name. */
  readonly agents: ReadonlyMap<string, ObservedAgent>
  all(): IterableIterator<Observed>
  /** The agent of this name, a new one if it was not seen before; undefined if there are too many. */
  named(name: string): Observed | undefined
  /** Continues with the agent of a snapshot. */
  restore(
    agent: Pick<ObservedAgent, "agent" | "about" | "activity" | "updated">,
    base: ListState,
    hasGaps: boolean,
  ): Observed
}

const mostAgents = 10_000

const tooManyAgents = warning("too-many-agents", `More than ${mostAgents} agents were found; the others were skipped.`)

export const createObservedAgents = ({ readsAll, budget, onProblem }: AgentsOptions): ObservedAgents => {
  const agents = new Map<string, ObservedAgent>()
  const observations = new Map<string, Observed>()

  const add = (agent: ObservedAgent, base: ListState, hasGaps: boolean): Observed => {
    const observed = { agent, log: createCallLog({ base, hasGaps, readsAll, budget, onProblem }) }
    agents.set(agent.agent, agent)
    observations.set(agent.agent, observed)
    return observed
  }

  return {
    agents,
    all: () => observations.values(),
    named(name) {
      const known = observations.get(name)
      if (known) return known
      if (agents.size < mostAgents) return add(newAgent(name), nothingYet, false)
      onProblem(tooManyAgents)
      return undefined
    },
    restore: ({ agent, about, activity, updated }, base, hasGaps) =>
      add({ ...newAgent(agent), about, activity, updated }, base, hasGaps),
  }
}

const newAgent = (agent: string): ObservedAgent => ({
  agent,
  ...nothingYet,
  about: {},
  activity: undefined,
  updated: undefined,
  lastCall: undefined,
})
