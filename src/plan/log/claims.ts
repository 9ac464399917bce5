/** Decides claims in log order, so that exactly one of several concurrent claims gets a todo. */
import type { Entry, PlanEvent } from "../event.ts"
import type { Problem } from "../problem.ts"
import { error } from "../problem.ts"
import { isFinished, type Todo } from "../todo.ts"
import type { Ledger } from "./ledger.ts"

/** Who holds a todo, and until when. */
export type Lease = { owner: string; until: string }

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
 * The lease that holds at a time. One that has lapsed, or whose todo is finished, does not hold anyone back; nor does one that
 * lasts longer than any lease does: it was taken by a clock that went wrong. A day is forgiven to clocks that differ.
 */
export const leaseOf = (ledger: Ledger, id: string, at: string): Lease | undefined => {
  const lease = ledger.todos.get(id)?.lease
  const left = lease ? Date.parse(lease.until) - Date.parse(at) : 0
  return left > 0 && left <= longestLease + aDay ? lease : undefined
}

/**
 * The events of an entry once its claims are decided: a claim that is granted also sets the owner; one that is not takes
 * everything else the entry says of that todo with it, so that no agent works on what another holds.
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
    const name = `${todo.id} "${todo.content}"`
    if (isFinished(todo.status)) return [error("finished", `${name} is ${todo.status} and cannot be taken.`)]
    const until = lease ? ` until ${leaseEnd(lease.until)}` : ""
    const owner = lease?.owner ?? todo.owner ?? "another"
    return [error("taken", `${name} is taken by ${owner}${until} and was not changed. Take another todo.`)]
  })

/** With the day: a lease may last for a week. */
export const leaseEnd = (until: string): string => `${until.slice(0, 10)} ${until.slice(11, 16)} UTC`

const concernsOwner = (event: PlanEvent): boolean =>
  event.type === "todo-claimed" ||
  event.type === "todo-released" ||
  (event.type === "todo-changed" && event.to.owner !== undefined)

/** A person gave the todo to another owner; that holds until a person says otherwise. */
const isAssigned = (ledger: Ledger, id: string, owner: string, todo: Todo): boolean => {
  const stamp = ledger.todos.get(id)?.set.owner
  const lease = ledger.todos.get(id)?.lease
  return stamp?.by.kind === "person" && lease === undefined && todo.owner !== undefined && todo.owner !== owner
}

/** A week at most: a claim must end even if its owner never comes back. */
const minutesOf = (minutes: number): number =>
  Number.isFinite(minutes) ? Math.min(Math.max(minutes, 0), longestLease / 60_000) : defaultLeaseMinutes
