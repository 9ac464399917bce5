/** Turns the signals of one stream into plans: a list appears with its call, and the result confirms or revokes it. */

import type { ToolCall } from "../dialects/dialect.ts"
import type { Plan, Said, Todo } from "../plan/index.ts"
import type { Observed } from "./_call-index.ts"
import { createObservation, type ObserverSnapshot, type ReportedProblems } from "./_observation.ts"
import type { Activity, SessionSignal, Signal } from "./stream.ts"
import type { Timed, Times } from "./times.ts"

export type { ObserverSnapshot } from "./_observation.ts"

/** What is known about an agent of the session. */
export type ObservedAgent = {
  agent: string
  /** Undefined until a list has been read. */
  plan: Plan | undefined
  /** When its todos got their status, if the stream has times. */
  times: Times
  /** When it last stated each part of its list. Undefined until a list has been read. */
  said?: Said | undefined
  about: Omit<SessionSignal, "type" | "agent">
  /** Its last activity. */
  activity: Activity | undefined
  /** The time of the last call about its list. */
  updated: string | undefined
  /** The call that was last made, answered or rewound. */
  lastCall: ToolCall | undefined
  /** How many lists it has begun. A list ends when it is emptied, or when the next one has none of its todos. */
  listCount: number
}

export type Observer = {
  /** Processes the next signal. Returns the agents whose list has changed. */
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
  /** The snapshot of an earlier observer. Every list after it is applied. */
  from?: ObserverSnapshot | undefined
  /**
   * Applies every list, to get the ids and times of todos, instead of only the last one that was sent whole. @default
   * false
   */
  readsAll?: boolean
}

export type ScanObserver = ReturnType<typeof createScanObserver>

/** In todos, for all lists of a file. A long day's work needs a tenth of it. */
const scanBudget = 500_000

/**
 * For scans of history, which read few lines and find the results of open calls later by id. Computes lists on demand.
 * It cannot rewind calls that are part of its snapshot; a scan that finds such a rewind starts over.
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
    /** The lists without pending calls, by agent; only of agents with pending calls. */
    confirmed: (): Map<string, Timed> =>
      new Map(
        all().flatMap(({ agent: { agent }, log }) => {
          const confirmed = log.confirmed()
          if (!confirmed) return []
          const { plan, times, said } = confirmed
          return [[agent, { plan, times, said }] as const]
        }),
      ),
    /** What is known about the agents, without computing their lists. */
    known: (): Pick<ObservedAgent, "agent" | "about">[] => all().map(({ agent }) => agent),
    problems: observation.problems,
    /** The ids of calls whose results are pending. */
    open: observation.open,
    /** All calls so far, to distinguish them from later ones. */
    calls: (): ReadonlySet<unknown> => new Set(all().flatMap(({ log }) => log.calls())),
    /** Whether a call other than these was accepted and replaces its agent's list. */
    isReplaced: (known: ReadonlySet<unknown>): boolean => all().some(({ log }) => log.isReplaced(known)),
    /** Records that lists before the last ones were skipped. */
    addGap(): void {
      for (const { log } of all()) log.addGap()
    },
    /** Whether a call builds on skipped lists, so that only an observer that reads all lists gets the right one. */
    needsAll: (): boolean => !(readsAll && from === undefined) && all().some(({ log }) => log.needsAll()),
    /** Whether all lists were applied, so that the todos have the ids that result from the whole session. */
    isWhole: (): boolean => all().every(({ log }) => log.isWhole()),
    snapshot: observation.snapshot,
  }
}

/** Computes an agent's list from its calls. Returns whether the list has changed. */
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

/** Compares todos by content, because applying a call again creates new objects. */
const isSameTodo = (one: Todo, other: Todo | undefined): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
