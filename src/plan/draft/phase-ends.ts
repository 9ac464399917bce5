/** The last todo of each phase, kept up to date with the list: new todos of a phase are inserted after it. */

import type { Todo } from "../todo.ts"
import { isBefore, type Link } from "./ordered-list.ts"
import { createPriorityQueue, type PriorityQueue } from "./priority-queue.ts"

export type PhaseEnds = {
  /** A link is in the list with this phase. */
  add(link: Link<Todo>): void
  /** Before its phase becomes another, or it leaves the list. */
  remove(link: Link<Todo>): void
  /** Undefined where the phase has no todos. */
  last(phase: string): Link<Todo> | undefined
}

export const createPhaseEnds = (): PhaseEnds => {
  const ends = new Map<string, PriorityQueue<Link<Todo>>>()
  return {
    add(link) {
      const { phase } = link.item
      if (phase === undefined) return
      const links = ends.get(phase) ?? createPriorityQueue((one, other) => isBefore(other, one))
      links.add(link)
      ends.set(phase, links)
    },
    remove(link) {
      const { phase } = link.item
      if (phase === undefined) return
      const links = ends.get(phase)
      links?.remove(link)
      if (links?.size === 0) ends.delete(phase)
    },
    last: (phase) => ends.get(phase)?.first,
  }
}
