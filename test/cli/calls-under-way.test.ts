/** Calls that an agent had already made when the hook of another call told it about a person's change. */
import { appendFileSync, mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { atHome } from "./run-cli.ts"

const session = "0b7c9d1e-5a4f-4c3b-9e2d-1f6a8b7c5d3e"

/** An agent's session. `callLine` is how its file records a call. */
const sessionOf = (
  agent: string,
  path: string,
  callLine: (call: { id: string; tool: string; input: object }) => object,
) => {
  const { home, run } = atHome()
  const file = join(home, path.replace("PROJECT", home.replace(/[^A-Za-z0-9]/g, "-")))
  mkdirSync(dirname(file), { recursive: true })
  // Events name the file of the session, also for its sub-agents.
  const transcript_path = file.replace(/\/subagents\/.*/, ".jsonl")
  let seconds = 0
  const now = (): string => new Date(Date.UTC(2030, 0, 1, 0, 0, ++seconds)).toISOString()
  const line = (fields: object): void => appendFileSync(file, `${JSON.stringify({ timestamp: now(), ...fields })}\n`)
  return {
    line,
    person: (...argv: string[]) => run(["todo", ...argv, "--session", session], { now: now() }),
    /** Records a call, and returns what its hook receives. */
    call: (tool: string, input: object, result: unknown = {}): object => {
      const id = `call-${++seconds}`
      line(callLine({ id, tool, input }))
      return {
        hook_event_name: "PostToolUse",
        tool_name: tool,
        tool_input: input,
        tool_response: result,
        tool_use_id: id,
      }
    },
    hook: async (event: object): Promise<string> => {
      const input = JSON.stringify({ session_id: session, transcript_path, cwd: home, ...event })
      return (await run(["hook", agent], { input, now: now() })).out
    },
    shown: async (...argv: string[]): Promise<string[]> => {
      const { out } = await run(["show", session, "--json", ...argv], { now: now() })
      const { todos }: { todos: Record<string, string>[] } = JSON.parse(out)
      return todos.map(({ content, status }) => `${content}: ${status}`)
    },
    history: async (): Promise<string> => (await run(["history", "--session", session], { now: now() })).out,
  }
}

const claudeCode = () => {
  const agent = sessionOf("claude-code", `.claude/projects/PROJECT/${session}.jsonl`, ({ id, tool, input }) => ({
    ...about,
    type: "assistant",
    message: { role: "assistant", content: [{ type: "tool_use", id, name: tool, input }] },
  }))
  const answer = (event: object, toolUseResult: object): void => {
    const { tool_use_id } = event as Record<string, string>
    const content = [{ type: "tool_result", tool_use_id, content: "ok" }]
    agent.line({ ...about, type: "user", message: { role: "user", content }, toolUseResult })
  }
  return {
    ...agent,
    bash: () => agent.call("Bash", { command: "ls" }),
    todos: (...all: [content: string, status: string][]) =>
      agent.call("TodoWrite", { todos: all.map(([content, status]) => ({ content, status, activeForm: content })) }),
    create: (id: string, subject: string) => {
      const event = agent.call("TaskCreate", { subject }, { task: { id, subject } })
      answer(event, { task: { id, subject } })
      return event
    },
    update: (taskId: string, status: string) =>
      agent.call("TaskUpdate", { taskId, status }, { success: true, taskId, updatedFields: ["status"] }),
  }
}

const about = { sessionId: session, version: "2.1.197", isSidechain: false }

const notice = "The person changed the plan by hand"

test("a list that was sent together with another call overrules nothing that the hook of that call tells", async () => {
  const { hook, bash, todos, person, shown, history } = claudeCode()
  await hook(todos(["Read", "in_progress"], ["Fix", "pending"], ["Deploy", "pending"]))
  await person("done", "Fix")
  await person("block", "Deploy", "--reason", "no key")
  const [first, second] = [bash(), todos(["Read", "completed"], ["Fix", "in_progress"], ["Deploy", "in_progress"])]
  expect(await hook(first)).toContain(notice)
  await hook(second)
  expect(await shown()).toEqual(["Read: completed", "Fix: completed", "Deploy: blocked"])
  expect(await history()).toContain('continued "Deploy" (in_progress) against a change by hand')
  await hook(todos(["Read", "completed"], ["Fix", "completed"], ["Deploy", "in_progress"]))
  expect(await shown()).toEqual(["Read: completed", "Fix: completed", "Deploy: in_progress"])
})

test("neither does a task that was updated together with another one", async () => {
  const { hook, create, update, person, shown } = claudeCode()
  await hook(create("1", "Read"))
  await hook(create("2", "Deploy"))
  await person("block", "Deploy", "--reason", "no key")
  const [first, second] = [update("1", "completed"), update("2", "in_progress")]
  expect(await hook(first)).toContain(notice)
  await hook(second)
  expect(await shown()).toEqual(["Read: completed", "Deploy: blocked"])
  await hook(update("2", "in_progress"))
  expect(await shown()).toEqual(["Read: completed", "Deploy: in_progress"])
})

test("a task that a person removed before its hook ran stays removed, though another hook told the agent", async () => {
  const { hook, bash, create, person, shown } = claudeCode()
  await hook(create("1", "Read"))
  const [first, second] = [bash(), create("2", "Deploy")]
  expect((await person("rm", "Deploy")).code).toBe(0)
  expect(await hook(first)).toContain(notice)
  await hook(second)
  expect(await shown()).toEqual(["Read: pending"])
})

test("a sub-agent of Claude Code holds to that too", async () => {
  const sub = { agentId: "a5dca4644d25367e1", isSidechain: true }
  const path = `.claude/projects/PROJECT/${session}/subagents/agent-${sub.agentId}.jsonl`
  const { hook, call, person, shown } = sessionOf("claude-code", path, ({ id, tool, input }) => ({
    ...about,
    ...sub,
    type: "assistant",
    message: { role: "assistant", content: [{ type: "tool_use", id, name: tool, input }] },
  }))
  const run = (event: object) => hook({ ...event, agent_id: sub.agentId })
  const todos = (status: string) =>
    call("TodoWrite", { todos: [{ content: "Deploy", status, activeForm: "Deploying" }] })
  const own = ["--agent", sub.agentId]
  await run(todos("pending"))
  await person("block", "Deploy", "--reason", "no key", ...own)
  const [first, second] = [call("Bash", { command: "ls" }), todos("in_progress")]
  expect(await run(first)).toContain(notice)
  await run(second)
  expect(await shown(...own)).toEqual(["Deploy: blocked"])
  await run(todos("in_progress"))
  expect(await shown(...own)).toEqual(["Deploy: in_progress"])
})

test("Codex's list does too", async () => {
  const rollout = `.codex/sessions/2030/01/01/rollout-2030-01-01T00-00-00-${session}.jsonl`
  const { hook, call, line, person, shown } = sessionOf("openai-codex", rollout, ({ id, tool, input }) => ({
    type: "response_item",
    payload: { type: "function_call", name: tool, arguments: JSON.stringify(input), call_id: id },
  }))
  line({ type: "session_meta", payload: { id: session, cwd: "/p", cli_version: "0.166.0" } })
  const plan = (...statuses: string[]) =>
    call(
      "update_plan",
      { plan: statuses.map((status, index) => ({ step: ["Read", "Deploy"][index], status })) },
      "Plan updated",
    )
  await hook(plan("in_progress", "pending"))
  await person("done", "Deploy")
  const [first, second] = [call("shell", { command: ["ls"] }), plan("completed", "in_progress")]
  expect(await hook(first)).toContain(notice)
  await hook(second)
  expect(await shown()).toEqual(["Read: completed", "Deploy: completed"])
  await hook(plan("completed", "in_progress"))
  expect(await shown()).toEqual(["Read: completed", "Deploy: in_progress"])
})

test("so does Qwen Code's, whose hooks have another id than its session", async () => {
  const chat = `.qwen/projects/PROJECT/chats/${session}.jsonl`
  const { hook, call, person, shown } = sessionOf("qwen-code", chat, ({ id, tool, input }) => ({
    ...{ uuid: id, sessionId: session, type: "assistant", cwd: "/p", version: "0.24.4" },
    message: { role: "model", parts: [{ functionCall: { id, name: tool, args: input } }] },
  }))
  const run = (event: object): Promise<string> => {
    const { tool_use_id: tool_call_id } = event as Record<string, string>
    return hook({ ...event, tool_call_id, tool_use_id: `toolu-${tool_call_id}` })
  }
  const todos = (...statuses: string[]) =>
    call("todo_write", {
      todos: statuses.map((status, index) => ({ id: `${index + 1}`, content: ["Read", "Deploy"][index], status })),
    })
  await run(todos("in_progress", "pending"))
  await person("done", "Deploy")
  const [first, second] = [call("run_shell_command", { command: "ls" }), todos("completed", "in_progress")]
  expect(await run(first)).toContain(notice)
  await run(second)
  expect(await shown()).toEqual(["Read: completed", "Deploy: completed"])
  await run(todos("completed", "in_progress"))
  expect(await shown()).toEqual(["Read: completed", "Deploy: in_progress"])
})
