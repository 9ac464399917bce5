/** Task tools: one call per task, ids that only results know, and every spelling of an id a model has been seen to use. */
import { describe, expect, test } from "vitest"
import { claudeTasks } from "../../src/dialects/claude-tasks.ts"
import { emptyPlan, type Plan, type Todo } from "../../src/plan/index.ts"
import { run, trackerWith } from "../contracts/dialect.ts"

const planOf = (...todos: Partial<Todo>[]): Plan => ({
  ...emptyPlan,
  todos: todos.map((todo, index): Todo => ({ id: String(index + 1), content: "Task", status: "pending", ...todo })),
})
const two = planOf({ content: "First" }, { content: "Second" })

const replyOf = (tool: string, input: unknown, plan: Plan) => {
  const call = { tool, input }
  const decoded = claudeTasks.decode(call, plan)
  const { plan: after, events } = run(claudeTasks, call, plan)
  const { problems } = decoded
  return claudeTasks.reply({ call, decoded, before: plan, after, events, problems, isPersistent: false })
}

describe("create", () => {
  test("N1 the result names the id", () => {
    const { text, data } = replyOf("TaskCreate", { subject: "Third", description: "d" }, two)
    expect(text).toBe("Created task #3: Third")
    expect(data).toEqual({ task: { id: "3", subject: "Third" } })
  })

  test("N1 tasks are created pending", () => {
    const { plan } = run(claudeTasks, { tool: "TaskCreate", input: { subject: "a", status: "completed" } }, emptyPlan)
    expect(plan.todos[0]?.status).toBe("pending")
  })

  test("N1 an id seen in a result names the task from then on", async () => {
    const tracker = await trackerWith()
    for (const [id, subject] of Object.entries({ "8": "Eighth", abc: "Named" })) {
      await tracker.write({ tool: "TaskCreate", input: { subject }, result: { task: { id, subject } } }, claudeTasks)
    }
    const { plan } = await tracker.write(
      { tool: "TaskUpdate", input: { taskId: "abc", status: "completed" } },
      claudeTasks,
    )
    expect(plan.todos.map(({ status }) => status)).toEqual(["pending", "completed"])
  })

  test("N2 several tasks in one call are all created", () => {
    const input = { tasks: [{ subject: "a" }, { subject: "b" }] }
    expect(run(claudeTasks, { tool: "TaskCreate", input }, emptyPlan).plan.todos).toHaveLength(2)
  })

  test("N2 only blockers that exist are kept", () => {
    const input = { subject: "a", blockedBy: ["1", "99"] }
    expect(run(claudeTasks, { tool: "TaskCreate", input }, two).plan.todos[2]?.blockedBy).toEqual(["1"])
  })

  test("N2 a repeated call id still gets a reply", async () => {
    const tracker = await trackerWith()
    const call = { tool: "TaskCreate", input: { subject: "a" }, callId: "c" }
    await tracker.write(call, claudeTasks)
    expect((await tracker.write(call, claudeTasks)).text).toMatch(/unchanged/)
  })
})

describe("update", () => {
  test.each([
    { taskId: "2" },
    { taskId: 2 },
    { taskId: "#2" },
    { id: "2" },
    { id: 2 },
    { task_id: "2" },
    { taskId: "", id: "2" },
  ])("N2 %j names task 2", (target) => {
    const { plan } = run(claudeTasks, { tool: "TaskUpdate", input: { ...target, status: "in_progress" } }, two)
    expect(plan.todos.map(({ status }) => status)).toEqual(["pending", "in_progress"])
  })

  test("N1 the result names what changed", () => {
    const input = { taskId: "1", status: "in_progress", owner: "main", subject: "Begin" }
    const { text, data } = replyOf("TaskUpdate", input, two)
    expect(text).toMatch(/^Task #1: .*updated\.$/)
    expect(data).toMatchObject({ success: true, taskId: "1", statusChange: { from: "pending", to: "in_progress" } })
    expect((data as { updatedFields: string[] }).updatedFields.sort()).toEqual(["owner", "status", "subject"])
  })

  test("N1 deleted removes the task", () => {
    const { text, data } = replyOf("TaskUpdate", { taskId: "1", status: "deleted" }, two)
    expect(text).toBe("Deleted task #1.")
    expect(data).toMatchObject({ success: true, updatedFields: ["deleted"] })
  })

  test("N2 an unknown id is answered with the existing ones", () => {
    const { text, data } = replyOf("TaskUpdate", { taskId: "42", status: "completed" }, two)
    expect(text).toBe("There is no task #42. The latest are: #1 First; #2 Second.")
    expect(data).toMatchObject({ success: false, taskId: "42", updatedFields: [] })
  })

  test("N2 a missing id is answered with the existing ones", () => {
    expect(replyOf("TaskUpdate", { status: "completed" }, two).text).toMatch(/No task id.*#1 First/)
    expect(replyOf("TaskUpdate", {}, emptyPlan).text).toMatch(/empty/)
  })

  test("N1 metadata merges, and null removes a key", () => {
    const plan = planOf({ extra: { metadata: { a: 1, b: 2 } } })
    const next = run(claudeTasks, { tool: "TaskUpdate", input: { taskId: "1", metadata: { a: null, c: 3 } } }, plan)
    expect(next.plan.todos[0]?.extra?.metadata).toEqual({ b: 2, c: 3 })
  })

  test("N1 addBlocks is addBlockedBy from the other side", () => {
    const blocks = run(claudeTasks, { tool: "TaskUpdate", input: { taskId: "1", addBlocks: ["2"] } }, two)
    const blocked = run(claudeTasks, { tool: "TaskUpdate", input: { taskId: "2", addBlockedBy: ["1"] } }, two)
    expect(blocks.plan.todos).toEqual(blocked.plan.todos)
    expect(blocks.plan.todos[1]?.blockedBy).toEqual(["1"])
  })

  test("N1 blockers are added, and none waits for itself", () => {
    const plan = planOf({}, {}, { blockedBy: ["1"] })
    const { plan: next } = run(
      claudeTasks,
      { tool: "TaskUpdate", input: { taskId: "3", addBlockedBy: ["2", "3", "1"] } },
      plan,
    )
    expect(next.todos[2]?.blockedBy).toEqual(["1", "2"])
  })

  test.each([
    ["TaskUpdate", { taskId: "1", addBlockedBy: ["3"] }],
    ["TaskUpdate", { taskId: "3", addBlocks: ["1"] }],
  ])("N5 a wait that closes a circle is refused by name: %s %o", (tool, input) => {
    const circle = planOf({}, { blockedBy: ["1"] }, { blockedBy: ["2"] })
    const { plan, text } = run(claudeTasks, { tool, input }, circle)
    expect(plan.todos.map(({ blockedBy }) => blockedBy)).toEqual([undefined, ["1"], ["2"]])
    expect(text).toContain("Todo 1 cannot wait for 3: they would wait for each other.")
  })

  test("N2 a part of an id names no task", () => {
    const { ok, plan } = run(claudeTasks, { tool: "TaskUpdate", input: '{"status":"completed","taskId":"1' }, two)
    expect([ok, plan]).toEqual([false, two])
  })

  test("N2 an unknown status keeps the previous one and reports it", () => {
    const { plan, text } = run(claudeTasks, { tool: "TaskUpdate", input: { taskId: "1", status: "wobbly" } }, two)
    expect(plan.todos[0]?.status).toBe("pending")
    expect(text).toContain("wobbly")
  })
})

describe("reading", () => {
  const plan = planOf(
    { content: "First", status: "completed", owner: "main", extra: { nativeId: "7" } },
    { content: "Second", description: "d", blockedBy: ["1"] },
    { content: "Third", blockedBy: ["1", "2"] },
  )

  test("N1 the list leaves out blockers that are completed", () => {
    const { text, data } = replyOf("TaskList", {}, plan)
    expect(text).toBe("#7 [completed] First\n#2 [pending] Second\n#3 [pending] Third [waits for #2]")
    expect(data).toEqual({
      tasks: [
        { id: "7", subject: "First", status: "completed", owner: "main", blockedBy: [] },
        { id: "2", subject: "Second", status: "pending", blockedBy: [] },
        { id: "3", subject: "Third", status: "pending", blockedBy: ["2"] },
      ],
    })
  })

  test("N1 one task shows its description, what it blocks and all its blockers, by the agent's ids", () => {
    const task = { id: "2", subject: "Second", description: "d", status: "pending", blocks: ["3"], blockedBy: ["7"] }
    expect(replyOf("TaskGet", { taskId: "2" }, plan)).toMatchObject({ data: { task } })
  })

  test("N1 a task that does not exist is null", () => {
    expect(replyOf("TaskGet", { taskId: "9" }, plan)).toMatchObject({ data: { task: null } })
    expect(replyOf("TaskList", {}, emptyPlan).text).toBe("No tasks.")
  })

  test("N1 a tool named like a property of every object is a read", () => {
    expect(replyOf("constructor", {}, plan).text).toContain("First")
  })
})

test("N1 a plan is expressed by creating first and updating afterwards", () => {
  const plan = planOf({ content: "a", status: "completed" }, { content: "b", blockedBy: ["1"], owner: "me" })
  expect(claudeTasks.encode(plan)).toEqual([
    { tool: "TaskCreate", input: { subject: "a", description: "" } },
    { tool: "TaskCreate", input: { subject: "b", description: "" } },
    { tool: "TaskUpdate", input: { taskId: "1", status: "completed" } },
    { tool: "TaskUpdate", input: { taskId: "2", owner: "me", addBlockedBy: ["1"] } },
  ])
})

describe("a task that a person removed", () => {
  const person = { kind: "person", id: "ada" } as const
  const withRemoved = async () => {
    const tracker = await trackerWith()
    await tracker.write({ tool: "TaskCreate", input: { subject: "Deploy" }, result: "Task #1 created" }, claudeTasks)
    await tracker.edit(person, ({ todos }) => todos.map((todo) => ({ type: "todo-removed", todo })))
    await tracker.tellAgent()
    return tracker
  }
  const refusals = async (tracker: Awaited<ReturnType<typeof withRemoved>>) =>
    (await tracker.entries()).flatMap(({ events }) => events.filter(({ type }) => type === "todo-refused"))
  const update = (status: string, callId: string) => ({ tool: "TaskUpdate", input: { taskId: "1", status }, callId })

  test("and that the agent completes stays removed, which is recorded in the history once", async () => {
    const tracker = await withRemoved()
    const { ok, plan } = await tracker.write(update("completed", "a"), claudeTasks)
    await tracker.write(update("completed", "b"), claudeTasks)
    expect([ok, plan.todos]).toEqual([false, []])
    expect(tracker.ledger.refused.size).toBe(1)
    expect(await refusals(tracker)).toContainEqual({ type: "todo-refused", content: "Deploy", status: "completed" })
  })

  test("and that the agent leaves as it was does not count as done against the removal", async () => {
    const tracker = await withRemoved()
    await tracker.write(update("pending", "a"), claudeTasks)
    expect(await refusals(tracker)).toEqual([])
  })
})

test("a task that a person removed stays removed when its agent has continued it", async () => {
  const tracker = await trackerWith()
  const created = { tool: "TaskCreate", input: { subject: "Deploy" }, result: { task: { id: "1" } }, observed: true }
  await tracker.write(created, claudeTasks)
  await tracker.edit({ kind: "person", id: "ada" }, ({ todos }) =>
    todos.map((todo) => ({ type: "todo-removed", todo })),
  )
  await tracker.tellAgent()
  const input = { taskId: "1", status: "completed" }
  const update = { tool: "TaskUpdate", input, result: { success: true, taskId: "1" }, observed: true }
  expect((await tracker.write(update, claudeTasks)).plan.todos).toEqual([])
  expect([...tracker.ledger.refused.values()]).toMatchObject([{ status: "completed" }])
})
