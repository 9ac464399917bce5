/** The list in memory for small hosts. */
import { describe, expect, expectTypeOf, test } from "vitest"
import { createTodoManager, dialects, type GencodeData, type TodoWriteData } from "../../src/index.ts"

const read = { content: "Read", status: "completed" } as const
const write = { content: "Write", status: "in_progress", activeForm: "Writing" } as const
const send = { content: "Send" } as const

describe("the manager (G4)", () => {
  test("sets and gets the list, with ids that stay", () => {
    const manager = createTodoManager()
    expect(manager.set([read, write, send])).toEqual([])
    expect(manager.get()).toEqual([
      { id: "1", ...read },
      { id: "2", ...write },
      { id: "3", content: "Send", status: "pending" },
    ])
    manager.set([send, { ...write, status: "completed" }])
    expect(manager.get().map(({ id, status }) => [id, status])).toEqual([
      ["3", "pending"],
      ["2", "completed"],
    ])
  })

  test.each([
    ["not-a-list", undefined],
    ["not-a-list", "Read"],
    ["empty-todo", [null]],
    ["empty-todo", [{}]],
    ["empty-todo", [{ content: 1 }]],
    ["empty-todo", [read, { content: "\u0007 " }]],
    ["unknown-status", [{ content: "Read", status: "halfway" }]],
    ["invalid-todo", [{ content: "Read", notes: "short" }]],
    ["invalid-todo", [{ content: "Read", priority: "urgent" }]],
  ])("G4 returns %s and stores nothing for %j", (code, todos) => {
    const manager = createTodoManager()
    manager.set([write])
    const problems = manager.set(todos as unknown as Parameters<typeof manager.set>[0])
    expect(problems).toMatchObject([{ code, severity: "error" }])
    expect(manager.get()).toEqual([{ id: "1", ...write }])
  })

  test("returns copies, never the list itself", () => {
    const manager = createTodoManager()
    manager.set([write])
    const got = manager.get()
    got.push({ id: "9", content: "Smuggled", status: "pending" })
    Object.assign(got[0] ?? {}, { content: "Changed" })
    Object.assign(manager.active() ?? {}, { content: "Changed" })
    expect(manager.get()).toEqual([{ id: "1", ...write }])
    expect(manager.get()).not.toBe(manager.get())
  })

  test("has the todo in progress", () => {
    const manager = createTodoManager()
    expect(manager.active()).toBeUndefined()
    manager.set([read, write])
    expect(manager.active()).toEqual({ id: "2", ...write })
  })

  test("rounds progress, and an empty list is at 0", () => {
    const manager = createTodoManager()
    expect(manager.progress()).toEqual({ completed: 0, total: 0, percent: 0 })
    manager.set([read, write, send])
    expect(manager.progress()).toEqual({ completed: 1, total: 3, percent: 33 })
  })

  test("clears the list", () => {
    const manager = createTodoManager()
    manager.clear()
    manager.set([write])
    manager.clear()
    expect(manager.get()).toEqual([])
    expect(manager.active()).toBeUndefined()
  })

  test("G2 stores nothing of a list that its rules refuse, and returns why", () => {
    const manager = createTodoManager({ rules: dialects.gencode.rules })
    manager.set([read])
    expect(manager.set([write, { ...send, status: "in_progress" }])).toMatchObject([{ code: "several-active" }])
    expect(manager.set([{ content: " \u0007" }])).toMatchObject([{ code: "empty-todo", severity: "error" }])
    expect(manager.get()).toEqual([{ id: "1", ...read }])
  })

  test("O6 applies rules that correct a list", () => {
    const manager = createTodoManager({ rules: dialects["oh-my-pi"].rules })
    manager.set([{ content: "A" }, { content: "B" }])
    expect(manager.active()?.content).toBe("A")
  })

  test("G8 sanitises what a host passes on", () => {
    const manager = createTodoManager()
    manager.set([{ content: "Run\u001b[2J tests", activeForm: "Running\u202e tests" }])
    expect(manager.get()).toEqual([{ id: "1", content: "Run tests", status: "pending", activeForm: "Running tests" }])
  })
})

describe("a call of a model", () => {
  test("is written at once, repaired, and answered in its dialect", () => {
    const manager = createTodoManager()
    const input = "{'todos': [{'task': 'Run the tests', 'status': 'doing'}]"
    const written = manager.write({ tool: "TodoWrite", input }, dialects["claude-todos"])
    expectTypeOf(written.data).toEqualTypeOf<TodoWriteData>()
    expect(written).toMatchObject({ ok: true, text: expect.stringContaining("saved") })
    expect(manager.active()?.content).toBe("Run the tests")
  })

  test("C3 that completes everything leaves the list empty", () => {
    const manager = createTodoManager()
    const todos = [{ ...write, status: "completed" }]
    const { data, plan } = manager.write({ tool: "TodoWrite", input: { todos } }, dialects["claude-todos"])
    expect(plan.todos).toEqual([])
    expect(data.newTodos).toEqual(todos)
  })

  test("G2 that is refused changes nothing", () => {
    const manager = createTodoManager()
    const two = [write, { ...read, status: "in_progress", activeForm: "Reading" }]
    const { ok, data } = manager.write({ tool: "TodoWrite", input: { todos: two } }, dialects.gencode)
    expectTypeOf(data).toEqualTypeOf<GencodeData>()
    expect(ok).toBe(false)
    expect(data).toMatchObject({ success: false, error: expect.stringContaining("Only one todo") })
    expect(manager.get()).toEqual([])
  })

  test("counts once, however often it is delivered", () => {
    const manager = createTodoManager()
    const call = {
      tool: "todo_write",
      callId: "a",
      input: { ops: [{ op: "append", phase: "Build", items: ["Read"] }] },
    }
    manager.write(call, dialects["oh-my-pi"])
    const { ok } = manager.write(call, dialects["oh-my-pi"])
    expect(ok).toBe(true)
    expect(manager.get()).toHaveLength(1)
  })
})
