/** Claude Code runs the calls of one message at the same time: a list that one of them shows may be older than what the others change. */
import { appendFileSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { atHome } from "./run-cli.ts"

const session = "0b7c9d1e-5a4f-4c3b-9e2d-1f6a8b7c5d3e"

type Call = { id: string; tool: string; input: object; data: object; text: string }

const claudeCode = () => {
  const { home, run } = atHome()
  const folder = join(home, ".claude", "projects", home.replace(/[^A-Za-z0-9]/g, "-"))
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${session}.jsonl`)
  let [seconds, calls] = [0, 0]
  const now = (): string => new Date(Date.UTC(2030, 0, 1, 0, 0, ++seconds)).toISOString()
  const line = (type: string, content: object, more: object = {}): void => {
    const about = { sessionId: session, cwd: home, version: "2.1.197", isSidechain: false, timestamp: now() }
    appendFileSync(
      file,
      `${JSON.stringify({ type, ...about, message: { role: type, content: [content] }, ...more })}\n`,
    )
  }
  const begin = (tool: string, input: object, data: object, text: string): Call => {
    calls += 1
    const id = `call-${calls}`
    line("assistant", { type: "tool_use", id, name: tool, input })
    return { id, tool, input, data, text }
  }
  const end = ({ id, data, text }: Call): void =>
    line("user", { type: "tool_result", tool_use_id: id, content: text }, { toolUseResult: data })
  return {
    end,
    create: (id: string, subject: string) =>
      begin("TaskCreate", { subject, description: "" }, { task: { id, subject } }, `Task #${id} created successfully`),
    update: (taskId: string, status: string) =>
      begin(
        "TaskUpdate",
        { taskId, status },
        { success: true, taskId, updatedFields: [status === "deleted" ? status : "status"] },
        `Updated task #${taskId} status`,
      ),
    reword: (taskId: string, subject: string) =>
      begin(
        "TaskUpdate",
        { taskId, subject },
        { success: true, taskId, updatedFields: ["subject"] },
        `Updated task #${taskId} subject`,
      ),
    list: (...all: [id: string, subject: string, status: string][]) => {
      const tasks = all.map(([id, subject, status]) => ({ id, subject, status, blockedBy: [] }))
      const lines = tasks.map(({ id, subject, status }) => `#${id} [${status}] ${subject}`)
      return begin("TaskList", {}, { tasks }, lines.join("\n") || "No tasks found")
    },
    hook: ({ id, tool, input, data }: Call) => {
      const call = { tool_name: tool, tool_input: input, tool_response: data, tool_use_id: id }
      const about = { session_id: session, transcript_path: file, cwd: home, hook_event_name: "PostToolUse" }
      return run(["hook", "claude-code"], { input: JSON.stringify({ ...about, ...call }), now: now() })
    },
    shown: async (): Promise<string[]> => {
      const { out } = await run(["show", session, "--json"], { now: now() })
      const { todos }: { todos: Record<string, string>[] } = JSON.parse(out)
      return todos.map(({ id, content, status }) => `${id} ${content}: ${status}`)
    },
  }
}

describe.each([
  ["that is looked at in between", true],
  ["that is read at the end", false],
])("a list in a session %s", (_, isWatched) => {
  const begun = () => {
    const agent = claudeCode()
    const look = async (): Promise<unknown> => isWatched && agent.shown()
    const [first, second] = [agent.create("1", "Read the parser"), agent.create("2", "Fix the login")]
    agent.end(first)
    agent.end(second)
    return { ...agent, look }
  }

  test("does not take back a status that was set while it was made", async () => {
    const { update, list, end, look, shown } = begun()
    const done = update("1", "completed")
    const old = list(["1", "Read the parser", "pending"], ["2", "Fix the login", "in_progress"])
    await look()
    end(done)
    await look()
    end(old)
    expect(await shown()).toEqual(["1 Read the parser: completed", "2 Fix the login: in_progress"])
  })

  test("does not bring back a task that was deleted while it was made", async () => {
    const { update, list, end, look, shown } = begun()
    const old = list(["1", "Read the parser", "pending"], ["2", "Fix the login", "pending"])
    const deleted = update("2", "deleted")
    end(deleted)
    await look()
    end(old)
    expect(await shown()).toEqual(["1 Read the parser: pending"])
  })

  test("that already has a task which is only created later does not begin another list", async () => {
    const { create, list, end, look, shown } = begun()
    const current = list(
      ["1", "Read the parser", "pending"],
      ["2", "Fix the login", "pending"],
      ["3", "Deploy it", "pending"],
    )
    const created = create("3", "Deploy it")
    end(current)
    await look()
    end(created)
    expect(await shown()).toEqual(["1 Read the parser: pending", "2 Fix the login: pending", "3 Deploy it: pending"])
  })

  test("that is still empty does not remove a task that is created while it is made", async () => {
    const { update, create, list, end, look, shown } = begun()
    for (const id of ["1", "2"]) end(update(id, "deleted"))
    const created = create("3", "Deploy it")
    const empty = list()
    await look()
    end(empty)
    await look()
    end(created)
    expect(await shown()).toEqual(["3 Deploy it: pending"])
  })

  test("counts again once the calls beside it are over", async () => {
    const { update, list, end, look, shown } = begun()
    end(update("1", "completed"))
    await look()
    end(list(["1", "Read the parser", "in_progress"], ["2", "Fix the login", "pending"]))
    expect(await shown()).toEqual(["1 Read the parser: in_progress", "2 Fix the login: pending"])
  })
})

test("a list whose hook runs last takes back nothing that the hooks of the calls beside it recorded", async () => {
  const { create, update, list, hook, end, shown } = claudeCode()
  const all = [create("1", "Read the parser"), create("2", "Fix the login"), create("3", "Deploy it")]
  for (const call of all) {
    end(call)
    await hook(call)
  }
  const old = list(
    ["1", "Read the parser", "pending"],
    ["2", "Fix the login", "pending"],
    ["3", "Deploy it", "pending"],
  )
  const beside = [update("1", "completed"), update("2", "deleted")]
  for (const call of [...beside, old]) await hook(call)
  for (const call of [old, ...beside]) end(call)
  expect(await shown()).toEqual(["1 Read the parser: completed", "3 Deploy it: pending"])
  const later = list(["1", "Read the parser", "in_progress"], ["3", "Deploy it", "pending"])
  await hook(later)
  end(later)
  expect(await shown()).toEqual(["1 Read the parser: in_progress", "3 Deploy it: pending"])
})

test("a list that has a task's new wording before the hook of the call that gave it one does not add it again", async () => {
  const { create, reword, list, hook, end, shown } = claudeCode()
  for (const call of [create("1", "Read the parser"), create("2", "Fix the login")]) {
    end(call)
    await hook(call)
  }
  const reworded = reword("2", "Renew tokens")
  const current = list(["1", "Read the parser", "pending"], ["2", "Renew tokens", "pending"])
  for (const call of [current, reworded]) await hook(call)
  for (const call of [current, reworded]) end(call)
  expect(await shown()).toEqual(["1 Read the parser: pending", "2 Renew tokens: pending"])
})
