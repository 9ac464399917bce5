/** Which todos are in progress and which one is begun next, kept in step with the list so that it is never walked for that. */

import type { Todo } from "../todo.ts"
import { isBefore, type Link } from "./ordered-list.ts"
import type { PhaseList } from "./phase-list.ts"
import { createPriorityQueue, type PriorityQueue } from "./priority-queue.ts"

type TodoLink = Link<Todo>

export type WorkQueue = {
  /** A link is in the list with this status and phase, held or not. */
  add(link: TodoLink, isHeld: boolean): void
  /** Called before its status or phase changes, it is held or released, or it leaves the list. */
  remove(link: TodoLink): void
  /** Lets a phase change its place, with all its todos. */
  movePhase<Result>(name: string, move: () => Result): Result
  /** The first pending todo, as a person reads them. */
  next(withHeld: boolean): Todo | undefined
  /** The todos in progress, as a person reads them. */
  active(withHeld: boolean): Todo[]
  readonly hasHeldActive: boolean
}

/** Todos that are held are kept apart: there may be thousands, and an agent's entry does not have to visit them. */
export const createWorkQueue = (phases: PhaseList): WorkQueue => {
  const free = createPile(phases)
  const held = createPile(phases)

  const isRead = (one: TodoLink, other: TodoLink): boolean => {
    if (phases.isFirst(one.item.phase, other.item.phase)) return true
    return !phases.isFirst(other.item.phase, one.item.phase) && isBefore(one, other)
  }

  return {
    add: (link, isHeld) => (isHeld ? held : free).add(link),
    remove(link) {
      free.remove(link)
      held.remove(link)
    },
    movePhase: (name, move) => free.movePhase(name, () => held.movePhase(name, move)),
    next(withHeld) {
      const one = free.next()
      const other = withHeld ? held.next() : undefined
      return (one && other && isRead(other, one) ? other : (one ?? other))?.item
    },
    active(withHeld) {
      const links = withHeld ? [...free.active, ...held.active] : [...free.active]
      return links.sort((one, other) => (isRead(one, other) ? -1 : 1)).map(({ item }) => item)
    },
    get hasHeldActive() {
      return held.active.size > 0
    },
  }
}

type Phase = { name: string | undefined; pending: PriorityQueue<TodoLink> }

type Pile = {
  active: Set<TodoLink>
  add(link: TodoLink): void
  remove(link: TodoLink): void
  movePhase<Result>(name: string, move: () => Result): Result
  next(): TodoLink | undefined
}

const createPile = (phases: PhaseList): Pile => {
  const active = new Set<TodoLink>()
  /** Those with pending todos. Each phase has its own queue, so that it can be moved together with all its todos. */
  const waiting = createPriorityQueue<Phase>((one, other) => phases.isFirst(one.name, other.name))
  const byName = new Map<string | undefined, Phase>()

  const phaseOf = (name: string | undefined): Phase => {
    const phase: Phase = byName.get(name) ?? { name, pending: createPriorityQueue<TodoLink>(isBefore) }
    byName.set(name, phase)
    return phase
  }

  return {
    active,
    add(link) {
      const { status, phase: name } = link.item
      if (status === "in_progress") active.add(link)
      if (status !== "pending") return
      const phase = phaseOf(name)
      phase.pending.add(link)
      waiting.add(phase)
    },
    remove(link) {
      active.delete(link)
      const phase = byName.get(link.item.phase)
      phase?.pending.remove(link)
      if (!phase || phase.pending.size > 0) return
      waiting.remove(phase)
      byName.delete(phase.name)
    },
    movePhase(name, move) {
      const phase = byName.get(name)
      if (phase) waiting.remove(phase)
      const result = move()
      if (phase) waiting.add(phase)
      return result
    },
    next: () => waiting.first?.pending.first,
  }
}
