/** TodoWrite: the tool as a host is given it, its result data, and both generations of its items. */
import { describe, expect, test } from "vitest"
import { claudeTodos } from "../../src/dialects/claude-todos.ts"
import { toolDefinitions } from "../../src/dialects/definition.ts"
import { checkStrictly } from "../../src/dialects/strict.ts"
import { emptyPlan } from "../../src/plan/index.ts"
import { run, trackerWith } from "../contracts/dialect.ts"

const item = { content: "Run tests", status: "pending", activeForm: "Running tests" }
const strictly = (input: unknown) => checkStrictly(claudeTodos, { tool: "TodoWrite", input })
const write = (todos: unknown) => ({ tool: "TodoWrite", input: { todos } })

describe("strict", () => {
  test("C1 a list of content, status and activeForm is valid", () => {
    expect(strictly({ todos: [item, { ...item, status: "in_progress" }, { ...item, status: "completed" }] })).toEqual(
      [],
    )
    expect(strictly(JSON.stringify({ todos: [item] }))).toEqual([])
  })

  test.each([
    ["an unknown key beside the list", { todos: [item], note: "x" }],
    ["no list", {}],
    ["an empty content", { todos: [{ ...item, content: "" }] }],
    ["an empty active form", { todos: [{ ...item, activeForm: "" }] }],
    ["no active form", { todos: [{ content: "a", status: "pending" }] }],
    ["the status cancelled", { todos: [{ ...item, status: "cancelled" }] }],
    ["the status blocked", { todos: [{ ...item, status: "blocked" }] }],
    ["a list as a string", { todos: JSON.stringify([item]) }],
    ["text that is not JSON", "todos: a"],
  ])("C1 %s is refused with a valid example", (_, input) => {
    const [problem, ...more] = strictly(input)
    expect(more).toEqual([])
    expect(problem?.severity).toBe("error")
    expect(problem?.message).toContain('{"todos":[{"content":')
  })

  test("C1 what is wrong is reported in one clause, also for text that is not JSON", () => {
    expect(strictly("{'todos': []}")[0]?.message).toMatch(
      /^The input of TodoWrite is not valid \(it is not JSON\)\. A valid/,
    )
    const [problem] = strictly({ todos: [{ ...item, status: "done" }] })
    expect(problem?.message).toMatch(/\(todos\.0\.status: [^()]*[^.]\)\. A valid/)
  })

  test("C1 an unknown tool is named", () => {
    expect(checkStrictly(claudeTodos, { tool: "TodoRead", input: {} })[0]?.message).toContain("TodoRead")
  })

  test("C4 any number of todos is valid", () => {
    expect(strictly({ todos: Array.from({ length: 1000 }, () => item) })).toEqual([])
  })
})

describe("calls", () => {
  test("C2 the result holds the list before and the list as sent", async () => {
    const tracker = await trackerWith([{ content: "Old", status: "in_progress" }])
    const { data } = await tracker.write(write([item]), claudeTodos)
    expect(data).toEqual({ oldTodos: [{ content: "Old", status: "in_progress" }], newTodos: [item] })
  })

  test("C2 W1 both lists are as they were sent, in either generation, with unknown fields", async () => {
    const tracker = await trackerWith()
    const first = [
      { content: "Read", status: "completed", id: "a", priority: "high" },
      { content: "Write", status: "in_progress", activeForm: "Writing", colour: "red" },
    ]
    const second = [...first.map((one) => ({ ...one, status: "in_progress" })), item]
    expect((await tracker.write(write(first), claudeTodos)).data).toEqual({ oldTodos: [], newTodos: first })
    expect((await tracker.write(write(second), claudeTodos)).data).toEqual({ oldTodos: first, newTodos: second })
    expect(tracker.plan.todos[1]?.activeForm).toBe("Writing")
  })

  test("C2 repaired items are shown repaired, without what a screen could not bear", async () => {
    const tracker = await trackerWith()
    const input = "{'todos': [{'task': 'Run\\u001b[2J tests', 'status': 'doing'}]}"
    const { data } = await tracker.write({ tool: "TodoWrite", input }, claudeTodos)
    expect(data.newTodos).toEqual([{ content: "Run tests", status: "in_progress" }])
    const sent = await tracker.write(write([{ ...item, content: "Run\u001b[2J tests" }]), claudeTodos)
    expect(sent.data.newTodos).toEqual([item])
  })

  test("C2 a patch shows the whole list in its result", async () => {
    const tracker = await trackerWith([item as never, { content: "B" }])
    const { data } = await tracker.write(write([{ id: "1", status: "completed" }]), claudeTodos)
    expect(data).toMatchObject({ newTodos: [{ content: "Run tests", status: "completed" }, { content: "B" }] })
  })

  test("C3 a list sent all completed leaves the stored list empty, and the result shows it as sent", async () => {
    const tracker = await trackerWith([{ content: "Run tests" }])
    const { plan, data } = await tracker.write(write([{ ...item, status: "completed" }]), claudeTodos)
    expect(plan.todos).toEqual([])
    expect(data).toMatchObject({ newTodos: [{ content: "Run tests", status: "completed" }] })
  })

  test("C3 a person's unfinished todo keeps the list from being emptied", async () => {
    const tracker = await trackerWith([{ content: "Run tests" }])
    await tracker.edit({ kind: "person", id: "me" }, () => [
      { type: "todo-added", todo: { id: "2", content: "Mine", status: "pending" } },
    ])
    const { plan } = await tracker.write(write([{ ...item, status: "completed" }]), claudeTodos)
    expect(plan.todos.map(({ content }) => content)).toContain("Mine")
  })

  test("C4 a list that was never written reads as empty", async () => {
    const tracker = await trackerWith()
    const { ok, text, data } = await tracker.write({ tool: "TodoWrite", input: {} }, claudeTodos)
    expect(ok).toBe(true)
    expect(text).toBe("No todos.")
    expect(data).toEqual({ oldTodos: [], newTodos: [] })
  })

  test("C5 the model is told that it worked, to keep the list current and to continue", () => {
    const { text } = run(claudeTodos, write([item]), emptyPlan)
    expect(text).toMatch(/saved/)
    expect(text).toMatch(/current/)
    expect(text).toMatch(/go on/)
  })

  test("A4 an unknown status on a new todo is pending, and the reply reports it", () => {
    const { plan, text } = run(claudeTodos, write([{ content: "a", status: "wobbly" }]), emptyPlan)
    expect(plan.todos[0]?.status).toBe("pending")
    expect(text).toContain("wobbly")
  })
})

describe("generations", () => {
  test("W1 the model's id is stored in addition to ours and names the todo", async () => {
    const tracker = await trackerWith()
    const sent = [
      { id: "b", content: "Write", status: "pending", priority: "low" },
      { id: "a", content: "Read", status: "pending", priority: "high" },
    ]
    const first = await tracker.write(write(sent), claudeTodos)
    expect(first.plan.todos.map(({ id, extra, priority }) => [id, extra?.nativeId, priority])).toEqual([
      ["1", "b", "low"],
      ["2", "a", "high"],
    ])
    const { plan } = await tracker.write(write([{ id: "a", status: "in_progress" }]), claudeTodos)
    expect(plan.todos.map(({ status }) => status)).toEqual(["pending", "in_progress"])
  })

  test("W1 the model's numbers name its own todos before ours", async () => {
    const tracker = await trackerWith()
    const numbered = ["2", "1"].map((id) => ({ id, content: `Todo ${id}`, status: "pending" }))
    await tracker.write(write(numbered), claudeTodos)
    const { plan } = await tracker.write(write([{ id: "2", status: "completed" }]), claudeTodos)
    expect(plan.todos.find(({ content }) => content === "Todo 2")?.status).toBe("completed")
  })

  test("W2 missing fields of an item of either generation are derived", () => {
    const { plan } = run(claudeTodos, write([{ content: "Run tests", status: "pending", id: "7" }, item]), emptyPlan)
    expect(plan.todos.map(({ id }) => id)).toEqual(["1", "2"])
    expect(claudeTodos.encode(plan)).toEqual([write([item, item])])
  })
})

describe("as a tool", () => {
  const [tool] = toolDefinitions(claudeTodos, { level: "full" })

  test("C6 it carries a short description, a long prompt, schemas and one worked example", () => {
    expect(tool?.name).toBe("TodoWrite")
    expect(tool?.summary.length).toBeLessThan(80)
    expect(tool?.description.length).toBeGreaterThan(2000)
    expect(tool?.inputSchema).toMatchObject({ type: "object", required: ["todos"], additionalProperties: false })
    expect(tool?.outputSchema).toMatchObject({ required: ["oldTodos", "newTodos"] })
    expect(tool?.inputExamples.flatMap(strictly)).toEqual([])
    expect(tool?.inputExamples).toHaveLength(1)
  })

  test("C6 it is enabled, writes, runs alone, is always allowed and draws nothing", () => {
    expect(tool?.isEnabled()).toBe(true)
    expect(tool?.isReadOnly()).toBe(false)
    expect(tool?.isConcurrencySafe()).toBe(false)
    const input = { todos: [item] }
    expect(tool?.checkPermissions(input)).toEqual({ behavior: "allow", updatedInput: input })
    expect(tool?.userFacingName()).toBe("")
    expect(tool?.renderToolUseMessage()).toBeNull()
    expect(tool?.renderToolUseProgressMessage()).toBeNull()
    expect(tool?.renderToolResultMessage()).toBeNull()
    expect(tool?.renderToolUseErrorMessage()).toBeNull()
    expect(tool?.renderToolUseRejectedMessage()).toBeNull()
  })

  test("C2 C6 a call through it writes the list and returns data, text and whether it failed", async () => {
    const tracker = await trackerWith()
    const made = await tool?.call({ todos: [item] }, { tracker, callId: "one" })
    expect(made).toMatchObject({ data: { oldTodos: [], newTodos: [item] }, isError: false })
    expect(made?.text).toContain("saved")
    expect(await tool?.call("nonsense", { tracker })).toMatchObject({ isError: true })
    expect(tracker.plan.todos).toHaveLength(1)
  })

  test("C9 the quiet level is the default and a host's own text wins", () => {
    expect(toolDefinitions(claudeTodos)[0]?.description).toBe(claudeTodos.tools[0]?.prompts.quiet)
    const [own] = toolDefinitions(claudeTodos, { level: "off", overrides: { TodoWrite: "Mine." } })
    expect(own?.description).toBe("Mine.")
  })
})
