/** An index of untold changes: the person's last one, and removed todos. */

import { createOrderedList, type Link, type OrderedList } from "../draft/ordered-list.ts"
import { type PlanEvent, removedBy } from "../event.ts"
import { normalise } from "../text/wording.ts"
import { isOver } from "./burials.ts"
import type { Ledger, Untold } from "./ledger.ts"

export type UntoldIndex = {
  /** Whether it is the last change the agent was not told about. */
  isLast(entry: string): boolean
  /** Whether a person removed a todo with this text that has not come back, and no todo has had the text since. */
  isRemoved(content: string): boolean
  /** Follows the ledger: `told` are the changes that are no longer untold. */
  update(entry: string, events: readonly PlanEvent[], told: readonly Untold[]): void
}

/** How many of a todo's last wordings count, because it may be removed, brought back and reworded repeatedly. */
const mostWordings = 8

export const createUntoldIndex = ({
  untold,
  removed,
  buried,
}: Pick<Ledger, "untold" | "removed" | "buried">): UntoldIndex => {
  /** Entries that are or were untold, the last one at the end. */
  const order: string[] = []
  /** How the todos that a person removed were worded then, the last removal at the end. */
  const wordings = new Map<string, OrderedList<string>>()
  const removals = new Map<string, { id: string; wording: Link<string> }[]>()
  /** The wordings that count, by removed todo; and how many todos have each wording. */
  const counted = new Map<string, readonly string[]>()
  const texts = new Map<string, number>()

  const lastEntry = (): string | undefined => {
    while (order.length > 0 && !untold.has(order.at(-1) ?? "")) order.pop()
    return order.at(-1)
  }

  /** Updates the wordings of a todo after it was removed, came back, or the agent was told. */
  const count = (id: string): void => {
    for (const text of counted.get(id) ?? []) {
      const others = (texts.get(text) ?? 0) - 1
      if (others > 0) texts.set(text, others)
      else texts.delete(text)
    }
    const known = wordings.get(id)
    const current = known && removed.has(id) ? lastOf(known) : []
    for (const text of current) texts.set(text, (texts.get(text) ?? 0) + 1)
    if (current.length > 0) counted.set(id, current)
    else counted.delete(id)
  }

  const keep = ({ entry, events }: Pick<Untold, "entry" | "events">): void => {
    lastEntry()
    order.push(entry)
    const gone = events.flatMap(removedBy)
    const found = gone.flatMap(({ id, content }) => {
      const known = wordings.get(id) ?? createOrderedList("")
      wordings.set(id, known)
      // The agent may know it by a wording from before the person's.
      const texts = [...(removed.get(id)?.record?.formerly ?? []), content]
      return texts.map((text) => ({ id, wording: known.insert(normalise(text), known.edge.previous) }))
    })
    if (found.length > 0) removals.set(entry, found)
    for (const { id } of gone) count(id)
  }

  const drop = ({ entry }: Untold): void => {
    for (const { id, wording } of removals.get(entry) ?? []) {
      const known = wordings.get(id)
      known?.remove(wording)
      if (known && known.edge.next === known.edge) wordings.delete(id)
      count(id)
    }
    removals.delete(entry)
  }

  for (const change of untold.values()) keep(change)
  return {
    isLast: (entry) => entry === lastEntry(),
    isRemoved(content) {
      if (texts.size === 0) return false
      const text = normalise(content)
      return texts.has(text) && !isOver(buried, text)
    },
    update(entry, events, told) {
      for (const change of told) drop(change)
      const change = untold.get(entry)
      if (change) keep(change)
      if (wordings.size === 0) return
      for (const event of events) {
        if (event.type === "todo-added") count(event.todo.id)
        for (const { id } of removedBy(event)) count(id)
      }
    },
  }
}

const lastOf = ({ edge }: OrderedList<string>): string[] => {
  const last: string[] = []
  for (let link = edge.previous; link !== edge && last.length < mostWordings; link = link.previous) last.push(link.item)
  return last
}
