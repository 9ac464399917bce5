/** Tracks agents with list calls whose results are pending, so that the list may still be rewound. */
import type { Signal } from "./stream.ts"

/** The most pending calls. Of more, the oldest count as answered. */
const mostCalls = 1_000

export const createUnconfirmed = () => {
  const agents = new Map<string, string>()
  const counts = new Map<string, number>()

  const settle = (callId: string): void => {
    const agent = agents.get(callId)
    if (agent === undefined) return
    agents.delete(callId)
    counts.set(agent, (counts.get(agent) ?? 1) - 1)
  }

  const wait = (callId: string, agent: string): void => {
    settle(callId)
    agents.set(callId, agent)
    counts.set(agent, (counts.get(agent) ?? 0) + 1)
    const [first] = agents.keys()
    if (agents.size > mostCalls && first !== undefined) settle(first)
  }

  return {
    has: (agent: string): boolean => (counts.get(agent) ?? 0) > 0,
    saw(signal: Signal): void {
      if (signal.type === "call") wait(signal.call.callId, signal.agent)
      else if (signal.type === "result") settle(signal.callId)
      else if (signal.type === "rewound") signal.callIds.forEach(settle)
      // No result arrives after the end of its turn.
      else if (signal.type === "activity" && (signal.kind === "turn-ended" || signal.kind === "ended")) {
        for (const [callId, agent] of agents) if (agent === signal.agent) settle(callId)
      }
    },
    clear(): void {
      agents.clear()
      counts.clear()
    },
  }
}
