/** Our own tool: patches, additions and replacements, and replies that stay short. */
import { describe, expect, test } from "vitest"
import { headway } from "../../src/dialects/headway.ts"
import { emptyPlan, type Plan, type Todo } from "../../src/plan/index.ts"
import { run, trackerWith } from "../contracts/dialect.ts"

const planOf = (...contents: string[]): Plan => ({
  ...emptyPlan,
  todos: contents.map((content, index): Todo => ({ id: String(index + 1), content, status: "pending" })),
})
const call = (input: unknown) => ({ tool: "todo", input })
const abc = planOf("Alpha", "Beta", "Gamma")

test("N2 a patch by id changes only the given fields", () => {
  const plan = {
    ...abc,
    todos: abc.todos.map((todo) => ({ ...todo, notes: ["n"], phase: "Build" })),
    phases: ["Build"],
  }
  const { plan: after } = run(headway, call({ todos: [{ id: "2", status: "completed" }] }), plan)
  expect(after.todos[1]).toEqual({ id: "2", content: "Beta", status: "completed", notes: ["n"], phase: "Build" })
  expect(after.todos[0]).toEqual(plan.todos[0])
})

test("N2 every field of a todo may be given", () => {
  const todo = {
    content: "Deploy",
    status: "blocked",
    phase: "Ship",
    notes: ["n"],
    reason: "no access",
    waitsFor: "ops",
    activeForm: "Shipping it",
    description: "d",
    priority: "high",
    blockedBy: ["1"],
    owner: "me",
  }
  const { plan } = run(headway, call({ todos: [todo] }), abc)
  expect(plan.todos[3]).toEqual({ id: "4", ...todo })
})

test("N3 replace makes the list exactly this and keeps the ids of matching todos", () => {
  const { plan } = run(headway, call({ todos: [{ content: "Gamma" }, { content: "Delta" }], replace: true }), abc)
  expect(plan.todos.map(({ id, content }) => [id, content])).toEqual([
    ["3", "Gamma"],
    ["4", "Delta"],
  ])
})

test("the reply says where an id and a text name different todos", () => {
  const another = run(headway, call({ todos: [{ id: "1", content: "Beta", status: "completed" }] }), abc)
  expect(another.plan.todos.map(({ status }) => status)).toEqual(["pending", "completed", "pending"])
  expect(another.text).toContain('Todo 1 is "Alpha", so "Beta" was taken as todo 2.')
  const fresh = run(headway, call({ todos: [{ id: "1", content: "Implement recursive descent" }] }), abc)
  expect(fresh.plan.todos).toHaveLength(4)
  expect(fresh.text).toContain('Todo 1 is "Alpha", so "Implement recursive descent" was taken as todo 4.')
})

test("N2 replace may be a string", () => {
  expect(run(headway, call({ todos: [{ content: "Gamma" }], replace: "true" }), abc).plan.todos).toHaveLength(1)
})

test.each([undefined, null, "", {}, "{}", { todos: null }])("N2 %j reads", (input) => {
  const { text, events } = run(headway, call(input), abc)
  expect(events).toEqual([])
  expect(text).toBe("#1 [pending] Alpha\n#2 [pending] Beta\n#3 [pending] Gamma")
})

test("N2 a call that changes nothing is answered with one word", () => {
  expect(run(headway, call({ todos: [{ id: "1", status: "pending" }] }), abc).text).toBe("Unchanged.")
})

describe("replies", () => {
  test("N2 name the ids, what changed and what is next", () => {
    const input = { todos: [{ id: "1", status: "completed" }, { content: "Delta" }] }
    expect(run(headway, call(input), abc).text).toBe(
      "+ 4 Delta\n1 completed: Alpha\nNot mentioned, still there: 2 Beta; 3 Gamma\n1/4 done, next: 2 Beta",
    )
  })

  test("N2 name the todo that another one waits for as the next, even if that one is in progress", () => {
    const input = { todos: [{ id: "1", status: "in_progress", blockedBy: ["2"] }] }
    expect(run(headway, call(input), abc).text).toContain("next: 2 Beta")
  })

  test("N2 name what a list by text left out, and omit that after a patch by id", () => {
    expect(run(headway, call({ todos: [{ content: "Alpha", status: "completed" }] }), abc).text).toContain("2 Beta")
    expect(run(headway, call({ todos: [{ id: "1", status: "completed" }] }), abc).text).not.toContain("still there")
  })

  test("N2 stay short for a plan of 10,000 todos", () => {
    const many = planOf(...Array.from({ length: 10_000 }, (_, index) => `Todo number ${index}`))
    const all = many.todos.map(({ id }) => ({ id, status: "completed" }))
    const { text, plan } = run(headway, call({ todos: all }), many)
    expect(plan.todos.every(({ status }) => status === "completed")).toBe(true)
    expect(text.split("\n").length).toBeLessThan(30)
    const odd = many.todos.map(({ id }) => ({ id, status: "wobbly" }))
    expect(run(headway, call({ todos: odd }), many).text.split("\n").length).toBeLessThan(30)
    const one = run(headway, call({ todos: [{ content: "One more" }] }), many)
    expect(one.text.length).toBeLessThan(400)
  })

  test("N2 the data contains only what changed", async () => {
    const tracker = await trackerWith([{ content: "Alpha" }, { content: "Beta" }])
    const { data } = await tracker.write(call({ todos: [{ id: "2", status: "completed" }] }), headway)
    expect(data).toEqual({
      todos: [{ id: "2", content: "Beta", status: "completed" }],
      progress: { completed: 1, total: 2, percent: 50 },
    })
  })
})

test("N3 a used id is never given again", async () => {
  const tracker = await trackerWith([{ content: "Alpha" }, { content: "Beta" }])
  await tracker.write(call({ todos: [{ content: "Alpha" }], replace: true }), headway)
  const { plan } = await tracker.write(call({ todos: [{ id: "2", content: "Other work" }] }), headway)
  expect(plan.todos.map(({ id }) => id)).toEqual(["1", "3"])
})

test("N2 a reply says in words what is new: another wording, other fields, or that nothing is left", () => {
  const reply = (input: unknown): string => run(headway, call(input), abc).text
  expect(reply({ todos: [{ id: "1", content: "Alpha and omega" }] })).toMatch(/^1 reworded: Alpha and omega\n/)
  expect(reply({ todos: [{ id: "1", phase: "Build", priority: "high" }] })).toMatch(/^1 phase, priority: Alpha\n/)
  expect(reply({ todos: [], replace: true })).toMatch(/\nThe list is empty\.$/)
})
