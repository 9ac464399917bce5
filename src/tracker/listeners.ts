/** The listeners of a plan, which are called after every change. */
import { frozen, frozenEvents } from "../plan/frozen.ts"
import { isPlanChange, messageOf, type Plan, type Problem, warning } from "../plan/index.ts"
import type { Happened } from "./log-so-far.ts"
import type { Change } from "./tracker.ts"

export type Listeners = {
  /** Returns a function that removes it. */
  add(listener: (change: Change) => void): () => void
  isEmpty(): boolean
  /** Tells them what happened together, with the plan after all of it. */
  announce(happened: readonly Happened[], plan: () => Plan): void
  clear(): void
}

/** A listener that fails does not keep the others from being told. */
export const createListeners = (onProblem: (problem: Problem) => void): Listeners => {
  const listeners = new Set<(change: Change) => void>()

  const tell = (change: Change): void => {
    for (const listener of listeners) {
      try {
        listener(change)
      } catch (cause) {
        onProblem(warning("listener-failed", `A listener of the plan failed: ${messageOf(cause)}`))
      }
    }
  }

  return {
    add(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isEmpty: () => listeners.size === 0,
    announce(happened, plan) {
      const changes = happened.filter(({ events }) => events.some(isPlanChange))
      // All share one plan, because a log may grow by many entries at once.
      const latest = changes.length > 0 && frozen(plan())
      if (latest) for (const { entry, events } of changes) tell({ plan: latest, events: frozenEvents(events), entry })
    },
    clear: () => listeners.clear(),
  }
}
