/** Folds the signals of one stream into plans: a list shows with its call, and its result confirms it or takes it back. */

import type { Dialect, ToolCall } from "../dialects/dialect.ts"
import { findDialect, isDialectId } from "../dialects/index.ts"
import { apply, emptyPlan, type Plan, type Problem, type Todo } from "../plan/index.ts"
import { modest } from "./modest.ts"
import type { ActivityKind, SessionSignal, Signal } from "./stream.ts"
import { noTimes, type Times, timesAfter } from "./times.ts"

/** What is known of an agent of the session. */
export type ObservedAgent = {
  agent: string
  /** Undefined until a list was seen. */
  plan: Plan | undefined
  /** Since when its todos are as they are, where the stream says times. */
  times: Times
  about: Omit<SessionSignal, "type" | "agent">
  activity: { kind: ActivityKind; tool?: string; at?: string } | undefined
  /** When its list was last said. */
  updated: string | undefined
  /** The call that last said its list, or that was taken back. */
  said: ToolCall | undefined
  /** How many lists it has begun. One ends when it is emptied, or when none of its todos is left in the next. */
  life: number
}

export type Observer = {
  /** Takes the next signal and answers the agents whose list looks different now. */
  take(signal: Signal): ObservedAgent[]
  /** No more signals come: what is still unanswered counts as done. */
  end(): void
  readonly agents: ReadonlyMap<string, ObservedAgent>
  /** What could not be read, the first of each kind with a count. Calls count once they are answered, and not when refused. */
  readonly problems: ReadonlyMap<string, { problem: Problem; count: number }>
}

type Standing = Pick<ObservedAgent, "plan" | "times" | "life">

type SeenCall = {
  dialect: Dialect
  call: ToolCall
  state: "open" | "done" | "refused"
  /** How things stand once this call is applied; made anew when something before it changes. */
  after: Standing
  problems: readonly Problem[]
}

type Seen = ObservedAgent & {
  /** How things stood before the calls that are still kept. */
  base: Standing
  calls: SeenCall[]
}

const nothing: Standing = { plan: undefined, times: noTimes, life: 0 }

/** Calls kept per agent, so that results and rewinds can still change what they did; fewer when the list is very long. */
const kept = 200
const keptAtLeast = 20
const keptTodos = 20_000

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
    problems.set(problem.code, { problem: known?.problem ?? problem, count: (known?.count ?? 0) + 1 })
  }

  const addCall = (seen: Seen, dialect: Dialect, call: ToolCall): SeenCall => {
    const made: SeenCall = { dialect, call, state: "open", after: nothing, problems: [] }
    seen.calls.push(made)
    if (call.callId !== undefined) byCallId.set(call.callId, { seen, made })
    const most = Math.max(keptAtLeast, Math.min(kept, keptTodos / (seen.plan?.todos.length ?? 1)))
    while (seen.calls.length > most) {
      const [oldest = made] = seen.calls.splice(0, 1)
      seen.base = oldest.after
      settle(oldest)
      if (oldest.call.callId !== undefined) byCallId.delete(oldest.call.callId)
    }
    return made
  }

  const settle = (made: SeenCall): void => {
    if (made.state !== "open") return
    made.state = "done"
    for (const problem of made.problems) report(problem)
  }

  /** Applies the calls from one on; those before it stand as they are. */
  const replay = (seen: Seen, from: SeenCall): boolean => {
    const start = seen.calls.indexOf(from)
    if (start < 0) return false
    let standing = seen.calls[start - 1]?.after ?? seen.base
    for (const made of seen.calls.slice(start)) {
      standing = step(standing, made)
      made.after = standing
    }
    const isNew = standing.plan !== seen.plan && !isSameList(standing.plan, seen.plan)
    Object.assign(seen, standing)
    seen.updated = from.call.at ?? seen.updated
    seen.said = from.call
    return isNew
  }

  const changed = (seen: Seen, from: SeenCall): ObservedAgent[] => (replay(seen, from) ? [seen] : [])

  return {
    agents,
    problems,
    take(given) {
      const signal = modest(given)
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
          const seen = agentOf(signal.agent)
          const made = addCall(seen, findDialect(signal.dialect), signal.call)
          const agents = changed(seen, made)
          if (signal.type === "snapshot") settle(made)
          return agents
        }
        case "result": {
          const known = byCallId.get(signal.callId)
          if (known?.made.state !== "open") return []
          known.made.state = signal.ok ? "done" : "refused"
          if (signal.result !== undefined) known.made.call = { ...known.made.call, result: signal.result }
          const agents = changed(known.seen, known.made)
          if (signal.ok) for (const problem of known.made.problems) report(problem)
          return agents
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
        case "said":
          return []
        case "problem":
          report(signal.problem)
          return []
      }
    },
    end() {
      for (const { calls } of agents.values()) calls.forEach(settle)
    },
  }
}

const newAgent = (agent: string): Seen => ({
  agent,
  plan: undefined,
  times: noTimes,
  about: {},
  activity: undefined,
  updated: undefined,
  said: undefined,
  life: 0,
  base: nothing,
  calls: [],
})

/** How things stand after a call. One that was refused, or only reads, leaves them as they are. */
const step = (standing: Standing, made: SeenCall): Standing => {
  made.problems = []
  if (made.state === "refused") return standing
  const before = standing.plan ?? emptyPlan
  const { events, problems, items } = made.dialect.decode(made.call, before)
  made.problems = problems.filter(({ severity }) => severity !== "repair")
  // The last list decides: one that its agent took but nobody can read is not the one before it.
  const isLost = made.state === "done" && made.dialect.wholeList && problems.some(({ code }) => code === "unreadable")
  if (isLost) return { ...standing, plan: emptyPlan, times: noTimes }
  if (events.length === 0) return standing.plan || !items ? standing : { ...standing, plan: before }
  const { plan } = apply(before, events)
  const times = timesAfter(standing, plan, made.call.at)
  return { plan, times, life: standing.life + (isNewList(before, plan) ? 1 : 0) }
}

/** Whether a list begins with this plan: there was none, or nothing of it is left. */
const isNewList = (before: Plan, { todos }: Plan): boolean => {
  const ids = new Set(before.todos.map(({ id }) => id))
  return todos.length > 0 && !todos.some(({ id }) => ids.has(id))
}

const isSameList = (one: Plan | undefined, other: Plan | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.todos.length === other.todos.length &&
  one.todos.every((todo, index) => isSameTodo(todo, other.todos[index])) &&
  one.phases.join("\n") === other.phases.join("\n")

/** A call that is applied again makes its todos anew. */
const isSameTodo = (one: Todo, other: Todo | undefined): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
