/** Turns the signals of one stream into plans: a list appears with its call, and the result confirms or revokes it. */

import type { ToolCall } from "../dialects/dialect.ts"
import type { Plan, Said, Todo } from "../plan/index.ts"
import { createObservation, type Observed, type ObserverSnapshot, type ReportedProblems } from "./_observation.ts"
import type { Activity, SessionSignal, Signal } from "./stream.ts"
import type { Timed, Times } from "./times.ts"

export type { ObserverSnapshot } from "./_observation.ts"

/** What is known about an agent of the session. */
export type ObservedAgent = {
  agent: string
  /** Undefined until a list was seen. */
  plan: Plan | undefined
  /** Since when its todos have their status, if the stream has times. */
  times: Times
  /** When it last said what its list says. Undefined until a list was seen. */
  said?: Said | undefined
  about: Omit<SessionSignal, "type" | "agent">
  /** What it was last seen doing. */
  activity: Activity | undefined
  /** When the last call about its list was made. */
  updated: string | undefined
  /** The call that was last made, answered or taken back. */
  lastCall: ToolCall | undefined
  /** How many lists it has begun. One ends when it is emptied, or when none of its todos is left in the next. */
  listCount: number
}

export type Observer = {
  /** Processes the next signal and returns the agents whose list has changed. */
  take(signal: Signal): ObservedAgent[]
  /** Ends the stream: pending calls count as accepted. */
  end(): void
  readonly agents: ReadonlyMap<string, ObservedAgent>
  /** What could not be read, the first of each kind with a count. Calls count once they are accepted. */
  readonly problems: ReportedProblems
  /** The ids of the last calls whose results are pending. */
  readonly open: ReadonlySet<string>
}

/** For live streams: receives every signal, and computes each list at once. */
export const createObserver = (): Observer => {
  const observation = createObservation({ readsAll: true, budget: { left: Number.POSITIVE_INFINITY } })
  return {
    agents: observation.agents,
    open: observation.open,
    get problems() {
      return observation.problems()
    },
    take: (signal) => observation.take(signal).flatMap((observed) => (makeList(observed) ? [observed.agent] : [])),
    end: observation.end,
  }
}

export type ScanObserverOptions = {
  /** Where an earlier one stood. It applies every list from there on. */
  from?: ObserverSnapshot | undefined
  /** Applies every list, for the ids and times of the todos, and not only the last of those that were sent whole. @default false */
  readsAll?: boolean
}

export type ScanObserver = ReturnType<typeof createScanObserver>

/** In todos, over all lists of a file. A long day's work is a tenth of it. */
const scanBudget = 500_000

/**
 * For scans of history, which pass few lines and find the results of open calls later by id: lists are computed on
 * demand. It cannot rewind calls that are settled in its snapshot; a scan that meets a rewind starts over.
 */
export const createScanObserver = ({ from, readsAll = from !== undefined }: ScanObserverOptions = {}) => {
  const observation = createObservation({ from, readsAll, budget: { left: scanBudget } })
  observation.end()
  const { all } = observation

  return {
    take: (signal: Signal): void => void observation.take(signal),
    agents: (): ObservedAgent[] =>
      all().map((observed) => {
        makeList(observed)
        return observed.agent
      }),
    /** The lists without the calls whose results are not in, by agent; only of those that have made such calls. */
    confirmed: (): Map<string, Timed> =>
      new Map(
        all().flatMap(({ agent: { agent }, log }) => {
          const confirmed = log.confirmed()
          if (!confirmed) return []
          const { plan, times, said } = confirmed
          return [[agent, { plan, times, said }] as const]
        }),
      ),
    /** What is known about the agents besides their lists, which are not made for it. */
    known: (): Pick<ObservedAgent, "agent" | "about">[] => all().map(({ agent }) => agent),
    problems: observation.problems,
    /** The ids of calls whose results are still to be found. */
    open: observation.open,
    /** The calls that were taken so far, to tell those that come later from them. */
    calls: (): ReadonlySet<unknown> => new Set(all().flatMap(({ log }) => log.calls())),
    /** Whether any other call than these was accepted and replaces the list of its agent. */
    isReplaced: (known: ReadonlySet<unknown>): boolean => all().some(({ log }) => log.isReplaced(known)),
    /** Lists before the last ones taken were left out. */
    addGap(): void {
      for (const { log } of all()) log.addGap()
    },
    /** Whether a call builds on lists that were left out, so that only an observer that reads all arrives at the list. */
    needsAll: (): boolean => !(readsAll && from === undefined) && all().some(({ log }) => log.needsAll()),
    /** Whether all lists were applied, so that the todos have the ids that follow from the whole session. */
    isWhole: (): boolean => all().every(({ log }) => log.isWhole()),
    snapshot: observation.snapshot,
  }
}

/** Makes the list that follows from an agent's calls. Returns whether it looks different now. */
const makeList = ({ agent, log }: Observed): boolean => {
  const before = agent.plan
  Object.assign(agent, log.current())
  return agent.plan !== before && !isSameList(agent.plan, before)
}

const isSameList = (one: Plan | undefined, other: Plan | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.todos.length === other.todos.length &&
  one.todos.every((todo, index) => isSameTodo(todo, other.todos[index])) &&
  one.phases.join("\n") === other.phases.join("\n")

/** A call that is applied again makes its todos again. */
const isSameTodo = (one: Todo, other: Todo | undefined): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
