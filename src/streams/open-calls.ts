/** Tracks calls without a result: while one is open, the agent is working or waiting for the person's reply. */
import { activity, waits } from "./line.ts"
import type { Signal, WaitsFor } from "./stream.ts"

/** The most open calls. Agents make fewer at the same time; of more, the oldest are forgotten. */
const mostCalls = 100

export const createOpenCalls = () => {
  const open = new Map<string, { agent: string; asks?: WaitsFor | undefined }>()

  const openOf = (agent: string) => [...open.values()].filter((one) => one.agent === agent)

  return {
    /** Records a call. `asks` is its question to the person. */
    made(agent: string, callId: string, about: { at?: unknown; asks?: WaitsFor | undefined } = {}): Signal[] {
      open.delete(callId)
      open.set(callId, { agent, asks: about.asks })
      const [first] = open.keys()
      if (open.size > mostCalls && first !== undefined) open.delete(first)
      return about.asks ? [waits(agent, about.asks, about)] : []
    },
    /**
     * Records that a call's result has arrived. If another call of the agent is open, that one determines its activity.
     */
    answered(agent: string, callId: string, about: { at?: unknown } = {}): Signal[] {
      open.delete(callId)
      const others = openOf(agent)
      const asking = others.find(({ asks }) => asks)
      if (asking) return [waits(agent, asking.asks, about)]
      return others.length > 0 ? [] : [activity(agent, "tool", { ...about, isResult: true })]
    },
    /** Records the result of a call about a list, which is not activity. */
    settled(callId: string): void {
      open.delete(callId)
    },
    /** Forgets an agent's open calls, because no result arrives after its turn has begun or ended. */
    forget(agent: string): void {
      for (const [callId, one] of open) if (one.agent === agent) open.delete(callId)
    },
  }
}
