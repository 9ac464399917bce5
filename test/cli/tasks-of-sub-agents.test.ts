/** Claude Code's sub-agents change the list of their parent, and only their own files have these calls. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { atHome } from "./run-cli.ts"

const session = "0b7c9d1e-5a4f-4c3b-9e2d-1f6a8b7c5d3e"
const subAgent = "a0123456789abcdef"

const claudeCode = () => {
  const { home, run } = atHome()
  const folder = join(home, ".claude", "projects", home.replace(/[^A-Za-z0-9]/g, "-"))
  const own = join(folder, `${session}.jsonl`)
  const parts = join(folder, session, "subagents", `agent-${subAgent}.jsonl`)
  mkdirSync(dirname(parts), { recursive: true })
  let seconds = 0
  const now = (): string => new Date(Date.UTC(2030, 0, 1, 0, 0, ++seconds)).toISOString()

  /** Who calls: the session's own agent, or its sub-agent. */
  const agentIn = (file: string, { isSidechain }: { isSidechain: boolean }) => {
    const about = { sessionId: session, version: "2.1.197", isSidechain, ...(isSidechain ? { agentId: subAgent } : {}) }
    const line = (fields: object): void =>
      appendFileSync(file, `${JSON.stringify({ timestamp: now(), ...about, ...fields })}\n`)
    const call = (tool: string, input: object, result: object, text = "ok") => {
      const id = `call-${++seconds}`
      line({
        type: "assistant",
        message: { role: "assistant", content: [{ type: "tool_use", id, name: tool, input }] },
      })
      const content = [{ type: "tool_result", tool_use_id: id, content: text }]
      // The file of a sub-agent has only the text of a result.
      line({ type: "user", message: { role: "user", content }, ...(isSidechain ? {} : { toolUseResult: result }) })
      const about = { session_id: session, transcript_path: own, cwd: home, hook_event_name: "PostToolUse" }
      const whose = isSidechain ? { agent_id: subAgent, agent_type: "general-purpose" } : {}
      return { ...about, tool_name: tool, tool_input: input, tool_response: result, tool_use_id: id, ...whose }
    }
    return {
      create: (id: string, subject: string) =>
        call("TaskCreate", { subject, description: "" }, { task: { id, subject } }),
      update: (taskId: string, status: string) => {
        const updatedFields = [status === "deleted" ? "deleted" : "status"]
        const text = `Updated task #${taskId} ${updatedFields}`
        return call("TaskUpdate", { taskId, status }, { success: true, taskId, updatedFields }, text)
      },
      miss: (taskId: string, status: string) =>
        call("TaskUpdate", { taskId, status }, { success: false, taskId, updatedFields: [] }, "Task not found"),
      list: (...tasks: object[]) => call("TaskList", {}, { tasks }),
    }
  }

  return {
    main: agentIn(own, { isSidechain: false }),
    sub: agentIn(parts, { isSidechain: true }),
    /** Claude Code keeps a file per task, and removes them all once all are completed. */
    withoutTaskFiles: (): void => {
      const tasks = join(home, ".claude", "tasks", session)
      mkdirSync(tasks, { recursive: true })
      writeFileSync(join(tasks, ".highwatermark"), "3")
    },
    hook: (event: object) => run(["hook", "claude-code"], { input: JSON.stringify(event), now: now() }),
    shown: async (): Promise<string[]> => {
      const { out } = await run(["show", session, "--json"], { now: now() })
      const { todos }: { todos: Record<string, string>[] } = JSON.parse(out)
      return todos.map(({ content, status }) => `${content}: ${status}`)
    },
    events: async (): Promise<string> => (await run(["events", own], { now: now() })).out,
    listed: async (): Promise<string> => (await run(["list"], { now: now() })).out,
  }
}

test("a task that a sub-agent deleted is not shown", async () => {
  const { main, sub, shown } = claudeCode()
  main.create("1", "Read")
  main.create("2", "Fix")
  sub.update("2", "deleted")
  expect(await shown()).toEqual(["Read: pending"])
  sub.update("1", "deleted")
  expect(await shown()).toEqual([])
})

test("a task that a sub-agent finished is finished, also when the files of the tasks are gone", async () => {
  const { main, sub, withoutTaskFiles, shown, listed } = claudeCode()
  for (const [id, subject] of Object.entries({ 1: "Read", 2: "Fix" })) main.create(id, subject)
  sub.update("2", "completed")
  main.update("1", "completed")
  withoutTaskFiles()
  expect(await shown()).toEqual(["Read: completed", "Fix: completed"])
  expect(await listed()).toContain("2/2")
})

test("a task that a sub-agent finished and its parent began again later is in progress", async () => {
  const { main, sub, shown } = claudeCode()
  main.create("1", "Read")
  sub.update("1", "completed")
  main.update("1", "in_progress")
  expect(await shown()).toEqual(["Read: in_progress"])
})

test("a task that a sub-agent deleted stays away when its parent lists the tasks", async () => {
  const { main, sub, hook, shown } = claudeCode()
  for (const [id, subject] of Object.entries({ 1: "Read", 2: "Fix" })) await hook(main.create(id, subject))
  await hook(sub.update("2", "deleted"))
  expect(await shown()).toEqual(["Read: pending"])
  await hook(main.list({ id: "1", subject: "Read", status: "pending", blockedBy: [] }))
  expect(await shown()).toEqual(["Read: pending"])
})

test("a task is shown if a sub-agent wanted to delete its number before it was there", async () => {
  const { main, sub, shown } = claudeCode()
  sub.miss("1", "deleted")
  main.create("1", "Read")
  expect(await shown()).toEqual(["Read: pending"])
})

test("a deleted task of a list that is not known makes no empty list of it", async () => {
  const { main, events } = claudeCode()
  main.update("2", "deleted")
  expect(await events()).not.toContain("todo_list")
})
