/** What a call returns: the reply for the model, and the plan with what changed, which are frozen when they are looked at. */
import { frozen, frozenEvents } from "../plan/frozen.ts"
import { emptyPlan, type Plan, type PlanEvent, type Problem } from "../plan/index.ts"

/** `Data` depends on the dialect of the call. */
export type Written<Data = unknown> = {
  /** False if the reply reports an error, even if part of the call was applied. */
  ok: boolean
  /** The text for the model: the reply, and a person's changes since. */
  text: string
  /** The structured result in the shape of this dialect, or undefined if it has none. */
  data: Data
  /** The person's changes that this reply reports; part of `text`. */
  notice?: string
  /** The events that took effect. */
  events: readonly PlanEvent[]
  problems: readonly Problem[]
  plan: Plan
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
export const handedOut = <Data>(written: Omit<Written<Data>, "events" | "plan">, inside: Inside): Written<Data> => {
  insides.set(written, inside)
  return Object.defineProperties(written, frozenOnRequest) as Written<Data>
}
