/** What a call says a todo waits for: todos of the plan or of the call itself, by id or by text, in any order. */
import { describe, expect, test } from "vitest"
import { dialects } from "../../src/dialects/index.ts"
import type { Tracker } from "../../src/tracker/tracker.ts"
import { open, patch } from "./open.ts"

const waits = ({ plan }: Tracker): Record<string, readonly string[]> =>
  Object.fromEntries(plan.todos.flatMap(({ id, blockedBy }) => (blockedBy ? [[id, blockedBy]] : [])))

describe("a blocker named in the same call", () => {
  test.each<[how: string, first: string, build?: object]>([
    ["an id the call gives it", "7", { id: "7" }],
    ["a word the call gives it as an id", "build", { id: "build" }],
    ["a number sign and an id", "#7", { id: "7" }],
    ["the id it gets", "2"],
    ["its text", "Build it, all of it"],
    ["its text in another spelling", "build it,  ALL of it."],
  ])("is found by %s, before or after the todo that waits for it", async (_how, name, given = {}) => {
    const deploy = { content: "Deploy", blockedBy: [name] }
    const build = { content: "Build it, all of it", ...given }
    for (const todos of [[deploy, build], ...(name === "2" ? [] : [[build, deploy]])]) {
      const tracker = await open()
      const written = await patch(tracker, todos)
      const [waiting, blocker] = ["Deploy", build.content].map(
        (text) => tracker.plan.todos.find(({ content }) => content === text)?.id ?? "",
      )
      expect(written.problems).toEqual([])
      expect(waits(tracker)).toEqual({ [waiting ?? ""]: [blocker] })
      expect(written.text).toContain(`+ ${waiting} Deploy (waits for ${blocker})`)
    }
  })

  test("can be one of several in one text", async () => {
    const tracker = await open()
    await patch(tracker, [{ content: "A" }])
    const { problems } = await patch(tracker, [{ content: "C", blockedBy: "1, B, nowhere" }, { content: "B" }])
    expect(waits(tracker)).toEqual({ "2": ["1", "3"] })
    expect(problems.map(({ message }) => message)).toEqual(['Todo 2 cannot wait for "nowhere": there is no such todo.'])
  })

  test("that does not exist is named as it was written", async () => {
    const tracker = await open()
    const { problems } = await patch(tracker, [{ content: "A", blockedBy: ["Ask Ada, then Bob"] }])
    expect(problems.map(({ message }) => message)).toEqual([
      'Todo 1 cannot wait for "Ask Ada, then Bob": there is no such todo.',
    ])
  })

  test("with the text of the todo that waits is another todo of that text", async () => {
    const tracker = await open()
    await patch(tracker, [
      { id: "1", content: "Test" },
      { id: "2", content: "Test", blockedBy: ["Test"] },
    ])
    expect(waits(tracker)).toEqual({ "2": ["1"] })
  })

  test("is found among tasks created together, and by text in a task's update", async () => {
    const tracker = await open()
    const call = (tool: string, input: unknown) => tracker.write({ tool, input }, dialects["claude-tasks"])
    await call("TaskCreate", { tasks: [{ subject: "Deploy", blockedBy: ["Build"] }, { subject: "Build" }] })
    expect(waits(tracker)).toEqual({ "1": ["2"] })
    await call("TaskCreate", { subject: "Announce", description: "x", blockedBy: ["deploy"] })
    await call("TaskUpdate", { taskId: "2", addBlockedBy: ["Nothing like it"], addBlocks: ["announce"] })
    expect(waits(tracker)).toEqual({ "1": ["2"], "3": ["1", "2"] })
  })
})
