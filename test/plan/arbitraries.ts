/** Random todos, plans, events and entries, sound and hostile, for the property tests of the plan. */
import fc from "fast-check"
import type { Actor, Entry, PlanEvent, Settle, TodoPatch } from "../../src/plan/event.ts"
import type { Wanted } from "../../src/plan/list/match.ts"
import { type Plan, priorities, type Todo, todoStatuses } from "../../src/plan/todo.ts"

/** Few ids, so that events meet the same todos; some of them names every object has. */
export const ids = ["1", "2", "3", "5", "8", "constructor", "__proto__", "t-1", "007", "999999999999999"]
export const phaseNames = ["Find", "Build", "Ship", "toString", "__proto__"]
const contents = ["Run tests", "run tests.", "Run the tests", "Fix login bug", "Fix the login bug", "Ship it", "!", "?"]

export const idArbitrary: fc.Arbitrary<string> = fc.constantFrom(...ids)
/** Also ids that no plan has, and the blank one. */
const anyId = fc.oneof({ weight: 6, arbitrary: idArbitrary }, fc.constantFrom("", "gone", "1000000000000000", "12"))
export const phaseArbitrary: fc.Arbitrary<string> = fc.constantFrom(...phaseNames)
export const contentArbitrary: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...contents),
  fc.string({ minLength: 1 }),
)
export const statusArbitrary: fc.Arbitrary<Todo["status"]> = fc.constantFrom(...todoStatuses)
const textArbitrary = fc.string({ maxLength: 8 })
const notesArbitrary = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 3 })
const extraArbitrary = fc.dictionary(fc.constantFrom("nativeId", "colour", "x"), textArbitrary, { maxKeys: 2 })

const fieldArbitraries = {
  activeForm: textArbitrary,
  phase: phaseArbitrary,
  notes: notesArbitrary,
  description: textArbitrary,
  priority: fc.constantFrom(...priorities),
  blockedBy: fc.array(idArbitrary, { maxLength: 3 }),
  owner: textArbitrary,
  reason: textArbitrary,
  waitsFor: textArbitrary,
  extra: extraArbitrary,
}

export const todoArbitrary = (id: fc.Arbitrary<string> = idArbitrary): fc.Arbitrary<Todo> =>
  fc.record(
    { id, content: contentArbitrary, status: statusArbitrary, ...fieldArbitraries },
    { requiredKeys: ["id", "content", "status"], noNullPrototype: true },
  )

const phasesOf = (todos: readonly Todo[], others: readonly string[]): string[] => [
  ...new Set([...others, ...todos.flatMap(({ phase }) => (phase === undefined ? [] : [phase]))]),
]

/** Unique ids, and every phase of a todo among the phases. */
export const planArbitrary: fc.Arbitrary<Plan> = fc
  .tuple(
    fc.uniqueArray(todoArbitrary(), { selector: ({ id }) => id, maxLength: 8 }),
    fc.uniqueArray(phaseArbitrary, { maxLength: 3 }),
    fc.nat(100),
  )
  .map(([todos, phases, revision]) => ({ todos, phases: phasesOf(todos, phases), revision }))

/** Fields to set or, with `null`, to take away; now and then keys that no todo has. */
export const patchArbitrary: fc.Arbitrary<TodoPatch> = fc
  .tuple(
    fc.record(
      {
        content: fc.option(contentArbitrary),
        status: fc.option(statusArbitrary),
        ...Object.fromEntries(Object.entries(fieldArbitraries).map(([name, one]) => [name, fc.option<unknown>(one)])),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    fc.constantFrom("{}", "{}", "{}", '{"__proto__":{"phase":"Nowhere"},"constructor":1,"id":"9","phase":""}'),
  )
  .map(([fields, hostile]) => {
    const patch: Record<string, unknown> = JSON.parse(hostile)
    return { ...patch, ...fields } as TodoPatch
  })

const optionalPlace = (place: fc.Arbitrary<string>) =>
  fc.option(fc.oneof(place, fc.constant("")), { nil: undefined }).map((after) => (after === undefined ? {} : { after }))

const listEvents = {
  added: fc
    .tuple(todoArbitrary(anyId), optionalPlace(anyId), fc.boolean())
    .map(([todo, place, restores]): PlanEvent => {
      return { type: "todo-added", todo, ...place, ...(restores ? { restores } : {}) }
    }),
  changed: fc
    .tuple(anyId, patchArbitrary, patchArbitrary)
    .map(([id, from, to]): PlanEvent => ({ type: "todo-changed", id, from, to })),
  removed: todoArbitrary(anyId).map((todo): PlanEvent => ({ type: "todo-removed", todo })),
  moved: fc.tuple(anyId, optionalPlace(anyId)).map(([id, place]): PlanEvent => ({ type: "todo-moved", id, ...place })),
  phaseAdded: fc
    .tuple(fc.oneof(phaseArbitrary, fc.constantFrom("", "New")), optionalPlace(fc.oneof(phaseArbitrary, anyId)))
    .map(([name, place]): PlanEvent => ({ type: "phase-added", name, ...place })),
  phaseRemoved: phaseArbitrary.map((name): PlanEvent => ({ type: "phase-removed", name })),
  cleared: fc
    .tuple(fc.array(todoArbitrary(anyId), { maxLength: 10 }), fc.option(fc.array(phaseArbitrary), { nil: undefined }))
    .map(([todos, phases]): PlanEvent => ({ type: "plan-cleared", todos, ...(phases ? { phases } : {}) })),
}

const quietEvents = {
  opened: fc.constant<PlanEvent>({ type: "plan-opened", session: "s", agent: "main" }),
  restored: fc
    .constantFrom("start" as const, "resume" as const, "compact" as const)
    .map((context): PlanEvent => ({ type: "plan-restored", context })),
  resumed: fc.constant<PlanEvent>({ type: "plan-resumed" }),
  checkSet: fc.constant<PlanEvent>({ type: "check-set", check: { todo: "1", command: "npm test" } }),
  checkRan: fc.constant<PlanEvent>({ type: "check-ran", check: { command: "npm test" }, outcome: "passed", took: 7 }),
  moved: fc.constant<PlanEvent>({ type: "plan-moved", to: "next" }),
  told: fc
    .array(fc.nat(20).map((number) => `e${number}`))
    .map((entries): PlanEvent => ({ type: "agent-told", entries })),
}

export const eventArbitrary: fc.Arbitrary<PlanEvent> = fc.oneof(
  ...Object.values(listEvents).map((arbitrary) => ({ weight: 4, arbitrary })),
  ...Object.values(quietEvents).map((arbitrary) => ({ weight: 1, arbitrary })),
)
export const eventsArbitrary: fc.Arbitrary<PlanEvent[]> = fc.array(eventArbitrary, { maxLength: 12 })

export const settleArbitrary: fc.Arbitrary<Settle> = fc.record(
  { oneActive: fc.boolean(), autoStart: fc.boolean() },
  { requiredKeys: [], noNullPrototype: true },
)

export const actorArbitrary: fc.Arbitrary<Actor> = fc.record(
  { kind: fc.constantFrom("agent" as const, "person" as const, "system" as const), id: fc.constant("x") },
  { noNullPrototype: true },
)

/** A log: entries with rising ids and times, some of them the same call seen twice. */
export const entriesArbitrary: fc.Arbitrary<Entry[]> = fc
  .array(fc.tuple(actorArbitrary, eventsArbitrary, fc.option(settleArbitrary), fc.option(fc.nat(4))), { maxLength: 10 })
  .map((drafts) =>
    drafts.map(([by, events, settle, call], index): Entry => {
      const at = new Date(Date.UTC(2030, 0, 1, 0, index)).toISOString()
      return {
        v: 1,
        id: `e${index}`,
        at,
        by,
        events,
        ...(settle ? { settle } : {}),
        ...(call === null ? {} : { via: { dialect: "d", tool: "t", callId: `call-${call}` } }),
      }
    }),
  )

/** A list as a call says it: every item with its text, in whatever order, with whatever else. */
export const wantedArbitrary: fc.Arbitrary<Wanted[]> = fc.array(
  fc.record(
    { content: contentArbitrary, status: statusArbitrary, id: anyId, ...fieldArbitraries },
    { requiredKeys: ["content", "status"], noNullPrototype: true },
  ),
  { maxLength: 8 },
)

/** Makes every attempt to change a value throw. */
export const deepFreeze = <Value>(value: Value): Value => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) deepFreeze(part)
  }
  return value
}

/** A plan in short: texts become pending todos with ids from 1, partial todos say more. */
export const planOf = (...todos: (string | Partial<Todo>)[]): Plan => {
  const full = todos.map((todo, index): Todo => {
    const fields = typeof todo === "string" ? { content: todo } : todo
    return { id: String(index + 1), content: `Todo ${index + 1}`, status: "pending", ...fields }
  })
  return { todos: full, phases: phasesOf(full, []), revision: 0 }
}
