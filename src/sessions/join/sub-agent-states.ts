/** What the states of sub-agents mean for the agents that they work for. */
import type { Merged } from "./merge-sessions.ts"
import { isSilent, type SessionStateDetails } from "./session-state.ts"

export type AgentState = { merged: Merged; details: SessionStateDetails }

/** For all agents of one session. */
export const withSubAgentStates = <One extends AgentState>(all: readonly One[]): One[] =>
  withSubAgentsQuestion(withSubAgentsWork(all))

/** An agent in the middle of its turn is not silent while a sub-agent that it waits for works. */
const withSubAgentsWork = <One extends AgentState>(all: readonly One[]): One[] => {
  const parents = new Map(all.map(({ merged }) => [merged.facts.agent, parentOf(merged)]))
  const helped = new Set<string | undefined>()
  for (const { merged, details } of all)
    for (let at = details.state === "working" ? parentOf(merged) : undefined; at !== undefined && !helped.has(at); ) {
      helped.add(at)
      at = parents.get(at)
    }
  return all.map((one) =>
    helped.has(one.merged.facts.agent) && isSilent(one.details)
      ? { ...one, details: { ...one.details, state: "working" } }
      : one,
  )
}

const parentOf = ({ facts }: Merged): string | undefined =>
  facts.agent === "main" ? undefined : (facts.about.parent?.agent ?? "main")

/** A sub-agent's question to the person also blocks its parent agent. */
const withSubAgentsQuestion = <One extends AgentState>(all: One[]): One[] => {
  const asking = all.find(
    ({ merged, details: { state, waitsFor } }) =>
      merged.facts.agent !== "main" && state === "waiting" && waitsFor && waitsFor.kind !== "turn",
  )
  if (!asking) return all
  const { waitsFor } = asking.details
  return all.map((one) => {
    const isHeld = one.merged.facts.agent === "main" && ["working", "stalled"].includes(one.details.state)
    return isHeld && waitsFor ? { ...one, details: { ...one.details, state: "waiting", waitsFor } } : one
  })
}
