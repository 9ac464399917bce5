/** The smaller vocabularies: what each reads in its own way, and the exact words it says a plan in. */
import { describe, expect, test } from "vitest"
import { type DialectId, dialects, findDialect, readStatus } from "../../src/dialects/index.ts"
import { offeredTools } from "../../src/dialects/offered-tools.ts"
import { emptyPlan, type Plan, type Todo } from "../../src/plan/index.ts"
import { run, trackerWith } from "../contracts/dialect.ts"

const plan: Plan = {
  todos: [
    { id: "1", content: "Read", status: "completed", priority: "high" },
    { id: "2", content: "Write", status: "in_progress", activeForm: "Writing it down", blockedBy: ["1"] },
    { id: "3", content: "Wait", status: "blocked", reason: "CI" },
    { id: "4", content: "Skip", status: "cancelled" },
  ],
  phases: [],
  revision: 1,
}

const samples: [DialectId, unknown][] = [
  [
    "claude-todos",
    {
      todos: [
        { content: "Read", status: "completed", activeForm: "Reading" },
        { content: "Write", status: "in_progress", activeForm: "Writing it down" },
        { content: "Wait", status: "pending", activeForm: "Waiting" },
      ],
    },
  ],
  [
    "codex",
    {
      plan: [
        { step: "Read", status: "completed" },
        { step: "Write", status: "in_progress" },
        { step: "Wait", status: "pending" },
      ],
    },
  ],
  [
    "gemini",
    {
      todos: [
        { description: "Read", status: "completed" },
        { description: "Write", status: "in_progress" },
        { description: "Wait", status: "blocked" },
        { description: "Skip", status: "cancelled" },
      ],
    },
  ],
  [
    "opencode",
    {
      todos: [
        { content: "Read", status: "completed", priority: "high" },
        { content: "Write", status: "in_progress", priority: "medium" },
        { content: "Wait", status: "pending", priority: "medium" },
        { content: "Skip", status: "cancelled", priority: "medium" },
      ],
    },
  ],
  [
    "vscode",
    {
      todoList: [
        { id: 1, title: "Read", status: "completed" },
        { id: 2, title: "Write", status: "in-progress" },
        { id: 3, title: "Wait", status: "not-started" },
      ],
    },
  ],
  [
    "qwen",
    {
      todos: [
        { id: "1", content: "Read", status: "completed" },
        { id: "2", content: "Write", status: "in_progress", blockedBy: ["1"] },
        { id: "3", content: "Wait", status: "pending" },
      ],
    },
  ],
  [
    "kimi",
    {
      todos: [
        { title: "Read", status: "done" },
        { title: "Write", status: "in_progress" },
        { title: "Wait", status: "pending" },
      ],
    },
  ],
  [
    "acp",
    {
      sessionUpdate: "plan",
      entries: [
        { content: "Read", priority: "high", status: "completed" },
        { content: "Write", priority: "medium", status: "in_progress" },
        { content: "Wait", priority: "medium", status: "pending" },
      ],
    },
  ],
  ["roo", { todos: "- [x] Read\n- [-] Write\n- [ ] Wait\n" }],
  ["markdown", "- [x] Read\n- [/] Write\n- [!] Wait <!-- blocker: CI -->\n- [-] Skip\n"],
]

test.each(samples)("N1 %s encodes a plan in its own words", (id, input) => {
  expect(findDialect(id).encode(plan)).toEqual([{ tool: findDialect(id).toolNames[0], input }])
})

test("N1 cancelled is never encoded as completed", () => {
  for (const [id] of samples)
    expect(JSON.stringify(findDialect(id).encode(plan))).not.toMatch(/Skip","?[^}]*(completed|done)/)
})

describe("cursor", () => {
  const cursor = findDialect("cursor")
  const merge = (input: object) => run(cursor, { tool: "todo_write", input: { merge: true, ...input } }, plan)

  test("N1 merge updates by id and leaves the rest alone", () => {
    const { plan: after } = merge({ todos: [{ id: "2", status: "completed" }] })
    expect(after.todos.map(({ status }) => status)).toEqual(["completed", "completed", "blocked", "cancelled"])
  })

  test("N1 merge with a text rewords", () => {
    expect(merge({ todos: [{ id: "2", content: "Write it twice" }] }).plan.todos[1]?.content).toBe("Write it twice")
  })

  test.each([
    ["args", { args: { merge: true, todos: [{ id: "2", status: "TODO_STATUS_COMPLETED" }] } }],
    [
      "the whole call",
      { updateTodosToolCall: { args: { merge: true, todos: [{ id: "2", status: "TODO_STATUS_COMPLETED" }] } } },
    ],
    ["any wrapper", { input: { merge: true, todos: [{ id: "2", content: "Write", status: "completed" }] } }],
  ])("N1 merge counts inside %s", (_, input) => {
    expect(run(cursor, { tool: "updateTodosToolCall", input }, plan).plan.todos).toHaveLength(4)
  })
})

describe("acp", () => {
  test.each([
    ["_blocked", "blocked"],
    ["_cancelled", "cancelled"],
    ["in_progress", "in_progress"],
  ])("N1 the status %s is %s", (word, status) => {
    const input = {
      sessionUpdate: "plan_update",
      plan: { type: "items", id: "p", entries: [{ content: "a", status: word }] },
    }
    expect(run(findDialect("acp"), { tool: "session/update", input }, emptyPlan).plan.todos[0]?.status).toBe(status)
  })
})

describe("kimi", () => {
  test.each([{}, { todos: null }, null, undefined, "null"])("N1 %j reads", (input) => {
    const { events, text } = run(findDialect("kimi"), { tool: "SetTodoList", input }, plan)
    expect(events).toEqual([])
    expect(text).toContain("Write")
  })
})

describe("gemini", () => {
  test("N5 blocked and cancelled are its own words", () => {
    const todos = ["blocked", "cancelled"].map((status) => ({ description: status, status }))
    const { plan: after } = run(findDialect("gemini"), { tool: "write_todos", input: { todos } }, emptyPlan)
    expect(after.todos.map(({ status }) => status)).toEqual(["blocked", "cancelled"])
  })

  test("N1 the reply is the numbered list", () => {
    const { text } = run(findDialect("gemini"), { tool: "write_todos", input: { todos: ["a"] } }, emptyPlan)
    expect(text).toContain("#1 [pending] a")
  })
})

describe("markdown", () => {
  const markdown = findDialect("markdown")
  const read = (input: unknown, before: Plan = emptyPlan) => run(markdown, { tool: "markdown", input }, before)

  test("O10 printing and reading again gives the same plan", () => {
    const text =
      "# One\n- [ ] a\n  > first note\n\n  > second\n- [/] b\n\n# Empty\n\n# Two\n- [x] c\n- [-] d\n- [!] e <!-- blocker: why -->\n"
    const { plan: first } = read(text)
    expect(markdown.encode(first)).toEqual([{ tool: "markdown", input: text }])
    expect(first.phases).toEqual(["One", "Empty", "Two"])
    expect(first.todos.map(({ status }) => status)).toEqual([
      "pending",
      "in_progress",
      "completed",
      "cancelled",
      "blocked",
    ])
  })

  test.each([
    ["/", "in_progress"],
    [">", "in_progress"],
    ["x", "completed"],
    ["X", "completed"],
    ["-", "cancelled"],
    ["~", "cancelled"],
    ["!", "blocked"],
  ])("O10 [%s] is %s", (mark, status) => {
    expect(read(`- [${mark}] a`).plan.todos[0]?.status).toBe(status)
  })

  test("O10 todos before any heading have no phase here, and nothing starts by itself", () => {
    expect(read("- [ ] a").plan.todos[0]).toEqual({ id: "1", content: "a", status: "pending" })
  })

  test("O10 headings alone are a plan without todos", () => {
    expect(read("# A\n# B", plan).plan).toMatchObject({ todos: [], phases: ["A", "B"] })
  })

  test("G8 control characters in a heading do not reach the plan", () => {
    expect(read("# A\u0007\u001b[31mB\n- [ ] x").plan.phases).toEqual(["AB"])
  })

  test("N3 a person's file keeps the ids of the todos it reorders", async () => {
    const tracker = await trackerWith([{ content: "Read" }, { content: "Write" }])
    const { plan: after } = await tracker.write({ tool: "markdown", input: "- [ ] Write\n- [x] Read" }, markdown)
    expect(after.todos.map(({ id }) => id)).toEqual(["2", "1"])
  })
})

describe("statuses", () => {
  const words: Record<Todo["status"], string[]> = {
    pending: [
      "pending",
      "todo",
      "TODO",
      "not-started",
      "not started",
      "open",
      "incomplete",
      "TODO_STATUS_PENDING",
      "to-do",
    ],
    in_progress: ["in_progress", "inProgress", "IN_PROGRESS", "in progress", "doing", "active", "Working", "started"],
    blocked: ["blocked", "_blocked", "failed", "on hold", "stuck"],
    completed: ["completed", "complete", "done", "Done!", "finished", "closed", " COMPLETED ", "TODO_STATUS_COMPLETED"],
    cancelled: ["cancelled", "canceled", "skipped", "abandoned", "won't do", "dropped", "deleted"],
  }
  test.each(Object.entries(words).flatMap(([status, list]) => list.map((word) => [word, status])))(
    "N2 %j is %s",
    (word, status) => {
      expect(readStatus(word)).toBe(status)
    },
  )

  test.each([
    "",
    "halfway",
    "undone",
    "completedish",
    "xcompleted",
    "constructor",
    "__proto__",
    1,
    null,
    undefined,
    {},
  ])("N2 %j is not a status", (word) => {
    expect(readStatus(word)).toBeUndefined()
  })

  test("N2 true is completed and false is pending", () => {
    expect([readStatus(true), readStatus(false)]).toEqual(["completed", "pending"])
  })
})

test("the table of offered tools has every dialect's tools, and the first dialect for a name that several have", () => {
  const offered: Record<string, string> = {}
  for (const { id, tools } of Object.values(dialects)) for (const { name } of tools) offered[name] ??= id
  expect(offeredTools).toEqual(offered)
})
