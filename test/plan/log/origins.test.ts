/** A log merged from two branches shows every change on the todo it was made to, whatever number that todo has now. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { edits } from "../../../src/plan/edits.ts"
import type { Actor, Entry, PlanEvent } from "../../../src/plan/event.ts"
import { createFold, type Fold } from "../../../src/plan/fold.ts"
import { referencesIn } from "../../../src/plan/log/names.ts"
import type { FoldSnapshot } from "../../../src/plan/log/snapshot.ts"
import type { Todo } from "../../../src/plan/todo.ts"

const person: Actor = { kind: "person", id: "ada" }
const agent: Actor = { kind: "agent", id: "main" }

type Act = (state: Fold) => PlanEvent[]

/** A file of entries that can be branched, as a repository's can. */
const createBranch = (name: string, base: readonly Entry[] = []) => {
  const entries = [...base]
  const stateAt = (count: number): Fold => {
    const state = createFold()
    for (const entry of entries.slice(0, count)) state.add(entry)
    return state
  }
  return {
    entries,
    /** A writer decides on the plan as it was `behind` entries ago. */
    write(by: Actor, act: Act, behind = 0): void {
      const state = stateAt(Math.max(base.length, entries.length - behind))
      const events = act(state)
      const id = `${name}${entries.length}`
      const at = new Date(Date.UTC(2030, 0, 1, 0, entries.length)).toISOString()
      if (events.length > 0) entries.push({ v: 1, id, at, by, events, ...referencesIn(events, by, state) })
    },
  }
}

const merged = (...branches: { entries: readonly Entry[] }[]): Fold => {
  const state = createFold()
  for (const entry of branches.flatMap(({ entries }) => entries)) state.add(entry)
  return state
}

const add =
  (content: string, fields: Partial<Todo> = {}): Act =>
  () =>
    edits.add(content, fields)

const on =
  (content: string, edit: (todo: Todo, state: Fold) => PlanEvent[]): Act =>
  (state) => {
    const todo = state.plan.todos.find((one) => one.content === content)
    return todo ? edit(todo, state) : []
  }

const statuses = ({ plan }: Fold): Record<string, string> =>
  Object.fromEntries(plan.todos.map(({ content, status }) => [content, status]))

describe("two branches that gave one number to two todos", () => {
  const base = createBranch("base")
  base.write(person, add("Write the code"))
  const ours = createBranch("ours", base.entries)
  const theirs = createBranch("theirs", base.entries)
  ours.write(person, add("Deploy to production"))
  theirs.write(person, add("Run the tests"))
  theirs.write(person, on("Run the tests", edits.done))

  test("keep both, and each change on its own todo", () => {
    const expected = {
      "Write the code": "pending",
      "Deploy to production": "pending",
      "Run the tests": "completed",
    }
    expect(statuses(merged(ours, theirs))).toEqual(expected)
    expect(statuses(merged(theirs, ours))).toEqual(expected)
  })

  test("continue from there: entries after the merge mean the numbers of the merged plan", () => {
    const after = createBranch("after", [...ours.entries, ...theirs.entries])
    after.write(
      person,
      on("Deploy to production", (todo) => edits.reword(todo, "Deploy")),
    )
    after.write(person, on("Run the tests", edits.reopen))
    expect(statuses(merged(after))).toEqual({
      "Write the code": "pending",
      Deploy: "pending",
      "Run the tests": "pending",
    })
  })

  test("apply a removal, a clearing, a claim and a blocker to the todo that was meant", () => {
    const more = createBranch("more", theirs.entries)
    more.write(agent, add("Announce it"))
    more.write(agent, (state) => {
      const [, tests, announce] = state.plan.todos
      return [{ type: "todo-changed", id: announce?.id ?? "", from: {}, to: { blockedBy: [tests?.id ?? ""] } }]
    })
    more.write(
      agent,
      on("Announce it", ({ id }) => [{ type: "todo-claimed", id, owner: "main", minutes: 5 }]),
    )
    const blocked = merged(ours, more).plan.todos
    const tests = blocked.find(({ content }) => content === "Run the tests")
    expect(blocked.find(({ content }) => content === "Announce it")).toMatchObject({
      blockedBy: [tests?.id],
      owner: "main",
    })
    more.write(person, on("Run the tests", edits.remove))
    expect(Object.keys(statuses(merged(ours, more)))).toEqual(["Write the code", "Deploy to production", "Announce it"])
    more.write(person, ({ plan: { todos, phases } }) => [
      { type: "plan-cleared", todos: [...todos], phases: [...phases] },
    ])
    expect(Object.keys(statuses(merged(ours, more)))).toEqual(["Deploy to production"])
  })

  test("change no other todo where the one that was meant is lost", () => {
    const lost = { entries: theirs.entries.filter(({ events }) => events[0]?.type !== "todo-added") }
    expect(statuses(merged(ours, lost))).toEqual({ "Write the code": "pending", "Deploy to production": "pending" })
  })
})

describe("two branches that took back one removal", () => {
  const restore =
    (content: string): Act =>
    ({ ledger }) =>
      [...ledger.removed.values()].flatMap(({ todo }) =>
        todo.content === content ? [{ type: "todo-added", todo, restores: true }] : [],
      )
  const base = createBranch("base")
  base.write(person, add("Write the code"))
  base.write(person, on("Write the code", edits.remove))

  test("bring the todo back once, with the changes of each", () => {
    const ours = createBranch("ours", base.entries)
    const theirs = createBranch("theirs", base.entries)
    ours.write(person, restore("Write the code"))
    ours.write(person, on("Write the code", edits.done))
    theirs.write(person, restore("Write the code"))
    theirs.write(
      person,
      on("Write the code", (todo) => edits.note(todo, "in Rust")),
    )
    const expected = [{ id: "1", content: "Write the code", status: "completed", notes: ["in Rust"] }]
    expect(merged(ours, theirs).plan.todos).toEqual(expected)
    expect(merged(theirs, ours).plan.todos).toEqual(expected)
  })

  test("bring a todo whose addition was lost back as a new one, next to the todo that has its number", () => {
    const theirs = createBranch("theirs", base.entries)
    theirs.write(person, restore("Write the code"))
    const ours = createBranch("ours")
    ours.write(person, add("Run the tests"))
    const lost = { entries: theirs.entries.slice(2) }
    expect(statuses(merged(ours, lost))).toEqual({ "Run the tests": "pending", "Write the code": "pending" })
    ours.write(person, on("Run the tests", edits.remove))
    const state = merged(ours, lost)
    expect(state.plan.todos).toMatchObject([{ id: "2", content: "Write the code" }])
    expect([...state.ledger.removed.keys()]).toEqual(["1"])
  })
})

type Step = { kind: "add" | "done" | "drop" | "remove" | "restore"; which: number; behind: number; by: Actor }

const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("add", "add", "done", "drop", "remove", "restore"),
  which: fc.nat(9),
  behind: fc.nat(2),
  by: fc.constantFrom(agent, person),
})

/** Writes the steps on todos of this branch alone, so that the other branch has no say in them. */
const walk = (name: string, base: readonly Entry[], steps: readonly Step[]) => {
  const branch = createBranch(name, base)
  for (const [index, { kind, which, behind, by }] of steps.entries()) {
    branch.write(
      by,
      (state) => {
        if (kind === "add") return edits.add(`${name} ${index}`)
        const own = state.plan.todos.filter(({ content }) => content.startsWith(name))
        const gone = [...state.ledger.removed.values()].map(({ todo }) => todo)
        const back = gone.filter(({ content }) => content.startsWith(name))
        if (kind === "restore") {
          const todo = back[which % back.length]
          return todo ? [{ type: "todo-added", todo, restores: true }] : []
        }
        const todo = own[which % own.length]
        return todo ? edits[kind](todo) : []
      },
      behind,
    )
  }
  return branch
}

const throughJson = (snapshot: FoldSnapshot): FoldSnapshot => JSON.parse(JSON.stringify(snapshot)) as FoldSnapshot

describe("any two branches", () => {
  const bothArbitrary = fc.tuple(fc.array(stepArbitrary, { maxLength: 12 }), fc.array(stepArbitrary, { maxLength: 12 }))
  const base = createBranch("base")
  base.write(person, add("base"))

  test("N3 merged in either order give each todo the changes of its own branch", () => {
    fc.assert(
      fc.property(bothArbitrary, ([one, other]) => {
        const left = walk("left", base.entries, one)
        const right = walk("right", base.entries, other)
        const expected = { ...statuses(merged(left)), ...statuses(merged(right)) }
        expect(statuses(merged(left, right))).toEqual(expected)
        expect(statuses(merged(right, left))).toEqual(expected)
      }),
    )
  })

  test("N8 a snapshot anywhere in the merged log changes nothing", () => {
    fc.assert(
      fc.property(bothArbitrary, fc.nat(30), ([one, other], at) => {
        const entries = [...walk("left", base.entries, one).entries, ...walk("right", base.entries, other).entries]
        const start = createFold()
        for (const entry of entries.slice(0, at)) start.add(entry)
        const rest = createFold(throughJson(start.snapshot()))
        for (const entry of entries.slice(at)) rest.add(entry)
        expect(rest.plan).toEqual(merged({ entries }).plan)
        expect(rest.snapshot()).toEqual(merged({ entries }).snapshot())
      }),
    )
  })
})
