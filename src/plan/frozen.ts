/** The plan and its ledger as they are handed out: they share their parts with the inside, so they must not be changed. */
import type { PlanEvent } from "./event.ts"
import type { Ledger } from "./log/ledger.ts"
import type { Plan } from "./todo.ts"

export const frozen = (plan: Plan): Plan => {
  if (Object.isFrozen(plan)) return plan
  for (const todo of plan.todos) if (!Object.isFrozen(todo)) deepFreeze(todo)
  Object.freeze(plan.todos)
  Object.freeze(plan.phases)
  return Object.freeze(plan)
}

/** What happened, as it is handed out: the todos in it may be those of the plan. */
export const frozenEvents = (events: readonly PlanEvent[]): readonly PlanEvent[] => {
  for (const event of events) deepFreeze(event)
  return events
}

const views = new WeakMap<Ledger, Ledger>()

/** The ledger, always current, read-only. */
export const readOnlyLedger = (ledger: Ledger): Ledger => {
  const view = views.get(ledger) ?? viewOf(ledger)
  views.set(ledger, view)
  return view
}

/** A map or set of the ledger stays the same one for as long as the ledger lasts. */
const viewOf = (ledger: Ledger): Ledger => {
  const views = new Map(
    Object.entries(ledger).flatMap(([name, part]): [string, object][] => {
      if (part instanceof Map) return [[name, readOnlyMap(part)]]
      return part instanceof Set ? [[name, readOnlySet(part)]] : []
    }),
  )
  return new Proxy(ledger, {
    get: (_, name: keyof Ledger) => views.get(name) ?? frozenPart(ledger[name]),
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  })
}

const readOnlyMap = <Value>(map: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> => {
  const values = function* (): MapIterator<Value> {
    for (const value of map.values()) yield frozenPart(value)
  }
  const entries = function* (): MapIterator<[string, Value]> {
    for (const [key, value] of map) yield [key, frozenPart(value)]
  }
  const view: ReadonlyMap<string, Value> = {
    get size() {
      return map.size
    },
    has: (key) => map.has(key),
    get: (key) => frozenPart(map.get(key)),
    keys: () => map.keys(),
    values,
    entries,
    [Symbol.iterator]: entries,
    forEach(use) {
      for (const [key, value] of entries()) use(value, key, view)
    },
  }
  return Object.freeze(view)
}

const readOnlySet = (set: ReadonlySet<string>): ReadonlySet<string> => {
  const view: ReadonlySet<string> = {
    get size() {
      return set.size
    },
    has: (value) => set.has(value),
    keys: () => set.keys(),
    values: () => set.values(),
    entries: () => set.entries(),
    [Symbol.iterator]: () => set.values(),
    forEach(use) {
      for (const value of set) use(value, value, view)
    },
  }
  return Object.freeze(view)
}

/** Parts are replaced and never changed in place: one that is frozen is so to its ends. */
const frozenPart = <Value>(value: Value): Value =>
  typeof value !== "object" || value === null || Object.isFrozen(value) ? value : deepFreeze(value)

export const deepFreeze = <Value extends object>(value: Value): Value => {
  for (const part of Object.values(Object.freeze(value)))
    if (typeof part === "object" && part !== null) deepFreeze(part)
  return value
}
