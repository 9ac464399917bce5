/** Tracks calls without a result: while one is open, the agent is working or waiting for the person's reply. */
import { activity, waits } from "./line.ts"
import type { Signal, WaitsFor } from "./stream.ts"

/** Agents make fewer calls at the same time; beyond this, the oldest calls without a result are forgotten. */
const mostCalls = 100

export const createOpenCalls = () => {
  const open = new Map<string, { agent: string; asks?: WaitsFor | undefined }>()

  const openOf = (agent: string) => [...open.values()].filter((one) => one.agent === agent)

  return {
    /** A call was made. `asks` is what it asks the person. */
    made(agent: string, callId: string, about: { at?: unknown; asks?: WaitsFor | undefined } = {}): Signal[] {
      open.delete(callId)
      open.set(callId, { agent, asks: about.asks })
      const [first] = open.keys()
      if (open.size > mostCalls && first !== undefined) open.delete(first)
      return about.asks ? [waits(agent, about.asks, about)] : []
    },
    /** Its result has arrived. While another call of the agent is open, that one determines its activity. */
    answered(agent: string, callId: string, about: { at?: unknown } = {}): Signal[] {
      open.delete(callId)
      const others = openOf(agent)
      const asking = others.find(({ asks }) => asks)
      if (asking) return [waits(agent, asking.asks, about)]
      return others.length > 0 ? [] : [activity(agent, "tool", { ...about, isResult: true })]
    },
    /** The same for a call about a list, which does not count as work. */
    settled(callId: string): void {
      open.delete(callId)
    },
    /** A turn of the agent begins or ends: calls without a result will not get one. */
    forget(agent: string): void {
      for (const [callId, one] of open) if (one.agent === agent) open.delete(callId)
    },
  }
}
