/** The list with hard limits: what is refused, and the list itself as the answer. */
import { expect, test } from "vitest"
import { gencode } from "../../src/dialects/gencode.ts"
import { checkStrictly } from "../../src/dialects/strict.ts"
import { emptyPlan } from "../../src/plan/index.ts"
import { run } from "../contracts/dialect.ts"

const item = (content: string, status = "pending") => ({ content, status, activeForm: `Doing ${content}` })
const items = (count: number) => Array.from({ length: count }, (_, index) => item(`t${index}`))
const write = (todos: unknown) => ({ tool: "TodoWrite", input: { todos } })

test("G1 twenty todos are stored and twenty-one are not", () => {
  expect(run(gencode, write(items(20)), emptyPlan).plan.todos).toHaveLength(20)
  const { ok, plan, text } = run(gencode, write(items(21)), emptyPlan)
  expect([ok, plan.todos.length]).toEqual([false, 0])
  expect(text).toMatch(/at most 20.*21/)
})

test("G1 texts of 500 characters are stored and longer ones are not", () => {
  expect(run(gencode, write([item("x".repeat(490))]), emptyPlan).ok).toBe(true)
  expect(run(gencode, write([{ ...item("x"), content: "x".repeat(501) }]), emptyPlan).ok).toBe(false)
  expect(run(gencode, write([{ ...item("x"), activeForm: "x".repeat(501) }]), emptyPlan).ok).toBe(false)
})

test("G1 the schema states the same limits", () => {
  const strictly = (todos: unknown) => checkStrictly(gencode, write(todos))
  expect(strictly(items(20))).toEqual([])
  expect(strictly(items(21))).toHaveLength(1)
  expect(strictly([item("x".repeat(501))])).toHaveLength(1)
})

test("G2 two in progress are refused and nothing is stored", () => {
  const { ok, plan, text } = run(gencode, write([item("a", "in_progress"), item("b", "in_progress")]), emptyPlan)
  expect([ok, plan]).toEqual([false, emptyPlan])
  expect(text).toMatch(/"a", "b"/)
})

test("G3 the result shows the list and how much is completed", () => {
  const { text } = run(gencode, write([item("a", "completed"), item("b", "in_progress"), item("c")]), emptyPlan)
  expect(text).toBe("[x] a\n[>] b <- Doing b\n[ ] c\n\n(1/3 completed)")
})

test("G3 an empty list is reported as empty", () => {
  const { plan } = run(gencode, write([item("a")]), emptyPlan)
  expect(run(gencode, write([]), plan).text).toBe("No todos.")
})

test("G3 a call that changes nothing, or only reads, shows the plan too", () => {
  const list = write([item("a", "completed"), item("b")])
  const { plan, text } = run(gencode, list, emptyPlan)
  const again = run(gencode, list, plan)
  expect([again.events, again.text]).toEqual([[], text])
  expect(run(gencode, { tool: "TodoWrite", input: {} }, plan).text).toBe(text)
  expect(run(gencode, { tool: "TodoWrite", input: {} }, emptyPlan).text).toBe("No todos.")
  expect(run(gencode, write([]), emptyPlan).text).toBe("No todos.")
})

test("N1 a plan with two todos in progress is encoded with one", () => {
  const { plan } = run(gencode, write([item("a"), item("b")]), emptyPlan)
  const busy = { ...plan, todos: plan.todos.map((todo) => ({ ...todo, status: "in_progress" as const })) }
  expect(run(gencode, gencode.encode(busy)[0] ?? write([]), emptyPlan).ok).toBe(true)
})
