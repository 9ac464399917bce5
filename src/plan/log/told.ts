/** Records which agents of a shared plan have been told about a person's changes. */
import type { Actor, PlanEvent, ToldPart } from "../event.ts"
import type { Ledger, MutableLedger, Untold } from "./ledger.ts"

type AgentTold = Extract<PlanEvent, { type: "agent-told" }>

/**
 * The agent whose session the plan is, among others that write to it: its hooks, and its calls, name no `client`. It is told apart from
 * the others only once there are any.
 */
export const ownAgent = "own"

/** A person's change that at least one agent was told about, and the agents that still have to be told. */
export type PartlyTold = { readonly change: Untold; readonly waiting: readonly Waiting[] }

/** An agent, and how many events of the change it has been told about. */
type Waiting = { readonly client: string; readonly told: number }

/** How many agents of a plan are remembered: the last ones. An agent that leaves does not say so. */
const mostAgents = 32

/** How many changes wait for agents that may have left. */
const mostPartlyTold = 100

/**
 * The ledger as one agent of a shared plan knows it: a change that only others were told about is untold. So is a change
 * that the agent was told about after it had made the call, if `madeAt` says when that was.
 */
export const ledgerFor = (ledger: Ledger, client: string | undefined, madeAt?: string): Ledger => {
  const late =
    madeAt === undefined ? [] : [...ledger.toldLately].filter(([entry]) => isToldAfter(ledger, entry, madeAt))
  const own = [...late, ...untoldTo(ledger, client)]
  return own.length > 0 ? { ...ledger, untold: new Map([...own, ...ledger.untold]) } : ledger
}

const isToldAfter = ({ toldAt }: Ledger, entry: string, at: string): boolean => (toldAt.get(entry) ?? "") > at

const untoldTo = (ledger: Ledger, client = ownAgent): (readonly [string, Untold])[] => {
  if (ledger.partlyTold.size === 0) return []
  return [...ledger.partlyTold].flatMap(([entry, { change, waiting }]) => {
    const { told } = waiting.find((one) => one.client === client) ?? {}
    return told === undefined ? [] : [[entry, told > 0 ? { ...change, told } : change] as const]
  })
}

/** The part of an `agent-told` event that is new. If several processes tell an agent about one entry, the first in the log counts. */
export const newsIn = (event: AgentTold, ledger: Ledger): PlanEvent[] => {
  const { untold, partlyTold } = ledger
  const { type, part, to } = event
  const isNews = (entry: string): boolean => {
    const { waiting } = partlyTold.get(entry) ?? {}
    return untold.has(entry) || (waiting !== undefined && (to === undefined || isAmong(waiting, to)))
  }
  const entries = event.entries.filter(isNews)
  const isNew = to !== undefined && !isKnown(ledger, to)
  const isNextPart = part !== undefined && isNext(part, ledgerFor(ledger, to).untold.get(part.entry))
  if (entries.length === 0 && !isNew && !isNextPart) return []
  return [{ type, entries, ...(isNextPart ? { part } : {}), ...(to === undefined ? {} : { to }) }]
}

/** Whether an agent of a shared plan has written to it, or was told something. */
export const isKnown = ({ agents, isOwned }: Pick<Ledger, "agents" | "isOwned">, client: string): boolean =>
  client === ownAgent ? isOwned === true : agents.has(client)

/** Whom the reply to a call tells: undefined means all, where the plan has one agent. */
export const toldWith = ({ agents }: Pick<Ledger, "agents">, client: string | undefined): string | undefined =>
  client ?? (agents.size > 0 ? ownAgent : undefined)

const isAmong = (waiting: readonly Waiting[], client: string): boolean => waiting.some((one) => one.client === client)

/** Whether a part continues the change: with at least one event, but without the last one, which names the entry itself. */
const isNext = ({ from, to }: ToldPart, change: Untold | undefined): boolean =>
  change !== undefined && from === (change.told ?? 0) && Number.isInteger(to) && to > from && to < change.events.length

/** Records an `agent-told` event, and returns the changes that at least one agent now knows. */
export const recordTold = (ledger: MutableLedger, event: AgentTold, at: string): Untold[] => {
  const told = takeTold(ledger, event)
  for (const { entry } of told) ledger.toldAt.set(entry, at)
  if (event.to === undefined) keepLately(ledger, told)
  for (const entry of ledger.toldAt.keys()) {
    if (ledger.toldAt.size <= mostToldAt) break
    ledger.toldAt.delete(entry)
  }
  return told
}

/** For how many changes the time at which they were told is kept. */
const mostToldAt = 100

/** How many events of the last told changes are kept, for calls that were made before and arrive later. */
const mostLately = 100

const keepLately = ({ toldLately }: MutableLedger, told: readonly Untold[]): void => {
  for (const change of told) toldLately.set(change.entry, change)
  let events = 0
  for (const { entry, events: own } of [...toldLately.values()].reverse()) {
    events += own.length
    if (events > mostLately) toldLately.delete(entry)
  }
}

const takeTold = (ledger: MutableLedger, { entries, part, to }: AgentTold): Untold[] => {
  if (to === undefined) {
    for (const entry of entries) ledger.partlyTold.delete(entry)
    if (part) keepRest(ledger, part)
    return entries.flatMap((entry) => takeUntold(ledger, entry) ?? [])
  }
  recordAgent(ledger, to)
  const told = [...entries, ...(part ? [part.entry] : [])].flatMap((entry) => takeUntold(ledger, entry) ?? [])
  const known = [...ledger.agents, ...(ledger.isOwned ? [ownAgent] : [])]
  for (const change of told) keepPartlyTold(ledger, { change, waiting: known.map(unheardBy) })
  for (const entry of entries) keepWaiting(ledger, entry, (one) => (one.client === to ? undefined : one))
  if (part) keepWaiting(ledger, part.entry, (one) => (one.client === to ? { ...one, told: part.to } : one))
  return told
}

const unheardBy = (client: string): Waiting => ({ client, told: 0 })

const keepRest = ({ untold }: MutableLedger, { entry, to }: ToldPart): void => {
  const change = untold.get(entry)
  if (change) untold.set(entry, { ...change, told: to })
}

export const takeUntold = ({ untold }: MutableLedger, entry: string): Untold | undefined => {
  const change = untold.get(entry)
  untold.delete(entry)
  return change
}

/** An agent that is known and writes is not gone. */
export const recordWriter = (ledger: MutableLedger, { kind, client }: Actor): void => {
  if (client !== undefined && ledger.agents.has(client)) recordAgent(ledger, client)
  if (client === undefined && kind === "agent") ledger.isOwned = true
}

const recordAgent = (ledger: MutableLedger, client: string): void => {
  if (client === ownAgent) {
    ledger.isOwned = true
    return
  }
  const { agents, partlyTold } = ledger
  agents.delete(client)
  agents.add(client)
  const [oldest] = agents
  if (agents.size <= mostAgents || oldest === undefined) return
  agents.delete(oldest)
  for (const entry of [...partlyTold.keys()])
    keepWaiting(ledger, entry, (one) => (one.client === oldest ? undefined : one))
}

/** Changes what each of the waiting agents still has to be told: undefined for nothing. */
const keepWaiting = (
  { partlyTold }: MutableLedger,
  entry: string,
  restOf: (one: Waiting) => Waiting | undefined,
): void => {
  const { change, waiting = [] } = partlyTold.get(entry) ?? {}
  if (!change) return
  const left = waiting.flatMap((one) => restOf(one) ?? [])
  if (left.length > 0) partlyTold.set(entry, { change, waiting: left })
  else partlyTold.delete(entry)
}

const keepPartlyTold = ({ partlyTold }: MutableLedger, partly: PartlyTold): void => {
  partlyTold.set(partly.change.entry, partly)
  const [oldest] = partlyTold.keys()
  if (partlyTold.size > mostPartlyTold && oldest !== undefined) partlyTold.delete(oldest)
}
