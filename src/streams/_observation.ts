/** Folds signals into the agents of a stream and their calls; lists are computed on demand. */

import { isDialectId } from "../dialects/index.ts"
import { type Problem, warning } from "../plan/index.ts"
import { oneLine } from "../plan/text/one-line.ts"
import { type CallIndex, createCallIndex, type Observed } from "./_call-index.ts"
import {
  type Budget,
  type CallLog,
  createCallLog,
  type KeptCall,
  type ListState,
  nothingYet,
  type SeenCall,
} from "./_call-log.ts"
import { withSize } from "./_size-limit.ts"
import { known } from "./line.ts"
import type { ObservedAgent } from "./observe.ts"
import type { SeenId } from "./seen-calls.ts"
import type { Activity, SessionSignal, Signal } from "./stream.ts"

/** The whole state as plain data, from which another observer can continue. */
export type ObserverSnapshot = {
  agents: (Pick<ObservedAgent, "agent" | "about" | "activity" | "updated"> & {
    base: ListState
    /** The calls after the base. The first one waits for its result. */
    calls: SeenCall[]
    /** Lists were skipped on the way to the base. */
    hasGaps?: true
  })[]
  /** The last calls that are part of a base, by id with a fingerprint, because a client may repeat them. */
  settled: SeenId[]
}

export type ObservationOptions = {
  from?: ObserverSnapshot | undefined
  /** Whether every list is applied, instead of only the last one that was sent whole. */
  readsAll: boolean
  budget: Budget
}

export type ReportedProblems = ReadonlyMap<string, { problem: Problem; count: number }>

const mostAgents = 10_000
/** The most characters for the calls of all agents, approximately. */
const mostKept = 128 << 20
/** The most open calls in a snapshot. */
const remembered = 20

const tooManyAgents = warning("too-many-agents", `More than ${mostAgents} agents were found; the others were skipped.`)

export const createObservation = ({ from, readsAll, budget }: ObservationOptions) => {
  const agents = new Map<string, ObservedAgent>()
  const observations = new Map<string, Observed>()
  const index = createCallIndex(from?.settled)
  const reported = new Map<string, { problem: Problem; count: number }>()
  let keptSize = 0
  let hasEnded = false

  const report = (problem: Problem): void => count(reported, problem)

  const addAgent = (agent: ObservedAgent, base: ListState, hasGaps: boolean): Observed => {
    const observed = { agent, log: createCallLog({ base, hasGaps, readsAll, budget, onProblem: report }) }
    agents.set(agent.agent, agent)
    observations.set(agent.agent, observed)
    return observed
  }

  const agentNamed = (name: string): Observed | undefined => {
    const known = observations.get(name)
    if (known) return known
    if (agents.size < mostAgents) return addAgent(newAgent(name), nothingYet, false)
    report(tooManyAgents)
    return undefined
  }

  const addCall = (observed: Observed, made: KeptCall): void => {
    observed.log.add(made)
    keptSize += made.size
    index.add({ observed, made })
  }

  const drop = ({ log }: Observed, number: number): void => {
    for (const made of log.drop(number)) {
      keptSize -= made.size
      if (made.state !== "refused") for (const problem of made.problems ?? []) report(problem)
      index.forget(made)
    }
  }

  const makeRoom = (observed: Observed): void => {
    const surplus = observed.log.surplus()
    if (surplus > 0) drop(observed, surplus)
    if (keptSize <= mostKept) return
    for (const other of observations.values()) if (keptSize > mostKept / 2) drop(other, other.log.calls().length)
  }

  const takeCall = (signal: Extract<Signal, { type: "call" | "snapshot" }>, size: number): Observed[] => {
    const { dialect, call, type } = signal
    if (!isDialectId(dialect)) return []
    if (index.isRepeated(call)) return []
    const observed = agentNamed(signal.agent)
    if (!observed) return []
    addCall(observed, { dialect, call, state: type === "call" ? "open" : "done", size })
    observed.agent.updated = call.at ?? observed.agent.updated
    observed.agent.lastCall = call
    makeRoom(observed)
    return [observed]
  }

  const takeResult = ({ callId, ok, result }: Extract<Signal, { type: "result" }>, size: number): Observed[] => {
    const { observed, made } = index.findOpen(callId) ?? {}
    if (!observed || !made) return []
    made.state = ok ? "done" : "refused"
    index.close(callId)
    if (result !== undefined) made.call = { ...made.call, result }
    made.size += size
    keptSize += size
    observed.log.changed(made)
    observed.agent.lastCall = made.call
    return [observed]
  }

  const takeBack = (callIds: readonly string[]): Observed[] => {
    const changed = new Set<Observed>()
    for (const callId of callIds) {
      const { observed, made } = index.findAccepted(callId) ?? {}
      if (!observed || !made) continue
      made.state = "refused"
      index.close(callId)
      observed.log.changed(made)
      observed.agent.lastCall = made.call
      changed.add(observed)
    }
    return [...changed]
  }

  for (const { agent, about, activity, updated, base, calls, hasGaps = false } of from?.agents ?? []) {
    const observed = addAgent({ ...newAgent(agent), about, activity, updated }, base, hasGaps)
    for (const made of calls) addCall(observed, { ...made, size: 0 })
  }

  return {
    agents: agents as ReadonlyMap<string, ObservedAgent>,
    all: (): Observed[] => [...observations.values()],
    /** Processes the next signal. Returns the agents whose list may have changed. */
    take(given: Signal): Observed[] {
      const { signal, size } = withSize(given)
      switch (signal.type) {
        case "session": {
          const { type: _, agent = "main", ...about } = signal
          const observed = agentNamed(agent)
          if (observed) observed.agent.about = { ...observed.agent.about, ...about, ...firstAsked(observed.agent) }
          return []
        }
        case "call":
        case "snapshot":
          return takeCall(signal, size)
        case "result":
          return takeResult(signal, size)
        case "rewound":
          return takeBack(signal.callIds)
        case "activity": {
          const observed = agentNamed(signal.agent)
          if (observed) observed.agent.activity = keptActivity(signal)
          return []
        }
        case "message":
        case "work":
        case "work-result":
          return []
        case "problem":
          report(signal.problem)
          return []
      }
    },
    /** Ends the stream: pending calls count as accepted. */
    end(): void {
      hasEnded = true
    },
    /** What could not be read, the first of each kind with a count. Calls count once they are accepted. */
    problems: (): ReportedProblems => {
      const all = new Map(reported)
      for (const { log } of observations.values())
        for (const problem of acceptedProblems(log, hasEnded)) count(all, problem)
      return all
    },
    /** The ids of calls whose results are pending. */
    open: index.open,
    snapshot: (): ObserverSnapshot => snapshotOf(observations.values(), index),
  }
}

const snapshotOf = (all: Iterable<Observed>, index: CallIndex): ObserverSnapshot => {
  const agents = Array.from(all, ({ agent: { agent, about, activity, updated }, log }) => {
    const { base, calls, hasGaps } = log.compacted(remembered)
    return { agent, about, activity, updated, base, calls, ...(hasGaps ? { hasGaps } : {}) }
  })
  const stillKept = new Set(agents.flatMap(({ calls }) => calls.flatMap(({ call }) => call.callId ?? [])))
  return { agents, settled: index.lastSettled(stillKept) }
}

const acceptedProblems = (log: CallLog, hasEnded: boolean): Problem[] =>
  log
    .calls()
    .flatMap(({ state, problems = [] }) => (state === "done" || (state === "open" && hasEnded) ? problems : []))

/** The first prompt and command of a session, which identify it for people. */
const firstAsked = ({ about: { asked, command } }: ObservedAgent): Pick<SessionSignal, "asked" | "command"> =>
  known({ asked, command })

/** An activity as kept for the lifetime of a session: untrusted texts as one short line each. */
const keptActivity = ({ kind, tool, on, at, waitsFor, error, isInterrupted }: Activity): Activity => ({
  kind,
  ...known({
    tool: tool === undefined ? undefined : oneLine(tool, longestName),
    on: on === undefined ? undefined : oneLine(on) || undefined,
    at,
    waitsFor,
    error: error === undefined ? undefined : oneLine(error),
    isInterrupted,
  }),
})

const longestName = 100

const newAgent = (agent: string): ObservedAgent => ({
  agent,
  ...nothingYet,
  about: {},
  activity: undefined,
  updated: undefined,
  lastCall: undefined,
})

const count = (problems: Map<string, { problem: Problem; count: number }>, problem: Problem): void => {
  const known = problems.get(problem.code)
  problems.set(problem.code, { problem: known?.problem ?? problem, count: (known?.count ?? 0) + 1 })
}
