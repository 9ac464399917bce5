/** A host's own gate: what it refuses stays open, and what it cannot decide is taken. */
import { expect, test } from "vitest"
import { findDialect } from "../../src/dialects/index.ts"
import { createToolset } from "../../src/host/toolset.ts"
import type { Problem } from "../../src/plan/index.ts"
import type { Gate, GateQuestion } from "../../src/tracker/gate.ts"
import { open } from "./open.ts"

const call = (input: object) => ({ tool: "todo", input })
const own = findDialect("headway")
const begun = { todos: [{ content: "Fix" }, { content: "Test" }] }

test("a todo that the gate refuses stays open, the rest of the call is applied, and the model is told why", async () => {
  const asked: GateQuestion[] = []
  const gate: Gate = async (question) => {
    asked.push(question)
    return { refused: [{ todo: "1", why: "The build fails." }] }
  }
  const tracker = await open({ gate })
  await tracker.write(call(begun), own)
  expect(asked).toEqual([])
  const input = {
    todos: [
      { id: "1", status: "completed", notes: ["Look again"] },
      { id: "2", status: "completed" },
    ],
  }
  const { ok, text } = await tracker.write(call(input), own)
  expect([ok, text]).toEqual([false, expect.stringContaining("The build fails.")])
  expect(tracker.plan.todos).toMatchObject([{ status: "pending", notes: ["Look again"] }, { status: "completed" }])
  expect(asked).toMatchObject([{ completing: [{ id: "1" }, { id: "2" }], isLast: true }])
})

test("a list that would be put away when it is completed is not, and the model is told in any vocabulary", async () => {
  let times = 0
  const gate: Gate = async () => {
    times += 1
    return { refused: times > 1 ? [] : [{ todo: "1", why: "The build fails." }] }
  }
  const tracker = await open({ gate })
  const list = (status: string) => ({
    tool: "TodoWrite",
    input: { todos: [{ content: "Fix", status, activeForm: "Fixing" }] },
  })
  await tracker.write(list("in_progress"), findDialect("claude-todos"))
  const { ok, text } = await tracker.write(list("completed"), findDialect("claude-todos"))
  expect([ok, text]).toEqual([false, expect.stringMatching(/^The build fails\./)])
  expect(tracker.plan.todos).toMatchObject([{ content: "Fix", status: "in_progress" }])
  expect(tracker.failure).toBeUndefined()
  expect((await tracker.write(list("completed"), findDialect("claude-todos"))).ok).toBe(true)
  expect(tracker.plan.todos).toEqual([])
})

test("a gate that throws refuses nothing, and an observed list is not refused", async () => {
  const problems: Problem[] = []
  const gate: Gate = async () => {
    throw new Error("broken")
  }
  const tracker = await open({ gate, onProblem: (problem) => problems.push(problem) })
  await tracker.write(call(begun), own)
  expect((await tracker.write(call({ todos: [{ id: "1", status: "completed" }] }), own)).ok).toBe(true)
  expect(problems).toMatchObject([{ code: "gate-failed" }])
  const observed = { ...call({ todos: [{ id: "2", status: "completed" }] }), observed: true }
  await tracker.write(observed, own)
  expect(problems).toHaveLength(1)
})

test("the gate is one of the options of a host", async () => {
  const tracker = await open()
  const gate: Gate = async ({ completing }) => ({
    refused: completing.map(({ id }) => ({ todo: id, why: "Not yet." })),
  })
  const toolset = createToolset({ gate })
  await toolset.call(tracker, { name: "todo", input: begun })
  const answer = await toolset.call(tracker, { name: "todo", input: { todos: [{ id: "1", status: "completed" }] } })
  expect(answer).toMatchObject({ isError: true, text: expect.stringContaining("Not yet.") })
  expect(tracker.plan.todos[0]?.status).toBe("pending")
})
