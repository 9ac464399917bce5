/** A list whose last todo was ticked is finished, not empty: for a person, while the agent begins with an empty one (C3). */
import { describe, expect, test } from "vitest"
import { boardAt } from "../board/live-board.ts"
import { atHome } from "./run-cli.ts"

const call = (...statuses: string[]): string =>
  JSON.stringify({
    todos: statuses.map((status, index) => ({
      content: `Step ${index + 1}`,
      status,
      activeForm: `Doing ${index + 1}`,
    })),
  })

const finished = async () => {
  const person = atHome()
  const write = (input: string) =>
    person.run(["write", "--new", "--dialect", "claude-todos", "--session", "s", "--json"], { input })
  await write(call("completed", "in_progress"))
  const last = await write(call("completed", "completed"))
  const show = async (...words: string[]): Promise<string> =>
    (await person.run(["show", "--session", "s", ...words])).out
  const list = async (...words: string[]): Promise<string> => (await person.run(["list", ...words])).out
  return { ...person, write, last, show, list }
}

describe("a finished list", () => {
  test("C3 is empty for the agent", async () => {
    const { last } = await finished()
    expect(JSON.parse(last.out)).toMatchObject({ plan: { todos: [] }, data: { newTodos: [{}, {}] } })
  })

  test("is shown finished in every format", async () => {
    const { show } = await finished()
    expect(await show()).toBe("2 todos:\n\n☒ 1 Step 1\n☒ 2 Step 2\n")
    expect(await show("--format", "markdown")).toBe("- [x] Step 1\n- [x] Step 2\n")
    expect(await show("--format", "panel")).toContain("Progress: 2/2 (100%)")
    expect(JSON.parse(await show("--json"))).toMatchObject({
      todos: [{}, {}],
      progress: { completed: 2, percent: 100 },
    })
  })

  test("is listed finished, with its progress", async () => {
    const { list, run } = await finished()
    expect(await list()).toMatch(/2\/2 .*finished/)
    const later = await run(["list", "--json"], { now: "2030-01-01T01:00:00Z" })
    expect(JSON.parse(later.out)).toMatchObject([{ state: "finished", todos: 2, isFinished: true }])
  })

  test("is on the board, where space reopens one of its todos", async () => {
    const { home } = await finished()
    const board = await boardAt(home)
    expect(await board.todos()).toEqual(["completed Step 1", "completed Step 2"])
    expect(board.row()).toMatchObject({ progress: { completed: 2, total: 2 }, todos: 2 })
    expect(await board.edited(board.row().key, { kind: "toggle", todo: "1" })).toContain('reopened "Step 1"')
    expect(await board.todos()).toEqual(["pending Step 1", "completed Step 2"])
  })

  test("is gone when the next one begins", async () => {
    const { show, write } = await finished()
    await write(JSON.stringify({ todos: [{ content: "Next", status: "pending", activeForm: "Next" }] }))
    expect(await show()).toBe("1 todo:\n\n☐ 3 Next\n")
  })

  test("returns to the agent with a todo that a person reopens", async () => {
    const { run, show, write } = await finished()
    const { out } = await run(["todo", "reopen", "2", "--session", "s"])
    expect(out).toContain('2 "Step 2": now pending')
    expect(await show()).toBe("2 todos:\n\n☒ 1 Step 1\n☐ 2 Step 2\n")
    expect(JSON.parse((await write("{}")).out).text).toContain("#2 [pending] Step 2")
  })

  test("that a person clears is empty", async () => {
    const { run, show, list } = await finished()
    await run(["todo", "clear", "--session", "s"])
    expect(await show()).toBe("No todos\n")
    expect(JSON.parse(await list("--json"))).toMatchObject([{ todos: 0 }])
  })

  test("comes back with a todo that a person adds to it", async () => {
    const { run, show } = await finished()
    const { out } = await run(["todo", "add", "One more", "--session", "s"])
    expect(out).toBe('brought back 2 finished todos\nadded 3 "One more"\n')
    expect(await show()).toBe("3 todos:\n\n☒ 1 Step 1\n☒ 2 Step 2\n☐ 3 One more\n")
  })
})
