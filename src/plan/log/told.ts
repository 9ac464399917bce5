/** Which of several agents on one plan have been told of a person's changes. */
import type { PlanEvent } from "../event.ts"
import type { Ledger, MutableLedger, Untold } from "./ledger.ts"

type AgentTold = Extract<PlanEvent, { type: "agent-told" }>

/** A person's change that one of several agents was told of, and the agents that still have to be. */
export type PartlyTold = { readonly change: Untold; readonly waiting: readonly string[] }

/** As many agents of a plan are known: the last ones. Those that are gone never say so. */
const mostAgents = 32

/** More changes than these do not wait for agents that may be gone. */
const mostPartlyTold = 100

/** The ledger as one of several agents knows it: a change that only others were told of is untold. */
export const ledgerFor = (ledger: Ledger, client: string | undefined): Ledger => {
  if (client === undefined || ledger.partlyTold.size === 0) return ledger
  const own = [...ledger.partlyTold].flatMap(([entry, { change, waiting }]) =>
    waiting.includes(client) ? [[entry, change] as const] : [],
  )
  return own.length > 0 ? { ...ledger, untold: new Map([...own, ...ledger.untold]) } : ledger
}

/** The part of a telling that is news. Of several who tell an agent of one entry at once, the first in the log did. */
export const newsIn = (event: AgentTold, ledger: Ledger): PlanEvent[] => {
  const { untold, partlyTold, agents } = ledger
  const { to } = event
  const isNews = (entry: string): boolean => {
    const { waiting } = partlyTold.get(entry) ?? {}
    return untold.has(entry) || (waiting !== undefined && (to === undefined || waiting.includes(to)))
  }
  const entries = event.entries.filter(isNews)
  const isNew = to !== undefined && !agents.has(to)
  return entries.length > 0 || isNew ? [{ ...event, entries }] : []
}

/** Records a telling, and returns the changes that now at least one agent knows. */
export const recordTold = (ledger: MutableLedger, { entries, to }: AgentTold): Untold[] => {
  if (to !== undefined) recordAgent(ledger, to)
  const told = entries.flatMap((entry) => takeUntold(ledger, entry) ?? [])
  if (to === undefined) {
    for (const entry of entries) ledger.partlyTold.delete(entry)
    return told
  }
  for (const entry of entries) keepWaiting(ledger, entry, (client) => client !== to)
  const others = [...ledger.agents].filter((client) => client !== to)
  if (others.length > 0) for (const change of told) keepPartlyTold(ledger, { change, waiting: others })
  return told
}

export const takeUntold = ({ untold }: MutableLedger, entry: string): Untold | undefined => {
  const change = untold.get(entry)
  untold.delete(entry)
  return change
}

/** An agent that is known and writes is not gone. */
export const recordWriter = (ledger: MutableLedger, client: string | undefined): void => {
  if (client !== undefined && ledger.agents.has(client)) recordAgent(ledger, client)
}

const recordAgent = (ledger: MutableLedger, client: string): void => {
  const { agents, partlyTold } = ledger
  agents.delete(client)
  agents.add(client)
  const [oldest] = agents
  if (agents.size <= mostAgents || oldest === undefined) return
  agents.delete(oldest)
  for (const entry of [...partlyTold.keys()]) keepWaiting(ledger, entry, (one) => one !== oldest)
}

const keepWaiting = ({ partlyTold }: MutableLedger, entry: string, isKept: (client: string) => boolean): void => {
  const { change, waiting = [] } = partlyTold.get(entry) ?? {}
  if (!change) return
  const left = waiting.filter(isKept)
  if (left.length > 0) partlyTold.set(entry, { change, waiting: left })
  else partlyTold.delete(entry)
}

const keepPartlyTold = ({ partlyTold }: MutableLedger, partly: PartlyTold): void => {
  partlyTold.set(partly.change.entry, partly)
  const [oldest] = partlyTold.keys()
  if (partlyTold.size > mostPartlyTold && oldest !== undefined) partlyTold.delete(oldest)
}
