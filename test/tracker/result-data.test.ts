/** What a host gets besides the text: the structured result of a call, typed by the dialect it was made in. */
import { describe, expect, expectTypeOf, test } from "vitest"
import type { ClaudeTasksData } from "../../src/dialects/claude-tasks.ts"
import type { TodoWriteData } from "../../src/dialects/claude-todos.ts"
import type { GencodeData } from "../../src/dialects/gencode.ts"
import type { HeadwayData } from "../../src/dialects/headway.ts"
import { type Dialect, type DialectId, dialects, findDialect } from "../../src/dialects/index.ts"
import type { OhMyPiData } from "../../src/dialects/oh-my-pi.ts"
import type { Written } from "../../src/tracker/written.ts"
import { open } from "./open.ts"

const todo = (content: string, status: string) => ({ content, status, activeForm: content })

describe("result data", () => {
  test("C2 of claude-todos is both lists", async () => {
    const tracker = await open()
    const written = await tracker.write(
      { tool: "TodoWrite", input: { todos: [todo("Read", "pending")] } },
      dialects["claude-todos"],
    )
    expectTypeOf(written).toEqualTypeOf<Written<TodoWriteData>>()
    expectTypeOf(written.data.newTodos[0]?.activeForm).toEqualTypeOf<string | undefined>()
    expect(written.data).toEqual({ oldTodos: [], newTodos: [todo("Read", "pending")] })
  })

  test("O8 of oh-my-pi is its details", async () => {
    const tracker = await open()
    const list = [{ phase: "Build", items: ["Read", "Write"] }]
    await tracker.write({ tool: "todo_write", input: { ops: [{ op: "init", list }] } }, findDialect("oh-my-pi"))
    const { data } = await tracker.write(
      { tool: "todo_write", input: { ops: [{ op: "done", task: "Read" }] } },
      findDialect("oh-my-pi"),
    )
    expectTypeOf(data).toEqualTypeOf<OhMyPiData>()
    expect(data).toEqual({
      phases: [
        {
          name: "Build",
          tasks: [
            { content: "Read", status: "completed" },
            { content: "Write", status: "in_progress" },
          ],
        },
      ],
      storage: "memory",
      completedTasks: [{ phase: "Build", content: "Read" }],
    })
  })

  test("G2 G3 of gencode is success and output, or the error", async () => {
    const tracker = await open()
    const send = (...todos: object[]) => tracker.write({ tool: "TodoWrite", input: { todos } }, dialects.gencode)
    const good = await send(todo("Read", "in_progress"))
    expectTypeOf(good.data).toEqualTypeOf<GencodeData>()
    expect(good.data).toEqual({ success: true, output: good.text })
    const bad = await send(todo("Read", "in_progress"), todo("Write", "in_progress"))
    expect(bad.data).toEqual({ success: false, output: "", error: bad.text })
    expect(tracker.plan.todos).toHaveLength(1)
  })

  test("of our own tool is what changed, of the Task tools what the tool returns, of others nothing", async () => {
    const tracker = await open()
    const own = await tracker.write({ tool: "todo", input: { todos: [{ content: "Read" }] } }, dialects.headway)
    expectTypeOf(own.data).toEqualTypeOf<HeadwayData>()
    expect(own.data.todos).toEqual([{ id: "1", content: "Read", status: "pending" }])
    const made = await tracker.write(
      { tool: "TaskCreate", input: { subject: "Write", description: "" } },
      dialects["claude-tasks"],
    )
    expectTypeOf(made.data).toEqualTypeOf<ClaudeTasksData>()
    expect(made.data).toEqual({ task: { id: "2", subject: "Write" } })
    const none = await tracker.write({ tool: "update_plan", input: { plan: [] } }, dialects.codex)
    expectTypeOf(none.data).toEqualTypeOf<undefined>()
    expect(none.data).toBeUndefined()
  })

  test("of a dialect that is chosen at run time is any of theirs, or unknown", () => {
    const anyOfOurs = (id: DialectId) => open().then(({ write }) => write({ tool: "", input: {} }, dialects[id]))
    expectTypeOf(anyOfOurs).returns.resolves.toHaveProperty("data")
    expectTypeOf<GencodeData>().toExtend<Awaited<ReturnType<typeof anyOfOurs>>["data"]>()
    expectTypeOf(findDialect("gencode" as string)).toEqualTypeOf<Dialect>()
    expect(() => findDialect("acme")).toThrow("There is no dialect")
  })
})
