/** The log of one plan as far as it was read: its fold, the place to read on from, and the effects of own entries. */
import { createFold, type Entry, type Fold, type PlanEvent, type Problem } from "../plan/index.ts"
import type { Cursor, Loaded, Snapshot } from "../stores/store.ts"
import { createRenumbered, type Renumbered } from "./renumbered.ts"

export type Happened = { entry: Entry; events: PlanEvent[] }

/** The effect of an entry of this process; without events until it was read back. */
export type Effect = { events?: PlanEvent[] }

export type LogSoFar = {
  readonly fold: Fold
  readonly cursor: Cursor | undefined
  /** The number of entries that are only in memory because the store is full. */
  readonly unwritten: number
  readonly renumbered: Renumbered
  /** Starts from a snapshot if it is a valid one, otherwise from the first entry. */
  begin(snapshot: Snapshot | undefined): void
  /** Folds what was read: the entries of all writers, in log order. */
  take(loaded: Loaded): void
  /** An own entry is about to be written; until `forget` its effect is noted. */
  expect(id: string): Effect
  forget(id: string): void
}

export type LogSoFarOptions = {
  /**
   * The current listener, if any. It is called with the entries that were read together and their effects, once all of
   * them are in the plan. Without a listener nothing is collected.
   */
  listener: () => ((happened: readonly Happened[]) => void) | undefined
  onProblem: (problem: Problem) => void
  /** Called with every entry that changes the plan of this revision. */
  onEvents: (revision: number, events: readonly PlanEvent[]) => void
  /** The plan is folded again from the first entry. */
  onRestart: () => void
}

export const createLogSoFar = ({ listener, onProblem, onEvents, onRestart }: LogSoFarOptions): LogSoFar => {
  const expected = new Map<string, Effect>()
  const renumbered = createRenumbered()
  let fold = createFold()
  let cursor: Cursor | undefined
  let unwritten = 0

  const add = (entry: Entry): PlanEvent[] => {
    const own = fold.has(entry.id) ? undefined : expected.get(entry.id)
    const from = fold.revision
    const events = fold.add(entry)
    onEvents(from, events)
    if (own) own.events = events
    return events
  }

  return {
    get fold() {
      return fold
    },
    get cursor() {
      return cursor
    },
    get unwritten() {
      return unwritten
    },
    renumbered,
    begin(snapshot) {
      try {
        fold = createFold(snapshot?.state)
        cursor = snapshot?.cursor
        for (const problem of snapshot?.problems ?? []) onProblem(problem)
      } catch {
        fold = createFold()
        cursor = undefined
      }
    },
    take(loaded) {
      const told = loaded.isReordered ? fold : undefined
      unwritten = loaded.unwritten ?? 0
      if (loaded.restarted) {
        fold = createFold()
        onRestart()
      }
      cursor = loaded.cursor
      for (const problem of loaded.problems) onProblem(problem)
      const onEntries = listener()
      const happened: Happened[] = []
      for (const entry of loaded.entries) {
        const events = add(entry)
        if (onEntries && !told?.has(entry.id)) happened.push({ entry, events })
      }
      if (told) renumbered.compare(told.ledger, fold.ledger)
      onEntries?.(happened)
    },
    expect(id) {
      const effect: Effect = {}
      expected.set(id, effect)
      return effect
    },
    forget: (id) => void expected.delete(id),
  }
}
