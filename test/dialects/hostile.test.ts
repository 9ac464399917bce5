/** Texts made to hold us up, in every dialect and every place: read or refused at once, and nothing is lost. */
import { describe, expect, test } from "vitest"
import { claudeTasks } from "../../src/dialects/claude-tasks.ts"
import { claudeTodos } from "../../src/dialects/claude-todos.ts"
import { dialectIds, dialects } from "../../src/dialects/index.ts"
import { markdown } from "../../src/dialects/markdown.ts"
import { ohMyPi } from "../../src/dialects/oh-my-pi.ts"
import { emptyPlan, limits, type Plan } from "../../src/plan/index.ts"
import { fivePlan, run } from "../contracts/dialect.ts"
import { isFull } from "../rounds.ts"
import { pieces, places } from "./hostile.ts"

/** Minutes for anything that takes the square of it, a blink for the rest. */
const large = 40_000

describe.each(dialectIds)("%s", (id) => {
  const dialect = dialects[id]

  test.each([
    ["back ticks", "`".repeat(large)],
    ["back ticks on lines", "```\n".repeat(large / 4)],
    ["braces in a string", `[{'content': '${"{".repeat(large)}`],
    ["open braces", `[${"{".repeat(large)}`],
    ["quotes", `{"todos": "${'" '.repeat(large / 2)}`],
    ["blank lines", `a${"\r".repeat(large)}b`],
  ])("N2 40,000 characters of %s are refused with a sentence, or read", (_, text) => {
    for (const input of [text, { todos: text, plan: text, entries: text, ops: text, todoList: text }]) {
      const { ok, plan, text: reply } = run(dialect, { tool: dialect.toolNames[0], input }, fivePlan)
      if (!ok) {
        expect(plan).toEqual(fivePlan)
        expect(reply).toMatch(/valid input|at most|There is no|No task id|needs|Use one of/)
      }
      expect(reply).not.toBe("")
    }
  })

  test("N2 nested objects are read to a limited depth", () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(large / 10)}1${"}".repeat(large / 10)}`)
    const item = { content: "a", step: "a", subject: "a", title: "a", extra: deep, metadata: deep, status: deep }
    for (const input of [
      deep,
      { todos: deep },
      { todos: [item], plan: [item], entries: [item], ...item, taskId: "1" },
    ]) {
      for (const tool of dialect.toolNames) {
        const { text, plan } = run(dialect, { tool, input, result: deep }, fivePlan)
        expect(text).not.toBe("")
        expect(JSON.stringify(plan).length).toBeLessThan(10_000)
      }
    }
  })
})

/** One of each kind: the others are a few words in a row of a table. */
test.each(["headway", "claude-tasks", "gemini-tracker", "oh-my-pi", "markdown"] as const)(
  "N2 text of any pieces, at any place of a call, is read or refused by %s",
  (id) => {
    const dialect = dialects[id]
    for (const [at, piece] of Object.values(pieces).entries()) {
      const text = piece(60)
      // Each piece in some of the places, and each place with many pieces; all with all in the full form.
      for (const place of Object.values(places).filter((_, index) => isFull || (at + index) % 6 === 0)) {
        for (const tool of dialect.toolNames) {
          const { text: reply, plan } = run(dialect, { tool, input: place(text) }, fivePlan)
          expect(reply).not.toBe("")
          expect(dialect.encode(plan).length).toBeGreaterThanOrEqual(0)
        }
      }
    }
  },
)

describe("limits", () => {
  const errorsOf = ({ problems }: { problems: { severity: string; message: string }[] }): string[] =>
    problems.flatMap(({ severity, message }) => (severity === "error" ? [message] : []))

  test("a text that is longer than any list is refused, with a valid call", () => {
    const input = " ".repeat(limits.input + 1)
    expect(errorsOf(claudeTodos.decode({ tool: "TodoWrite", input }, fivePlan))).toEqual([
      expect.stringContaining(`at most ${limits.input} are read`),
      expect.stringContaining("A valid input is"),
    ])
    expect(errorsOf(markdown.decode({ tool: "markdown", input: `- [ ] a${input}` }, fivePlan))).toHaveLength(2)
  })

  test("ten thousand todos of five megabytes are accepted", () => {
    const todos = Array.from({ length: 10_000 }, (_, index) => ({ content: `${index} ${"x".repeat(500)}` }))
    const { plan, ok } = run(claudeTodos, { tool: "TodoWrite", input: JSON.stringify({ todos }) }, emptyPlan)
    expect(ok).toBe(true)
    expect(plan.todos).toHaveLength(10_000)
  })

  test("a plan has a limited number of todos and phases, however they come", () => {
    const many = Array.from({ length: limits.todos + 1 }, (_, index) => `t${index}`)
    const full: Plan = {
      ...emptyPlan,
      todos: many.slice(1).map((content, at) => ({ id: `${at}`, content, status: "pending" })),
    }
    expect(errorsOf(claudeTodos.decode({ tool: "TodoWrite", input: { todos: many } }, emptyPlan))).toEqual([
      expect.stringContaining(`at most ${limits.todos} todos`),
    ])
    for (const [dialect, call] of [
      [claudeTasks, { tool: "TaskCreate", input: { subject: "one more" } }],
      [dialects.headway, { tool: "todo", input: { todos: [{ content: "one more" }] } }],
      [dialects["gemini-tracker"], { tool: "tracker_create_task", input: { title: "one more" } }],
      [ohMyPi, { tool: "todo", input: { op: "append", phase: "p", items: ["one more"] } }],
    ] as const) {
      const decoded = dialect.decode(call, full)
      expect(errorsOf(decoded)).toEqual([expect.stringContaining(`at most ${limits.todos} todos`)])
      expect(decoded.events).toEqual([])
    }
    const headings = Array.from({ length: limits.phases + 1 }, (_, index) => `# p${index}\n- [ ] t${index}\n`).join("")
    expect(errorsOf(markdown.decode({ tool: "markdown", input: headings }, emptyPlan))).toEqual([
      expect.stringContaining(`at most ${limits.phases} phases`),
    ])
  })

  test("a full plan can still be changed and shortened", () => {
    const todos = Array.from({ length: limits.todos + 5 }, (_, at) => ({
      id: `${at}`,
      content: `t${at}`,
      status: "pending" as const,
    }))
    const { events, problems } = dialects.headway.decode(
      { tool: "todo", input: { todos: [{ id: "3", status: "completed" }] } },
      { ...emptyPlan, todos },
    )
    expect(events).toHaveLength(1)
    expect(errorsOf({ problems })).toEqual([])
  })

  test.each([
    ["TaskCreate", claudeTasks, { subject: "x".repeat(limits.content + 1) }],
    ["TaskUpdate", claudeTasks, { taskId: "1", description: "x".repeat(limits.details + 1) }],
    ["tracker_create_task", dialects["gemini-tracker"], { title: "x".repeat(limits.content + 1) }],
    ["tracker_update_task", dialects["gemini-tracker"], { id: "1", title: "x".repeat(limits.content + 1) }],
    ["todo", ohMyPi, { op: "append", phase: "p", items: ["x".repeat(limits.content + 1)] }],
    ["todo_write", ohMyPi, { ops: [{ op: "note", task: "Read the README", text: "x".repeat(limits.details + 1) }] }],
  ] as const)("%s refuses what is too long for a todo", (tool, dialect, input) => {
    const decoded = dialect.decode({ tool, input }, fivePlan)
    expect(errorsOf(decoded)).toEqual([expect.stringContaining("at most")])
    expect(decoded.events).toEqual([])
  })

  test("a call has a limited number of operations", () => {
    const ops = Array.from({ length: limits.operations + 1 }, () => ({ op: "done", task: "Read the README" }))
    const call = { tool: "todo_write", input: { ops } }
    expect(errorsOf(ohMyPi.decode(call, fivePlan))).toEqual([
      expect.stringContaining(`at most ${limits.operations} ops`),
    ])
    const fewer = { tool: "todo_write", input: { ops: ops.slice(1) } }
    expect(ohMyPi.decode(fewer, fivePlan).events).toHaveLength(1)
  })

  test("a thousand operations on ten thousand todos are applied one after the other", () => {
    const todos = Array.from({ length: 10_000 }, (_, at) => ({
      id: `${at + 1}`,
      content: `t${at}`,
      status: "pending" as const,
    }))
    const ops = Array.from({ length: 1_000 }, (_, at) => ({
      op: at % 2 ? "done" : "start",
      task: at % 3 ? `t${at}` : `none ${at}`,
    }))
    const { events, problems } = ohMyPi.decode({ tool: "todo_write", input: { ops } }, { ...emptyPlan, todos })
    expect(problems).toHaveLength(334)
    expect(events.length).toBeGreaterThan(600)
  })
})
