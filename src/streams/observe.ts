/** Folds the signals of one stream into plans: a list shows with its call, and its result confirms it or takes it back. */

import type { Dialect, ToolCall } from "../dialects/dialect.ts"
import { findDialect, isDialectId } from "../dialects/index.ts"
import { apply, emptyPlan, type Plan, type Problem } from "../plan/index.ts"
import type { ActivityKind, SessionSignal, Signal } from "./stream.ts"

/** What is known of an agent of the session. */
export type ObservedAgent = {
  agent: string
  /** Undefined until a list was seen. */
  plan: Plan | undefined
  about: Omit<SessionSignal, "type" | "agent">
  activity: { kind: ActivityKind; tool?: string; at?: string } | undefined
  /** When its list was last said. */
  updated: string | undefined
}

export type Observer = {
  /** Takes the next signal and answers the agents whose list looks different now. */
  take(signal: Signal): ObservedAgent[]
  readonly agents: ReadonlyMap<string, ObservedAgent>
  /** What could not be read, once per kind with a count. */
  readonly problems: ReadonlyMap<string, { problem: Problem; count: number }>
}

type SeenCall = {
  dialect: Dialect
  call: ToolCall
  state: "open" | "done" | "refused"
  /** The plan once this call is applied; made anew when something before it changes. */
  after?: Plan
}

type Seen = ObservedAgent & {
  /** The plan before the calls that are still kept. */
  base: Plan | undefined
  calls: SeenCall[]
}

/** Calls kept per agent, so that results and rewinds can still change what they did. */
const kept = 200

export const createObserver = (): Observer => {
  const agents = new Map<string, Seen>()
  const byCallId = new Map<string, { seen: Seen; made: SeenCall }>()
  const problems = new Map<string, { problem: Problem; count: number }>()

  const agentOf = (agent: string): Seen => {
    const seen = agents.get(agent) ?? newAgent(agent)
    agents.set(agent, seen)
    return seen
  }

  const report = (problem: Problem): void => {
    const known = problems.get(problem.code)
    problems.set(problem.code, { problem, count: (known?.count ?? 0) + 1 })
  }

  const addCall = (seen: Seen, dialect: Dialect, call: ToolCall, state: SeenCall["state"]): SeenCall => {
    const made: SeenCall = { dialect, call, state }
    seen.calls.push(made)
    if (call.callId !== undefined) byCallId.set(call.callId, { seen, made })
    if (seen.calls.length > kept) {
      const [oldest] = seen.calls.splice(0, 1)
      seen.base = oldest?.after
      if (oldest?.call.callId !== undefined) byCallId.delete(oldest.call.callId)
    }
    return made
  }

  /** Applies the calls from one on; those before it stand as they are. */
  const replay = (seen: Seen, from: SeenCall): boolean => {
    const start = seen.calls.indexOf(from)
    if (start < 0) return false
    let plan = start > 0 ? seen.calls[start - 1]?.after : seen.base
    for (const made of seen.calls.slice(start)) {
      plan = step(plan, made, report)
      if (plan) made.after = plan
      else delete made.after
    }
    const isNew = plan !== seen.plan && !isSameList(plan, seen.plan)
    seen.plan = plan
    seen.updated = from.call.at ?? seen.updated
    return isNew
  }

  const changed = (seen: Seen, from: SeenCall): ObservedAgent[] => (replay(seen, from) ? [seen] : [])

  return {
    agents,
    problems,
    take(signal) {
      switch (signal.type) {
        case "session": {
          const { type: _, agent = "main", ...about } = signal
          const seen = agentOf(agent)
          seen.about = { ...seen.about, ...about }
          return []
        }
        case "call":
        case "snapshot": {
          if (!isDialectId(signal.dialect)) return []
          const { callId } = signal.call
          if (callId !== undefined && byCallId.has(callId)) return []
          const state = signal.type === "call" ? "open" : "done"
          const seen = agentOf(signal.agent)
          return changed(seen, addCall(seen, findDialect(signal.dialect), signal.call, state))
        }
        case "result": {
          const known = byCallId.get(signal.callId)
          if (known?.made.state !== "open") return []
          known.made.state = signal.ok ? "done" : "refused"
          if (signal.result !== undefined) known.made.call = { ...known.made.call, result: signal.result }
          return changed(known.seen, known.made)
        }
        case "rewound":
          return signal.callIds.flatMap((callId) => {
            const known = byCallId.get(callId)
            if (!known) return []
            known.made.state = "refused"
            return changed(known.seen, known.made)
          })
        case "activity": {
          const { type: _, agent, ...activity } = signal
          agentOf(agent).activity = activity
          return []
        }
        case "problem":
          report(signal.problem)
          return []
      }
    },
  }
}

const newAgent = (agent: string): Seen => ({
  agent,
  plan: undefined,
  about: {},
  activity: undefined,
  updated: undefined,
  base: undefined,
  calls: [],
})

/** The plan after a call. One that was refused, or only reads, leaves it as it is. */
const step = (
  plan: Plan | undefined,
  { dialect, call, state }: SeenCall,
  report: (problem: Problem) => void,
): Plan | undefined => {
  if (state === "refused") return plan
  const before = plan ?? emptyPlan
  const { events, problems, items } = dialect.decode(call, before)
  for (const problem of problems) if (problem.severity !== "repair") report(problem)
  if (events.length === 0) return plan ?? (items ? before : undefined)
  return apply(before, events).plan
}

const isSameList = (one: Plan | undefined, other: Plan | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.todos.length === other.todos.length &&
  one.todos.every((todo, index) => todo === other.todos[index]) &&
  one.phases.join("\n") === other.phases.join("\n")
