/** What the states of sub-agents mean for the agents that they work for. */
import type { Merged } from "./merge-sessions.ts"
import type { SessionStateDetails } from "./session-state.ts"

export type AgentState = { merged: Merged; details: SessionStateDetails }

/** A sub-agent's question to the person also blocks its parent agent. */
export const withSubAgentStates = <One extends AgentState>(all: One[]): One[] => {
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
