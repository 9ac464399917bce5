/** One call of a list tool from beginning to end: it is applied, and its agent gets the reply with all that it should know. */
import type { Dialect, ToolCall } from "../dialects/dialect.ts"
import type { FailedCall } from "../guidance/failed-call.ts"
import { frozen, frozenEvents } from "../plan/frozen.ts"
import { emptyPlan, firstError, type Plan, type PlanEvent, type Problem, warning } from "../plan/index.ts"
import { applyCall, applyGatedCall } from "./apply-call.ts"
import { answerCall } from "./call.ts"
import type { PlanLog } from "./log.ts"
import { tellAgent } from "./tell-agent.ts"
import type { TrackerOptions, Written } from "./tracker.ts"

export type WriteCallOptions = Pick<TrackerOptions, "gate" | "editNotice" | "onTelling"> & {
  isPersistent: boolean
  onProblem: (problem: Problem) => void
  /** How the call failed, if it did: its progress is missing then. */
  onOutcome: (failed: FailedCall | undefined) => void
}

export const writeCall = async <Data>(
  log: PlanLog,
  call: ToolCall,
  dialect: Dialect<Data>,
  options: WriteCallOptions,
): Promise<Written<Data>> => {
  const { gate, onProblem, onOutcome } = options
  const { before, decoded, refused, happened } = await (gate && !call.observed
    ? applyGatedCall(log, call, dialect, { gate, onProblem })
    : applyCall(log, call, dialect))
  // Parts of the call without effect are among its problems and are not changes.
  const events = happened.filter(({ type }) => type !== "todo-refused")
  const isHeld = events.length > 0 && log.unwritten > 0
  const outcome = { call, decoded, before, events, isPersistent: options.isPersistent && !isHeld }
  const renumbered = log.renumbered.toTell(call, decoded, log.fold)
  const { reply, problems: met } = answerCall(dialect, outcome, log.fold, {
    agent: log.key.agent,
    more: [...(isHeld ? [keptInMemory] : []), ...renumbered],
  })
  const problems = [...refused, ...met]
  // A call with changes refused by a gate is not a failed call: the rest was applied.
  const error = firstError(met)
  const { tool, calledAs = tool } = call
  onOutcome(error && { tool: calledAs, message: reply.text })
  if (error) onProblem(warning("call-refused", `A ${calledAs} call failed: ${error.message}`))
  const notice = await tellAgent(log, options, call.client)
  // Added by Headway, because most dialects have no wording for it.
  const refusals = refused.map(({ message }) => message)
  const text = [...refusals, reply.text, ...(notice === undefined ? [] : [notice])].join("\n\n")
  const ok = !firstError(problems)
  const written = { ok, ...reply, text, ...(notice === undefined ? {} : { notice }), problems }
  return handedOut(written, { events, plan: log.fold.plan })
}

type Inside = { events: readonly PlanEvent[]; plan: Plan }

const insides = new WeakMap<object, Inside>()
const insideOf = (written: object): Inside => insides.get(written) ?? { events: [], plan: emptyPlan }

/** One pair of functions for all results: V8 gives each object with getters of its own a class of its own, which is slow. */
const frozenOnRequest: PropertyDescriptorMap & ThisType<object> = {
  events: {
    enumerable: true,
    get() {
      return frozenEvents(insideOf(this).events)
    },
  },
  plan: {
    enumerable: true,
    get() {
      return frozen(insideOf(this).plan)
    },
  },
}

/** The result of a call. Its plan is frozen only when it is looked at, because that is slow for a large one. */
const handedOut = <Data>(written: Omit<Written<Data>, "events" | "plan">, inside: Inside): Written<Data> => {
  insides.set(written, inside)
  return Object.defineProperties(written, frozenOnRequest) as Written<Data>
}

const keptInMemory = warning(
  "kept-in-memory",
  "The disk is full, so this change is only in memory for now; it is written as soon as there is room.",
)
