/** Claude Code's Task tools as its hooks tell of them: calls made at the same time come in any order. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { atHome } from "../cli/run-cli.ts"
import { rounds } from "../rounds.ts"

const session = "s-1"

const claudeCode = () => {
  const { home, run } = atHome()
  let calls = 0
  const fire = (tool_name: string, tool_input: object, tool_response: object) => {
    calls += 1
    const call = { tool_name, tool_input, tool_response, tool_use_id: `call-${calls}` }
    const event = { session_id: session, cwd: home, hook_event_name: "PostToolUse", ...call }
    return run(["hook", "claude-code"], { input: JSON.stringify(event) })
  }
  const create = (id: number, more: object = {}) =>
    fire("TaskCreate", { subject: `Task ${id}`, ...more }, { task: { id: String(id), subject: `Task ${id}` } })
  const update = (id: number, fields: object) => {
    const taskId = String(id)
    return fire("TaskUpdate", { taskId, ...fields }, { success: true, taskId, updatedFields: Object.keys(fields) })
  }
  const todos = async (): Promise<Record<string, string>[]> => {
    const { out } = await run(["show", "--json", "--session", session])
    return JSON.parse(out).todos
  }
  const shown = async () => (await todos()).map(({ content, status }) => `${status} ${content}`)
  const texts = async () => (await todos()).map(({ content }) => content)
  const person = (...words: string[]) => run(["todo", ...words, "--session", session])
  return { create, update, todos, shown, texts, person }
}

describe("a task whose update arrives before its creation", () => {
  test("gets its name, and is one todo", async () => {
    const { create, update, todos } = claudeCode()
    await create(1)
    await update(2, { status: "in_progress" })
    await create(2, { description: "All of it", activeForm: "Doing 2" })
    const own = { content: "Task 2", status: "in_progress", description: "All of it", activeForm: "Doing 2" }
    expect(await todos()).toMatchObject([{ content: "Task 1", status: "pending" }, own])
  })

  test("keeps what the update said", async () => {
    const { create, update, todos } = claudeCode()
    await update(1, { status: "completed", activeForm: "Doing it again" })
    await create(1, { activeForm: "Doing it" })
    const own = { content: "Task 1", status: "completed", activeForm: "Doing it again" }
    expect(await todos()).toMatchObject([own])
  })

  test("keeps the wording of a person", async () => {
    const { create, update, shown, person } = claudeCode()
    await update(1, { status: "in_progress" })
    await person("edit", "1", "Ask Ada first")
    await create(1)
    expect(await shown()).toEqual(["in_progress Ask Ada first"])
  })
})

describe("tasks that are created at the same time", () => {
  test("are in the order of their numbers, whatever the order of their hooks", async () => {
    const orders = fc.shuffledSubarray([1, 2, 3, 4, 9, 10, 11], { minLength: 7 })
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const { create, texts } = claudeCode()
        for (const id of order) await create(id)
        expect(await texts()).toEqual([1, 2, 3, 4, 9, 10, 11].map((id) => `Task ${id}`))
      }),
      { numRuns: rounds(5) },
    )
  })

  test("do not change the order of what a person placed", async () => {
    const { create, texts, person } = claudeCode()
    for (const id of [1, 3, 5]) await create(id)
    await person("add", "Ask Ada", "--after", "3")
    await create(4)
    await create(2)
    expect(await texts()).toEqual(["Task 1", "Task 3", "Ask Ada", "Task 2", "Task 4", "Task 5"])
    await person("add", "Tell Ada")
    await create(7)
    await create(6)
    expect((await texts()).slice(6)).toEqual(["Tell Ada", "Task 6", "Task 7"])
  })

  test("come after the finished tasks of an earlier list", async () => {
    const { create, update, texts } = claudeCode()
    await create(7)
    await update(7, { status: "completed" })
    await create(2)
    await create(1)
    expect(await texts()).toEqual(["Task 7", "Task 1", "Task 2"])
  })
})
