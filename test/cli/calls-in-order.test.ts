/** Hooks that come in another order than the calls they are about, or not at all: the session's file has the order. */
import { appendFileSync, mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { atHome } from "./run-cli.ts"

const session = "0b7c9d1e-5a4f-4c3b-9e2d-1f6a8b7c5d3e"

type Call = { id: string; tool: string; input: object }

const sessionOf = (
  agent: string,
  path: string,
  lines: { call: (call: Call) => object; result: (id: string, result: object) => object },
) => {
  const { home, run } = atHome()
  const file = join(home, path.replace("PROJECT", home.replace(/[^A-Za-z0-9]/g, "-")))
  mkdirSync(dirname(file), { recursive: true })
  let seconds = 0
  const now = (): string => new Date(Date.UTC(2030, 0, 1, 0, 0, ++seconds)).toISOString()
  const line = (fields: object): void => appendFileSync(file, `${JSON.stringify({ timestamp: now(), ...fields })}\n`)
  return {
    line,
    home,
    /** Records a call, and returns what its hook receives. */
    call: (tool: string, input: object, result: object = {}) => {
      const id = `call-${++seconds}`
      line(lines.call({ id, tool, input }))
      const about = { session_id: session, transcript_path: file, cwd: home, hook_event_name: "PostToolUse" }
      return { ...about, tool_name: tool, tool_input: input, tool_response: result, tool_use_id: id }
    },
    /** The agent has gone on with the result of a call. */
    answer: ({ tool_use_id, tool_response }: { tool_use_id: string; tool_response: object }) =>
      line(lines.result(tool_use_id, tool_response)),
    hook: async (event: object): Promise<string> =>
      (await run(["hook", agent], { input: JSON.stringify(event), now: now() })).out,
    person: (...argv: string[]) => run(["todo", ...argv, "--session", session], { now: now() }),
    shown: async (): Promise<string[]> => {
      const { out } = await run(["show", session, "--json"], { now: now() })
      const { todos }: { todos: Record<string, string>[] } = JSON.parse(out)
      return todos.map(({ content, status, owner }) => `${content}: ${status}${owner ? `, ${owner}` : ""}`)
    },
  }
}

const claudeCode = () => {
  const about = { sessionId: session, version: "2.1.197", isSidechain: false }
  const agent = sessionOf("claude-code", `.claude/projects/PROJECT/${session}.jsonl`, {
    call: ({ id, tool, input }) => ({
      ...about,
      type: "assistant",
      message: { role: "assistant", content: [{ type: "tool_use", id, name: tool, input }] },
    }),
    result: (id, toolUseResult) => ({
      ...about,
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "ok" }] },
      toolUseResult,
    }),
  })
  const happen = async <Event extends Parameters<typeof agent.answer>[0]>(event: Event): Promise<string> => {
    const said = await agent.hook(event)
    agent.answer(event)
    return said
  }
  const create = (id: string, subject: string) => agent.call("TaskCreate", { subject }, { task: { id, subject } })
  const update = (taskId: string, fields: object) =>
    agent.call("TaskUpdate", { taskId, ...fields }, { success: true, taskId, updatedFields: Object.keys(fields) })
  const list = (todos: Readonly<Record<string, string>>) =>
    agent.call("TodoWrite", {
      todos: Object.entries(todos).map(([content, status]) => ({ content, status, activeForm: content })),
    })
  return { ...agent, happen, create, update, list }
}

test("the last of two whole lists counts, whichever hook comes first", async () => {
  const { happen, hook, list, shown } = claudeCode()
  await happen(list({ Read: "in_progress", Fix: "pending" }))
  const older = list({ Read: "completed", Fix: "in_progress" })
  const newer = list({ Read: "completed", Fix: "completed", Deploy: "pending" })
  for (const event of [newer, older, older]) await hook(event)
  expect(await shown()).toEqual(["Read: completed", "Fix: completed", "Deploy: pending"])
})

test("the last of two lists of Codex counts, whichever hook comes first", async () => {
  const { line, home, call, hook, shown } = sessionOf(
    "codex",
    `.codex/sessions/2030/01/01/rollout-2030-01-01T00-00-00-${session}.jsonl`,
    {
      call: ({ id, tool, input }) => ({
        type: "response_item",
        payload: { type: "function_call", name: tool, arguments: JSON.stringify(input), call_id: id },
      }),
      result: () => ({}),
    },
  )
  line({
    type: "session_meta",
    payload: { id: session, cwd: home, originator: "codex_cli_rs", cli_version: "0.166.0" },
  })
  const plan = (status: string) => call("update_plan", { plan: [{ step: "Read", status }] })
  await hook(plan("pending"))
  const [older, newer] = [plan("in_progress"), plan("completed")]
  for (const event of [newer, older]) await hook(event)
  expect(await shown()).toEqual(["Read: completed"])
})

test("of two changes of a task the last one counts, with what only the first one says", async () => {
  const { happen, hook, create, update, shown } = claudeCode()
  await happen(create("1", "Read"))
  await happen(create("2", "Fix"))
  const older = update("1", { status: "in_progress", owner: "ada" })
  const other = update("2", { status: "in_progress" })
  const newer = update("1", { status: "completed" })
  for (const event of [newer, other, older]) await hook(event)
  expect(await shown()).toEqual(["Read: completed, ada", "Fix: in_progress"])
})

test("a task that was deleted stays away if the hook of a change before comes later", async () => {
  const { happen, hook, create, update, shown } = claudeCode()
  await happen(create("1", "Read"))
  const created = create("2", "Fix")
  const changed = update("2", { subject: "Fix it" })
  const deleted = update("2", { status: "deleted" })
  for (const event of [deleted, changed, created]) await hook(event)
  expect(await shown()).toEqual(["Read: pending"])
})

test("a change whose hook was killed is made up for by the next hook of the list", async () => {
  const { happen, hook, answer, create, update, shown } = claudeCode()
  await happen(create("1", "Read"))
  await happen(create("2", "Fix"))
  const killed = update("1", { status: "completed" })
  answer(killed)
  await happen(update("2", { status: "in_progress" }))
  expect(await shown()).toEqual(["Read: completed", "Fix: in_progress"])
  await happen(update("1", { status: "in_progress" }))
  await hook(killed)
  expect(await shown()).toEqual(["Read: in_progress", "Fix: in_progress"])
})

test("a change that the agent's own tool has refused, or that has no result yet, is not made up for", async () => {
  const { happen, hook, line, call, create, update, shown } = claudeCode()
  await happen(create("1", "Read"))
  await happen(create("2", "Fix"))
  const refused = update("1", { status: "completed" })
  const content = [{ type: "tool_result", tool_use_id: refused.tool_use_id, content: "No such task", is_error: true }]
  line({ sessionId: session, version: "2.1.197", isSidechain: false, type: "user", message: { role: "user", content } })
  call("TaskUpdate", { taskId: "1", status: "in_progress" })
  await hook(update("2", { status: "in_progress" }))
  expect(await shown()).toEqual(["Read: pending", "Fix: in_progress"])
})

test("what a person decided since a killed hook's change stays until the agent knows it, and the agent is told", async () => {
  const { happen, answer, create, update, person, shown } = claudeCode()
  await happen(create("1", "Read"))
  await happen(create("2", "Fix"))
  answer(update("1", { status: "completed" }))
  await person("block", "1", "--reason", "no key")
  expect(await happen(update("2", { status: "in_progress" }))).toContain("no key")
  expect(await shown()).toEqual(["Read: blocked", "Fix: in_progress"])
})
