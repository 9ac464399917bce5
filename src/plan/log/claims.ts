/** Decides claims in log order, so that exactly one of several concurrent claims gets a todo. */
import type { Actor, Entry, PlanEvent, Settle } from "../event.ts"
import { error, type Problem, warning } from "../problem.ts"
import { quoted } from "../text/quoted.ts"
import { isFinished, type Todo } from "../todo.ts"
import { isSetByPerson } from "./by-person.ts"
import type { Ledger } from "./ledger.ts"

/** Who holds a todo, and until when. `by` is the agent that claimed it: an owner may have any name. */
export type Lease = { owner: string; until: string; by?: string }

/** What an agent's claims are known by. */
export const claimantOf = ({ id, client = id }: Actor): string => client

/** How long a claim holds unless it says otherwise. */
export const defaultLeaseMinutes = 30

/** What one owner asks for; the fold decides whether it gets it. */
export const claim = (id: string, owner: string, minutes = defaultLeaseMinutes): PlanEvent[] => [
  { type: "todo-claimed", id, owner, minutes },
]

export const release = (id: string, owner: string): PlanEvent[] => [{ type: "todo-released", id, owner }]

const aDay = 24 * 60 * 60_000
const longestLease = 7 * aDay

/**
 * The lease that is valid at a time: not after it has lapsed or its todo is finished. A lease that ends later than any lease
 * can was made with a wrong clock and is ignored; clocks may differ by a day.
 */
export const leaseOf = (ledger: Ledger, id: string, at: string): Lease | undefined => {
  const lease = ledger.todos.get(id)?.lease
  const left = lease ? Date.parse(lease.until) - Date.parse(at) : 0
  return left > 0 && left <= longestLease + aDay ? lease : undefined
}

/**
 * The events of an entry after its claims are decided. A granted claim also sets the owner. If a claim is refused, all
 * other events of the entry about that todo are dropped too, so that no agent works on what another has claimed.
 */
export const decideClaims = (
  { events, at, by }: Entry,
  ledger: Ledger,
  todoOf: (id: string) => Todo | undefined,
): readonly PlanEvent[] => {
  if (!events.some(concernsOwner)) return events
  const refused = new Set<string>()
  // What this very entry granted counts for its later claims.
  const granted = new Map<string, string>()
  const holderOf = (id: string): string | undefined => granted.get(id) ?? leaseOf(ledger, id, at)?.owner
  const decided = events.flatMap((event): PlanEvent[] => {
    if (event.type === "todo-claimed") {
      const todo = todoOf(event.id)
      const holder = holderOf(event.id)
      if (!todo || isFinished(todo.status)) return []
      if ((holder !== undefined && holder !== event.owner) || isAssigned(ledger, event.id, event.owner, todo)) {
        refused.add(event.id)
        return []
      }
      granted.set(event.id, event.owner)
      const until = new Date(Date.parse(at) + minutesOf(event.minutes) * 60_000).toISOString()
      const was = ledger.todos.get(event.id)?.lease
      return [
        { type: "todo-changed", id: event.id, from: { owner: todo.owner ?? null }, to: { owner: event.owner } },
        { ...event, until, ...(was ? { was } : {}) },
      ]
    }
    if (event.type === "todo-released") {
      const holder = holderOf(event.id) ?? todoOf(event.id)?.owner
      if (holder !== event.owner) return []
      granted.delete(event.id)
      return [
        { type: "todo-changed", id: event.id, from: { owner: todoOf(event.id)?.owner ?? null }, to: { owner: null } },
        event,
      ]
    }
    // A plain change of the owner by an agent does not take what another holds.
    if (event.type === "todo-changed" && by.kind === "agent" && event.to.owner !== undefined) {
      const holder = holderOf(event.id)
      if (holder === undefined || holder === event.to.owner) return [event]
      const { owner: _, ...to } = event.to
      return [{ ...event, to }]
    }
    return [event]
  })
  return refused.size === 0
    ? decided
    : decided.filter((event) => event.type !== "todo-changed" || !refused.has(event.id))
}

/**
 * The events of an agent's entry, without those that would remove a todo that another agent has claimed, or change it with a
 * whole list. An entry that claims a todo in the name of its owner counts as the owner's.
 */
export const withoutClaimedByOthers = (
  events: readonly PlanEvent[],
  { at, by, settle }: Entry,
  ledger: Ledger,
): readonly PlanEvent[] => {
  const isAsked = (event: PlanEvent): boolean => event.type !== "todo-changed" || settle?.keepsClaimed === true
  if (!events.some((event) => isAsked(event) && concernsClaimed(event, ledger))) return events
  // A new todo may have been proposed under the id of one that another agent added meanwhile.
  const own = new Set(events.flatMap(ownIn))
  const isKept = (id: string): boolean => !own.has(id) && heldByOther(ledger, id, by, at) !== undefined
  return events.flatMap((event): PlanEvent[] => {
    if (event.type === "todo-removed") return isKept(event.todo.id) ? [] : [event]
    if (event.type === "plan-cleared") return [{ ...event, todos: event.todos.filter(({ id }) => !isKept(id)) }]
    return event.type === "todo-changed" && isAsked(event) && isKept(event.id) ? [] : [event]
  })
}

/** The todos that an entry adds, or that it was granted. */
const ownIn = (event: PlanEvent): string[] => {
  if (event.type === "todo-added") return event.restores ? [] : [event.todo.id]
  return event.type === "todo-claimed" ? [event.id] : []
}

/** The lease by which another agent than this one holds a todo at a time. */
export const heldByOther = (
  ledger: Ledger,
  todo: string,
  { id, client }: Pick<Actor, "id" | "client">,
  at: string,
): Lease | undefined => {
  const lease = leaseOf(ledger, todo, at)
  const isOthers = lease?.by !== undefined && lease.by !== client && lease.by !== id
  return isOthers ? lease : undefined
}

/** How a whole list is settled: the log of a plan without claims says nothing about them. */
export const settleClaims = (events: readonly PlanEvent[], ledger: Ledger, by: Actor): Settle => {
  const isShared = by.client !== undefined && events.length > 0
  return isShared || events.some((event) => concernsClaimed(event, ledger)) ? { keepsClaimed: true } : {}
}

/** Whether an event removes or changes a todo that was claimed, even if the lease has ended. */
const concernsClaimed = (event: PlanEvent, { todos }: Ledger): boolean =>
  idsIn(event).some((id) => todos.get(id)?.lease !== undefined)

/** The todos that an event removes or changes. */
const idsIn = (event: PlanEvent): string[] => {
  if (event.type === "todo-changed") return [event.id]
  if (event.type === "todo-removed") return [event.todo.id]
  return event.type === "plan-cleared" ? event.todos.map(({ id }) => id) : []
}

/** A sentence for each todo that stayed as it was because another agent holds it; `nameOf` is how the agent knows a todo. */
export const keptForOthers = (
  { asked, happened, by }: { asked: readonly PlanEvent[]; happened: readonly PlanEvent[]; by: Actor },
  ledger: Ledger,
  nameOf: (id: string) => string | undefined,
): Problem[] => {
  const isClaim = (event: PlanEvent): boolean => event.type === "todo-claimed"
  const done = new Set([...happened.flatMap(idsIn), ...asked.filter(isClaim).flatMap(ownIn)])
  const left = new Set(asked.flatMap(idsIn).filter((id) => !done.has(id)))
  return [...left].flatMap((id) => {
    const lease = heldByOther(ledger, id, by, ledger.updated ?? "")
    const name = nameOf(id)
    return !lease || name === undefined ? [] : [warning("claimed", `${name} ${takenBy(lease)} and stays as it is.`)]
  })
}

/** A sentence for each claim that was not granted: who has the todo, and until when. */
export const refusedClaims = (
  asked: readonly PlanEvent[],
  ledger: Ledger,
  todoOf: (id: string) => Todo | undefined,
): Problem[] =>
  asked.flatMap((event) => {
    if (event.type !== "todo-claimed") return []
    const todo = todoOf(event.id)
    const lease = ledger.todos.get(event.id)?.lease
    if (!todo) return [error("gone", `Todo ${event.id} no longer exists and cannot be claimed.`)]
    if (lease?.owner === event.owner) return []
    const name = `${todo.id} ${quoted(todo.content)}`
    if (isFinished(todo.status)) return [error("finished", `${name} is ${todo.status} and cannot be taken.`)]
    const taken = lease ? takenBy(lease) : `is taken by ${ownerName(todo.owner ?? "another")}`
    return [error("taken", `${name} ${taken} and was not changed. Take another todo.`)]
  })

const takenBy = ({ owner, until }: Lease): string => `is taken by ${ownerName(owner)} until ${leaseEnd(until)}`

/** An owner may have any name, even a sentence. */
const ownerName = (owner: string): string => (/^[\w.@:/-]{1,60}$/.test(owner) ? owner : quoted(owner))

/** With the day: a lease may last for a week. */
export const leaseEnd = (until: string): string => `${until.slice(0, 10)} ${until.slice(11, 16)} UTC`

const concernsOwner = (event: PlanEvent): boolean =>
  event.type === "todo-claimed" ||
  event.type === "todo-released" ||
  (event.type === "todo-changed" && event.to.owner !== undefined)

/** A person gave the todo to another owner; that holds until a person says otherwise. */
const isAssigned = (ledger: Ledger, id: string, owner: string, todo: Todo): boolean => {
  const lease = ledger.todos.get(id)?.lease
  return isSetByPerson(ledger, id, "owner") && lease === undefined && todo.owner !== undefined && todo.owner !== owner
}

/** A week at most: a claim must end even if its owner never comes back. */
const minutesOf = (minutes: number): number =>
  Number.isFinite(minutes) ? Math.min(Math.max(minutes, 0), longestLease / 60_000) : defaultLeaseMinutes
