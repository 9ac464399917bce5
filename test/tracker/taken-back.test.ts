/** A change that a person takes back leaves the plan, and whose word counts, as they were before it. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Entry, edits, fold, lastRedoable, type PlanEvent, type Todo } from "../../src/plan/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import type { Tracker } from "../../src/tracker/tracker.ts"
import { rounds } from "../rounds.ts"
import { contentsOf, open, patch, pending, person, todoWrite } from "./open.ts"

const onTodo = (tracker: Tracker, id: string, edit: (todo: Todo) => PlanEvent[]) =>
  tracker.edit(person, ({ todos }) => todos.filter((todo) => todo.id === id).flatMap(edit))

const own = [
  { content: "Deploy", status: "pending" },
  { content: "Write docs", status: "in_progress" },
]

/** A plan of two todos, of which a person has changed the first. */
const changed = async (edit: (todo: Todo) => PlanEvent[]): Promise<Tracker> => {
  const tracker = await open()
  await todoWrite(tracker, own)
  await onTodo(tracker, "1", edit)
  return tracker
}

describe("a second change of a person to the same todo, taken back,", () => {
  test.each([true, false])("leaves the first one theirs: a block stands (told of it: %s, N3)", async (isTold) => {
    const tracker = await changed((todo) => edits.block(todo, "wait for the key"))
    if (isTold) await tracker.tellAgent()
    await onTodo(tracker, "1", edits.done)
    await tracker.undo(person)
    await todoWrite(tracker, own)
    expect(tracker.plan.todos[0]).toMatchObject({ status: "blocked", reason: "wait for the key" })
  })

  test("leaves the first note theirs: the todo stays when the agent leaves it out (N3)", async () => {
    const tracker = await changed((todo) => edits.note(todo, "use key 7"))
    await tracker.tellAgent()
    await onTodo(tracker, "1", (todo) => edits.note(todo, "wrong todo"))
    await tracker.undo(person)
    await todoWrite(tracker, own.slice(1))
    expect(tracker.plan.todos[0]).toMatchObject({ content: "Deploy", notes: ["use key 7"] })
  })

  test("leaves the first wording theirs (N3)", async () => {
    const tracker = await changed((todo) => edits.reword(todo, "Deploy to staging only"))
    await tracker.tellAgent()
    await onTodo(tracker, "1", (todo) => edits.reword(todo, "Deploy to staging onlyy"))
    await tracker.undo(person)
    await todoWrite(tracker, [{ content: "Deploy to staging", status: "pending" }, ...own.slice(1)])
    expect(contentsOf(tracker)).toContain("Deploy to staging only")
  })
})

test("two rewordings taken back leave the todo the agent's: it goes with a list that leaves it out", async () => {
  const tracker = await changed((todo) => edits.reword(todo, "Deploy to staging"))
  await onTodo(tracker, "1", (todo) => edits.reword(todo, "Deploy to staging B"))
  await tracker.undo(person)
  await tracker.undo(person)
  await todoWrite(tracker, own)
  await todoWrite(tracker, [{ content: "Tell Eve", status: "in_progress" }])
  expect(contentsOf(tracker)).toEqual(["Tell Eve"])
})

test("a note taken back leaves a later one of the person theirs", async () => {
  const tracker = await changed((todo) => edits.note(todo, "wrong todo"))
  const [note] = (await tracker.entries()).slice(-1)
  await onTodo(tracker, "1", (todo) => edits.note(todo, "use key 7"))
  await tracker.undo(person, note?.id)
  await tracker.tellAgent()
  await todoWrite(tracker, own.slice(1))
  expect(tracker.plan.todos[0]).toMatchObject({ content: "Deploy", notes: ["use key 7"] })
})

test("an agent that was told of a change does not repeat it over the undo that it does not know of (N3)", async () => {
  const tracker = await changed(edits.done)
  await tracker.tellAgent()
  await tracker.undo(person)
  const list = [{ content: "Deploy", status: "completed" }, ...own.slice(1)]
  await todoWrite(tracker, list)
  expect(tracker.plan.todos[0]).toMatchObject({ content: "Deploy", status: "pending" })
  await todoWrite(tracker, list)
  expect(tracker.plan.todos[0]).toMatchObject({ content: "Deploy", status: "completed" })
})

test("a todo whose removal was taken back stays until the agent knows, and then goes with a list that leaves it out (N3)", async () => {
  const tracker = await changed(edits.remove)
  await tracker.tellAgent()
  await todoWrite(tracker, own.slice(1))
  await tracker.undo(person)
  await todoWrite(tracker, own.slice(1))
  expect(contentsOf(tracker)).toEqual(["Deploy", "Write docs"])
  await todoWrite(tracker, own.slice(1))
  expect(contentsOf(tracker)).toEqual(["Write docs"])
})

test("a todo that a person reworded and its agent finished stays after its removal was taken back, until the agent knows (N3)", async () => {
  const tracker = await changed((todo) => edits.reword(todo, "Deploy to staging"))
  await todoWrite(tracker, [{ content: "Deploy", status: "completed" }, ...own.slice(1)])
  await onTodo(tracker, "1", edits.remove)
  await tracker.tellAgent()
  await tracker.undo(person)
  await todoWrite(tracker, own.slice(1))
  expect(contentsOf(tracker)).toEqual(["Deploy to staging", "Write docs"])
  await todoWrite(tracker, own.slice(1))
  expect(contentsOf(tracker)).toEqual(["Write docs"])
})

test("a todo whose removal is taken back has the status that its agent gave it in the meantime", async () => {
  const tracker = await changed(edits.remove)
  await todoWrite(tracker, [{ content: "Deploy", status: "completed" }, ...own.slice(1)])
  await tracker.undo(person)
  expect(tracker.plan.todos).toMatchObject([{ content: "Deploy", status: "completed" }, { content: "Write docs" }])
})

test("a todo whose removal is taken back keeps what a person decided about it before", async () => {
  const tracker = await changed((todo) => edits.block(todo, "not before Friday"))
  await todoWrite(tracker, [{ content: "Deploy", status: "completed" }, ...own.slice(1)])
  await onTodo(tracker, "1", edits.remove)
  await tracker.undo(person)
  expect(tracker.plan.todos[0]).toMatchObject({ status: "blocked", reason: "not before Friday" })
})

test("a person who took an agent's change back can take their own back after that", async () => {
  const tracker = await changed(edits.done)
  await tracker.tellAgent()
  await todoWrite(tracker, [{ content: "Deploy", status: "in_progress" }, ...own.slice(1)])
  await tracker.undo(person, (await tracker.entries()).at(-1)?.id)
  expect(tracker.plan.todos[0]).toMatchObject({ status: "completed" })
  await tracker.undo(person)
  expect(tracker.plan.todos[0]).toMatchObject({ status: "pending" })
})

test("taken back and brought back again, a change is the person's as before", async () => {
  const tracker = await changed((todo) => edits.block(todo, "wait for the key"))
  await tracker.tellAgent()
  await tracker.undo(person)
  const [undo] = (await tracker.entries()).slice(-1)
  await tracker.undo(person, undo?.id)
  await tracker.tellAgent()
  await todoWrite(tracker, own)
  expect(tracker.plan.todos[0]).toMatchObject({ status: "blocked", reason: "wait for the key" })
})

type Edit = keyof typeof changes
type Step = { edit: Edit | "none"; slip: Edit | "none"; at: number; slipAt: number; sends: number; isTold: boolean }

const changes = {
  note: (todo: Todo) => edits.note(todo, `about ${todo.content}`),
  reword: (todo: Todo) => edits.reword(todo, `${todo.content} again`),
  block: (todo: Todo) => edits.block(todo, "no key"),
  finish: edits.done,
  remove: edits.remove,
}

const lists = [
  own,
  own.map((todo) => ({ ...todo, status: "completed" })).concat({ content: "Ask Eve", status: "pending" }),
  own.toReversed(),
  own.slice(1),
]

const anEdit = fc.constantFrom("none" as const, ...(Object.keys(changes) as Edit[]))
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    ...{ edit: anEdit, slip: anEdit, at: fc.nat(2), slipAt: fc.nat(2) },
    ...{ sends: fc.nat(lists.length), isTold: fc.boolean() },
  }),
  { maxLength: 6 },
)

const play = async (all: readonly Step[], withSlips: boolean): Promise<unknown> => {
  const tracker = await open()
  await todoWrite(tracker, own)
  const make = async (edit: Edit | "none", at: number): Promise<boolean> => {
    const todo = tracker.plan.todos[at]
    if (!todo || edit === "none") return false
    return (await onTodo(tracker, todo.id, changes[edit])).length > 0
  }
  for (const { edit, slip, at, slipAt, sends, isTold } of all) {
    await make(edit, at)
    if (withSlips && (await make(slip, slipAt))) await tracker.undo(person)
    if (isTold) await tracker.tellAgent()
    const list = lists[sends]
    if (list) await todoWrite(tracker, list)
  }
  return tracker.plan.todos.map(({ id: _, ...todo }) => todo)
}

test("changes that a person takes back at once make no difference to what comes after", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      expect(await play(all, true)).toEqual(await play(all, false))
    }),
    { numRuns: rounds(300) },
  )
})

describe("a change that a person takes back while they do not know what another person does", () => {
  const [ada, bob] = [person, { kind: "person", id: "bob" } as const]

  /** The plan of a machine that has these entries. */
  const withEntries = async (entries: readonly Entry[]): Promise<Tracker> => {
    const store = createMemoryStore()
    for (const entry of entries) await store.append({ session: "s", agent: "main" }, entry)
    return open({ store })
  }

  /** Every order in which two machines can deliver their entries. */
  const orders = (one: readonly Entry[], other: readonly Entry[]): Entry[][] => {
    const [first, second] = [one[0], other[0]]
    if (!first || !second) return [[...one, ...other]]
    return [
      ...orders(one.slice(1), other).map((rest) => [first, ...rest]),
      ...orders(one, other.slice(1)).map((rest) => [second, ...rest]),
    ]
  }

  test("leaves the other's changes alone, in whichever order the two are delivered", async () => {
    const shared = await open()
    await todoWrite(shared, own)
    const common = await shared.entries()
    const [adas, bobs] = [await withEntries(common), await withEntries(common)]
    await adas.edit(ada, ({ todos }) => todos.slice(0, 1).flatMap((todo) => edits.reword(todo, "Deploy by hand")))
    await adas.edit(ada, ({ todos }) => todos.slice(1).flatMap(edits.done))
    await bobs.edit(bob, ({ todos }) => todos.slice(0, 1).flatMap((todo) => edits.reword(todo, "Oops")))
    await bobs.undo(bob)
    await bobs.edit(bob, ({ todos }) => todos.slice(1).flatMap((todo) => edits.block(todo, "no key")))
    await bobs.undo(bob)
    const [byAda, byBob] = [adas, bobs].map(async (tracker) => (await tracker.entries()).slice(common.length))
    const all = orders((await byAda) ?? [], (await byBob) ?? [])
    expect(all).toHaveLength(15)
    for (const entries of all) {
      const [first, second] = fold([...common, ...entries]).plan.todos
      expect(first).toMatchObject({ content: "Deploy by hand", status: "pending" })
      expect(second).toMatchObject({ content: "Write docs", status: "completed" })
      expect(second).not.toHaveProperty("reason")
    }
  })
})

test.each(["undo", "redo"])(
  "the %s of a person leaves what a person of the same name did on another machine",
  async (kind) => {
    const tracker = await changed(edits.done)
    const elsewhere = { ...person, isElsewhere: true } as const
    await tracker.edit(elsewhere, ({ todos }) => todos.slice(1).flatMap(edits.remove))
    if (kind === "redo") {
      await tracker.undo(elsewhere, (await tracker.entries()).at(-1)?.id)
      expect(lastRedoable(await tracker.entries(), { by: "person", id: person.id })).toBeUndefined()
      return
    }
    await tracker.undo(person)
    expect(tracker.plan.todos).toMatchObject([{ content: "Deploy", status: "pending" }])
  },
)

describe("the undo of a person's last change", () => {
  const acts: Record<string, (todo: Todo) => PlanEvent[]> = {
    done: edits.done,
    start: edits.start,
    drop: (todo) => edits.drop(todo, "no"),
    block: (todo) => edits.block(todo, "wait"),
    note: (todo) => edits.note(todo, "see docs"),
    reword: (todo) => edits.reword(todo, `${todo.content} again`),
    remove: edits.remove,
  }
  const ids = fc.constantFrom("1", "2", "3")
  const persons = fc.tuple(ids, fc.constantFrom(...Object.keys(acts)))
  const agents = fc.record({
    id: ids,
    change: fc.oneof(
      fc.record({ status: fc.constantFrom("pending", "in_progress", "completed") }),
      fc.record({ owner: fc.constantFrom("a", "b") }),
      fc.record({ priority: fc.constantFrom("high", "low") }),
    ),
  })
  const fieldsOf = ({ plan }: Pick<Tracker, "plan">): Map<string, string> =>
    new Map(
      plan.todos.flatMap((todo) =>
        Object.entries(todo).map(([field, value]) => [`${todo.id} ${field}`, JSON.stringify(value)]),
      ),
    )

  test("restores the fields it changed, and leaves all that the agent did before and after it", async () => {
    const earlier = fc.array(fc.oneof(persons, agents), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(earlier, persons, fc.option(agents), async (before, [id, act], later) => {
        const tracker = await open()
        await todoWrite(tracker, pending("Read", "Write", "Deploy"))
        const apply = async (one: [string, string] | { id: string; change: object }): Promise<void> => {
          if (Array.isArray(one)) await onTodo(tracker, one[0], acts[one[1]] ?? edits.done)
          else await patch(tracker, [{ id: one.id, ...one.change }])
          await tracker.tellAgent()
        }
        for (const one of before) await apply(one)
        const first = fieldsOf(tracker)
        const events = await onTodo(tracker, id, acts[act] ?? edits.done)
        await tracker.tellAgent()
        fc.pre(events.length > 0)
        const changed = fieldsOf(tracker)
        if (later) await apply(later)
        const last = fieldsOf(tracker)
        await tracker.undo(person)
        const after = fieldsOf(tracker)
        for (const field of new Set([...first.keys(), ...last.keys(), ...after.keys()])) {
          const isTakenBack = first.get(field) !== changed.get(field) && last.get(field) === changed.get(field)
          expect([field, after.get(field)]).toEqual([field, (isTakenBack ? first : last).get(field)])
        }
      }),
      { numRuns: rounds(200) },
    )
  })
})
