/** Folds signals into plans as the observer does, but late: lists are made when somebody looks, and it can go on later. */
import type { ToolCall } from "../dialects/dialect.ts"
import { type DialectId, findDialect, isDialectId } from "../dialects/index.ts"
import { apply, emptyPlan, type Plan, type Problem, warning } from "../plan/index.ts"
import { modest } from "./modest.ts"
import type { ObservedAgent } from "./observe.ts"
import type { Signal } from "./stream.ts"
import { noTimes, type Timed, type Times, timesAfter } from "./times.ts"

export type LateAgent = Pick<ObservedAgent, "agent" | "plan" | "times" | "about" | "activity" | "updated">

type SeenCall = { dialect: DialectId; call: ToolCall; state: "open" | "done" | "refused" }

/** Everything that is known of an agent, as plain data. */
type Seen = LateAgent & {
  /** Calls since the plan was made, or since one that still waits for its answer. */
  calls: SeenCall[]
  /** How things stood before them. */
  base: Timed
  isStale?: boolean
}

export type LateSnapshot = {
  agents: (Omit<LateAgent, "plan" | "times"> & { base: Plan | undefined; times: Times; calls: SeenCall[] })[]
  /** Ids of the last calls that were answered: a client may say them again. */
  answered: string[]
}

/** Calls kept per agent before all but the last are made into its plan. */
const kept = 400

/** Unanswered calls, and answered ones that are known again, in a snapshot. */
const remembered = 20

/** In todos, over all calls of a file. A long day's work is a tenth of it. */
const mostCost = 500_000
const mostAgents = 10_000
/** Calls whose answer is waited for, over all agents: each further line is compared with them. */
const mostOpen = 200

const tooMuch = warning(
  "too-many-changes",
  "More changes than any session makes were found; the last ones were skipped.",
)
const tooManyAgents = warning("too-many-agents", `More than ${mostAgents} agents were found; the others were skipped.`)

/**
 * Where the observer makes a plan with each call, this one reads only the last of the lists that were sent whole: what
 * a scan over history needs. It cannot take answered calls back once they are in a snapshot; whoever scans then
 * begins anew. `isTimed` has it read all lists for the times of their todos; what goes on from a snapshot always does.
 */
export const createLateObserver = (from?: LateSnapshot, isTimed = from !== undefined) => {
  const agents = new Map<string, Seen>()
  const open = new Map<string, { seen: Seen; made: SeenCall }>()
  const answered = new Map<string, SeenCall | undefined>((from?.answered ?? []).map((id) => [id, undefined]))
  const problems = new Map<string, { problem: Problem; count: number }>()

  for (const { calls, base, times, ...known } of from?.agents ?? []) {
    const seen: Seen = { ...known, plan: base, times, base: { plan: base, times }, calls, isStale: true }
    agents.set(seen.agent, seen)
    for (const made of calls) {
      if (made.state === "open" && made.call.callId) open.set(made.call.callId, { seen, made })
    }
  }

  const agentOf = (agent: string): Seen => {
    const known = agents.get(agent)
    if (known) return known
    const seen = newAgent(agent)
    if (agents.size < mostAgents) agents.set(agent, seen)
    else report(tooManyAgents)
    return seen
  }

  const report = (problem: Problem): void => {
    problems.set(problem.code, { problem, count: (problems.get(problem.code)?.count ?? 0) + 1 })
  }

  /** What the lists and their changes have cost so far, in todos: time is bounded for the whole file, not for a call. */
  let cost = 0

  const stand = (base: Timed, calls: readonly SeenCall[], report: (problem: Problem) => void): Timed => {
    const isDecisive = ({ dialect, state }: SeenCall): boolean => state === "done" && findDialect(dialect).wholeList
    const last = Math.max(calls.findLastIndex(isDecisive), 0)
    let standing = base
    for (const [index, made] of calls.entries()) {
      // Of lists that were sent whole the last one is all there is to know, except for times.
      if (index < last && (!isTimed || cost > mostCost)) continue
      if (index > last && cost > mostCost) {
        report(tooMuch)
        break
      }
      const plan = step(standing.plan, made, report)
      cost += 1 + (plan?.todos.length ?? 0)
      if (plan === standing.plan) continue
      standing = { plan, times: isTimed && plan ? timesAfter(standing, plan, made.call.at) : noTimes }
    }
    return standing
  }

  const settle = (seen: Seen): Seen => {
    if (!seen.isStale) return seen
    return Object.assign(seen, { isStale: false, ...stand(seen.base, seen.calls, report) })
  }

  /** The calls that still matter and what stood before them: those from the first unanswered one on, of the last few. */
  const compact = (seen: Seen): Pick<Seen, "base" | "calls"> => {
    const recent = Math.max(0, seen.calls.length - remembered)
    const first = seen.calls.findIndex(({ state }, index) => index >= recent && state === "open")
    if (first < 0) return { base: { plan: seen.plan, times: seen.times }, calls: [] }
    return { base: stand(seen.base, seen.calls.slice(0, first), () => {}), calls: seen.calls.slice(first) }
  }

  const called = (signal: Extract<Signal, { type: "call" | "snapshot" }>): void => {
    const { dialect, call, type } = signal
    if (!isDialectId(dialect)) return
    const id = call.callId
    if (id !== undefined && (open.has(id) || answered.has(id))) return
    const seen = agentOf(signal.agent)
    const made: SeenCall = { dialect, call, state: type === "call" ? "open" : "done" }
    seen.calls.push(made)
    seen.isStale = true
    seen.updated = call.at ?? seen.updated
    if (id !== undefined && made.state === "open") open.set(id, { seen, made })
    if (open.size > mostOpen) open.delete(open.keys().next().value ?? "")
    if (seen.calls.length <= kept) return
    const { base, calls } = compact(settle(seen))
    for (const { call } of seen.calls.slice(0, -calls.length || undefined)) open.delete(call.callId ?? "")
    Object.assign(seen, { base, calls, isStale: true })
  }

  return {
    problems,
    /** Ids of calls that wait for an answer. */
    waiting: (): Iterable<string> => open.keys(),
    isWaiting: (callId: string): boolean => open.has(callId),
    /** How many calls were accepted. */
    accepted: (): number =>
      [...agents.values()].flatMap(({ calls }) => calls).filter(({ state }) => state === "done").length,
    agents: (): LateAgent[] => [...agents.values()].map(settle),
    /** What is known of the agents beside their lists, which are not made for it. */
    known: (): Pick<LateAgent, "agent" | "about">[] => [...agents.values()],
    take(given: Signal): void {
      const signal = modest(given)
      switch (signal.type) {
        case "session": {
          const { type: _, agent = "main", ...about } = signal
          const seen = agentOf(agent)
          seen.about = { ...seen.about, ...about }
          return
        }
        case "call":
        case "snapshot":
          called(signal)
          return
        case "result": {
          const known = open.get(signal.callId)
          if (!known) return
          open.delete(signal.callId)
          answered.set(signal.callId, known.made)
          known.made.state = signal.ok ? "done" : "refused"
          if (signal.result !== undefined) known.made.call = { ...known.made.call, result: signal.result }
          known.seen.isStale = true
          return
        }
        case "rewound":
          for (const callId of signal.callIds) {
            const made = open.get(callId)?.made ?? answered.get(callId)
            if (made) made.state = "refused"
          }
          for (const seen of agents.values()) seen.isStale = true
          return
        case "activity": {
          const { type: _, agent, ...activity } = signal
          agentOf(agent).activity = activity
          return
        }
        case "said":
          return
        case "problem":
          report(signal.problem)
      }
    },
    snapshot: (): LateSnapshot => ({
      agents: [...agents.values()].map((seen) => {
        const { plan: _, isStale: __, ...known } = settle(seen)
        const { base, calls } = compact(seen)
        return { ...known, base: base.plan, times: base.times, calls }
      }),
      answered: [...answered.keys()].slice(-remembered),
    }),
  }
}

export type LateObserver = ReturnType<typeof createLateObserver>

const newAgent = (agent: string): Seen => ({
  agent,
  plan: undefined,
  times: noTimes,
  about: {},
  activity: undefined,
  updated: undefined,
  base: { plan: undefined, times: noTimes },
  calls: [],
})

const step = (plan: Plan | undefined, made: SeenCall, report: (problem: Problem) => void): Plan | undefined => {
  if (made.state === "refused") return plan
  const before = plan ?? emptyPlan
  const { events, problems, items } = findDialect(made.dialect).decode(made.call, before)
  for (const problem of problems) if (problem.severity !== "repair") report(problem)
  if (events.length === 0) return plan ?? (items ? before : undefined)
  return apply(before, events).plan
}
