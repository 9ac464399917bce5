/** A person's changes that not all agents of a plan know, when the plan becomes a part of another. */
import { type Ledger, ownAgent, type Untold } from "../plan/index.ts"

/**
 * A person's change that not every agent of the plan knows, and how many of its events each has been told about. Where the plan has only
 * one agent, `to` is absent.
 */
export type NotAllTold = { change: Untold; heard: readonly { to?: string; count: number }[] }

export const notAllTold = (ledger: Ledger): ReadonlyMap<string, NotAllTold> => {
  const all = new Map<string, NotAllTold>()
  for (const [entry, { change, waiting }] of ledger.partlyTold) {
    if (!change.events.every((event) => isUntouched(event, entry, ledger))) continue
    const countFor = (to: string): number => waiting.find(({ client }) => client === to)?.told ?? change.events.length
    all.set(entry, { change, heard: agentsIn(ledger).map((to) => ({ to, count: countFor(to) })) })
  }
  for (const [entry, change] of ledger.untold) all.set(entry, { change, heard: [{ count: change.told ?? 0 }] })
  return all
}

/**
 * Whether what a person's entry did is still as it was left. An agent that knows it may have gone on from there, and what it did then
 * would be lost if the change came after it.
 */
const isUntouched = (event: Untold["events"][number], entry: string, { todos, removed }: Ledger): boolean => {
  if (event.type === "todo-removed") return removed.get(event.todo.id)?.entry === entry
  if (event.type === "todo-added") {
    const { added, set = {} } = todos.get(event.todo.id) ?? {}
    return added?.entry === entry && Object.keys(set).length === 0
  }
  if (event.type !== "todo-changed") return false
  const { set = {} } = todos.get(event.id) ?? {}
  return Object.keys(event.to).every((field) => Object.hasOwn(set, field) && set[field]?.entry === entry)
}

/** The agents that share a plan; none where it has only one. */
export const agentsIn = ({ agents, isOwned }: Ledger): readonly string[] =>
  agents.size === 0 ? [] : [...(isOwned ? [ownAgent] : []), ...agents]
