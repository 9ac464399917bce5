/** The tracker of Gemini CLI: what waits for what. */
import { expect, test } from "vitest"
import { geminiTracker } from "../../src/dialects/gemini-tracker.ts"
import { emptyPlan, type Todo } from "../../src/plan/index.ts"
import { run, trackerWith } from "../contracts/dialect.ts"

const chain: readonly Partial<Todo>[] = [{}, { blockedBy: ["1"] }, { blockedBy: ["2"] }]
const plan = {
  ...emptyPlan,
  todos: chain.map((fields, index): Todo => ({ id: String(index + 1), content: "Task", status: "pending", ...fields })),
}

test.each([
  ["tracker_add_dependency", { id: "1", dependencyId: "3" }],
  ["tracker_update_task", { id: "1", dependencies: ["3"] }],
])("N5 a wait that closes a circle is refused by name: %s", (tool, input) => {
  const { plan: next, text } = run(geminiTracker, { tool, input }, plan)
  expect(next.todos.map(({ blockedBy = [] }) => blockedBy)).toEqual([[], ["1"], ["2"]])
  expect(text).toContain("Todo 1 cannot wait for 3: they would wait for each other.")
})

test("a task that a person removed stays removed, and the history shows that the agent continued it", async () => {
  const tracker = await trackerWith()
  const created = { tool: "tracker_create_task", input: { title: "Deploy", type: "task" }, result: { id: "a1b2c3" } }
  await tracker.write(created, geminiTracker)
  await tracker.edit({ kind: "person", id: "ada" }, ({ todos }) =>
    todos.map((todo) => ({ type: "todo-removed", todo })),
  )
  await tracker.tellAgent()
  const update = { tool: "tracker_update_task", input: { id: "a1b2c3", status: "closed" } }
  expect((await tracker.write(update, geminiTracker)).plan.todos).toEqual([])
  expect([...tracker.ledger.refused.values()]).toMatchObject([{ status: "completed" }])
})

test("a change of a task that the plan never had says that calls were missed", () => {
  const call = { tool: "tracker_update_task", input: { id: "a1b2c3", status: "closed" } }
  expect(geminiTracker.decode({ ...call, observed: true }, plan).missed).toBe(true)
  expect(geminiTracker.decode(call, plan).missed).toBe(false)
})
