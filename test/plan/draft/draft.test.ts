/** The draft finds everything through indexes; it does exactly what one does that walks its lists. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { applyToDraft } from "../../../src/plan/draft/apply-events.ts"
import { createDraft, hold, planOf } from "../../../src/plan/draft/draft.ts"
import { createOrderedList, isBefore, type Link } from "../../../src/plan/draft/ordered-list.ts"
import { createPriorityQueue } from "../../../src/plan/draft/priority-queue.ts"
import type { Actor, Entry, PlanEvent, Settle } from "../../../src/plan/event.ts"
import { createFold } from "../../../src/plan/fold.ts"
import type { Ledger } from "../../../src/plan/log/ledger.ts"
import { inverse } from "../../../src/plan/log/undo.ts"
import { normalise } from "../../../src/plan/text/wording.ts"
import type { Todo } from "../../../src/plan/todo.ts"
import { rounds } from "../../rounds.ts"
import { eventArbitrary, idArbitrary, planArbitrary, settleArbitrary } from "../arbitraries.ts"
import { createNaiveDraft, naiveSettling } from "./naive-draft.ts"

/** Few ids and phases, and mostly work that begins and ends, so that much of it meets. */
const id = fc.integer({ min: 1, max: 9 }).map(String)
const phase = fc.constantFrom("Find", "Build", "Ship")
const status = fc.constantFrom("pending" as const, "in_progress" as const, "completed" as const)
const content = fc.constantFrom("Read", "Write", "Test")
const place = fc.option(fc.oneof(id, fc.constant("")), { nil: undefined })

const workEvent: fc.Arbitrary<PlanEvent> = fc.oneof(
  fc
    .record({ id, content, status, phase: fc.option(phase, { nil: undefined }), after: place, restores: fc.boolean() })
    .map(({ after, restores, phase, ...todo }): PlanEvent => {
      const where = after === undefined ? {} : { after }
      const back = restores ? { restores } : {}
      return { type: "todo-added", todo: { ...todo, ...(phase === undefined ? {} : { phase }) }, ...where, ...back }
    }),
  fc.tuple(id, status).map(([id, status]): PlanEvent => ({ type: "todo-changed", id, from: {}, to: { status } })),
  fc
    .tuple(id, fc.option(phase))
    .map(([id, phase]): PlanEvent => ({ type: "todo-changed", id, from: {}, to: { phase } })),
  fc
    .tuple(id, place)
    .map(([id, after]): PlanEvent => ({ type: "todo-moved", id, ...(after === undefined ? {} : { after }) })),
  fc
    .tuple(id, content)
    .map(([id, content]): PlanEvent => ({ type: "todo-removed", todo: { id, content, status: "pending" } })),
  fc
    .tuple(phase, fc.oneof(phase, fc.constant("")))
    .map(([name, after]): PlanEvent => ({ type: "phase-added", name, after })),
  phase.map((name): PlanEvent => ({ type: "phase-removed", name })),
)

const mixedEvents = fc.array(fc.oneof({ weight: 4, arbitrary: workEvent }, { weight: 1, arbitrary: eventArbitrary }), {
  maxLength: 5,
})

/** `undoes` takes back what so many steps ago happened, in place of the events. */
const step = fc.record({
  events: mixedEvents,
  settle: settleArbitrary,
  heedsHeld: fc.boolean(),
  held: fc.array(fc.tuple(fc.oneof(id, idArbitrary), fc.boolean()), { maxLength: 2 }),
  undoes: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
})

test("a draft gives the same results as one that walks its lists, for any changes", () => {
  fc.assert(
    fc.property(planArbitrary, fc.array(step, { maxLength: 25 }), (plan, steps) => {
      const draft = createDraft(plan)
      const naive = createNaiveDraft(plan)
      const heldIds = new Set<string>()
      const past: PlanEvent[][] = []
      for (const { events, settle, heedsHeld, held, undoes } of steps) {
        for (const [id, isHeld] of held) {
          hold(draft, id, isHeld)
          if (isHeld) heldIds.add(id)
          else heldIds.delete(id)
        }
        const undone = undoes === undefined ? undefined : past.at(-undoes)
        const given = undone ? inverse(undone) : events
        const expected = naive.apply(given, settle, (todo) => heedsHeld && heldIds.has(todo.id))
        const happened = applyToDraft(draft, given, settle, { heedsHeld })
        expect(happened).toEqual(expected)
        expect(planOf(draft)).toEqual(naive.plan())
        past.push(happened)
      }
    }),
    { numRuns: rounds(300) },
  )
})

describe("a fold", () => {
  const heldBy = ({ todos, untold }: Ledger, id: string): boolean => {
    const stamp = todos.get(id)?.set.status
    return stamp?.by.kind === "person" && untold.has(stamp.entry)
  }
  /** Of each todo the last eight removals count, until a todo is given the text again. */
  const isRemoved = ({ untold, removed, buried }: Ledger, content: string): boolean => {
    if (buried.get(normalise(content))?.endedBy !== undefined) return false
    const gone = [...untold.values()].flatMap(({ events }) => events.flatMap(removedBy))
    return [...removed.keys()]
      .flatMap((id) => gone.filter((todo) => todo.id === id).slice(-8))
      .some((todo) => normalise(todo.content) === normalise(content))
  }

  const kind = fc.constantFrom<Actor["kind"]>("agent", "person", "person", "system", "other")
  const told = fc.array(fc.nat(30), { maxLength: 3 })
  const turn = fc.record({ kind, events: mixedEvents, settle: settleArbitrary, content, told, undoes: fc.nat(40) })

  test("respects untold changes of a person as if it had checked all of them", () => {
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 25 }), fc.nat(25), (turns, cut) => {
        let state = createFold()
        let number = 0
        const add = (by: Actor["kind"], part: Partial<Entry>): PlanEvent[] => {
          const id = `e${number++}`
          return state.add({ v: 1, id, at: "2030-01-01T00:00:00.000Z", by: { kind: by, id: "x" }, events: [], ...part })
        }
        const settleAndCheck = (by: Actor["kind"], settle: Settle): void => {
          const { plan, ledger } = state
          const isAgents = by === "agent" || by === "other"
          const expected = naiveSettling(plan, settle, (todo) => isAgents && heldBy(ledger, todo.id))
          const happened = add(by, { settle })
          expect(happened.flatMap((event) => (event.type === "todo-changed" ? [[event.id, event.to]] : []))).toEqual(
            expected,
          )
        }
        for (const [index, { kind, events, settle, content, told, undoes }] of turns.entries()) {
          const undone = undoes < number ? `e${undoes}` : undefined
          const untold = [...state.ledger.untold.keys()]
          const happened = add(kind, { events, ...(undone === undefined ? {} : { undoes: undone }) })
          if (!events.some(({ type }) => type === "agent-told")) {
            const isTakenBack = isPersons(kind, happened) && undone !== undefined && undone === untold.at(-1)
            const left = isTakenBack ? untold.slice(0, -1) : untold
            expect([...state.ledger.untold.keys()].filter((entry) => untold.includes(entry))).toEqual(left)
          }
          settleAndCheck("agent", settle)
          settleAndCheck(kind, settle)
          const wasRemoved = isRemoved(state.ledger, content)
          const added = add("agent", { events: [{ type: "todo-added", todo: { id: "", content, status: "pending" } }] })
          expect(added.some(({ type }) => type === "todo-added")).toBe(!wasRemoved)
          add("system", { events: [{ type: "agent-told", entries: told.map((one) => `e${one}`) }] })
          if (index === cut) state = createFold(state.snapshot())
        }
      }),
      { numRuns: rounds(200) },
    )
  })

  /** An agent hears nothing of what begins a plan or is checked of it. */
  const isPersons = (kind: Actor["kind"], happened: readonly PlanEvent[]): boolean =>
    kind === "person" && happened.some(({ type }) => type !== "plan-opened" && !type.startsWith("check-"))

  const removedBy = (event: PlanEvent): readonly Todo[] =>
    event.type === "todo-removed" ? [event.todo] : event.type === "plan-cleared" ? event.todos : []
})

test("in an ordered list labels ascend, wherever items are inserted and however many at one place", () => {
  const where = fc.oneof(fc.nat(), fc.constantFrom(0, 1, 2))
  const run = fc.record({ at: where, count: fc.integer({ min: 1, max: 300 }), isRemoved: fc.boolean() })
  fc.assert(
    fc.property(fc.array(run, { maxLength: 12 }), (runs) => {
      const list = createOrderedList(-1)
      const links: Link<number>[] = []
      let next = 0
      for (const { at, count, isRemoved } of runs) {
        const index = at % (links.length + 1)
        if (isRemoved) for (const link of links.splice(index, count)) list.remove(link)
        else
          for (let one = 0; one < count; one += 1)
            links.splice(index, 0, list.insert(next++, links[index - 1] ?? list.edge))
      }
      expect(list.items()).toEqual(links.map(({ item }) => item))
      for (const [index, link] of links.entries()) {
        const before = links[index - 1]
        if (before) expect(isBefore(before, link) && !isBefore(link, before)).toBe(true)
      }
    }),
    { numRuns: rounds(200) },
  )
})

test("the first item of a queue is the least of all", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(40), fc.boolean()), { maxLength: 200 }), (steps) => {
      const queue = createPriorityQueue<number>((one, other) => one < other)
      const items = new Set<number>()
      for (const [item, isAdded] of steps) {
        if (isAdded) {
          queue.add(item)
          items.add(item)
        } else {
          queue.remove(item)
          items.delete(item)
        }
        expect(queue.size).toBe(items.size)
        expect(queue.first).toBe(items.size > 0 ? Math.min(...items) : undefined)
      }
    }),
    { numRuns: rounds(200) },
  )
})
