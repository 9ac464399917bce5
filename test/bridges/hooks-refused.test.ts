/** Calls of a list tool that the agent's own tool refused: hooks are told of them, and the plan stays as it is. */
import { describe, expect, test } from "vitest"
import { codexRollout } from "../../src/agents/openai-codex/rollout.ts"
import { atHome } from "../cli/run-cli.ts"

const session = "s-1"

const agentAt = (agent: string, event: string) => {
  const { home, run } = atHome()
  let calls = 0
  const fire = (more: object) => {
    calls += 1
    const given = { session_id: session, cwd: home, hook_event_name: event, tool_use_id: `call-${calls}`, ...more }
    return run(["hook", agent], { input: JSON.stringify(given) })
  }
  const shown = async (): Promise<string[]> => {
    const { out, code } = await run(["show", "--json", "--session", session])
    if (code !== 0) return []
    return JSON.parse(out).todos.map(({ content, status }: Record<string, string>) => `${status} ${content}`)
  }
  return { run, fire, shown }
}

const gemini = (status: string) => ({
  tool_name: "write_todos",
  tool_input: { todos: [{ description: "Read", status }] },
})

const codex = (status: string) => ({ tool_name: "update_plan", tool_input: { plan: [{ step: "Read", status }] } })

const qwen = (status: string) => ({
  tool_name: "todo_write",
  tool_input: { todos: [{ id: "1", content: "Read", status }] },
})

const copilot = (status: string) => ({
  tool_name: "sql",
  tool_input: { query: `DELETE FROM todos; INSERT INTO todos (id, title, status) VALUES ('t1', 'Read', '${status}')` },
})

const denied = { message: "User denied execution.", type: "execution_denied" }
const planMode = "update_plan is a TODO/checklist tool and is not allowed in Plan mode"

const refused = [
  ["google-gemini", "AfterTool", gemini, { tool_response: { llmContent: "[Operation Cancelled]", error: denied } }],
  ["google-gemini", "AfterTool", gemini, { tool_response: { llmContent: "Error", error: "Only one task" } }],
  ["openai-codex", "PostToolUse", codex, { tool_response: planMode }],
  ["openai-codex", "PostToolUse", codex, { tool_response: { content: planMode, success: false } }],
  ["openai-codex", "PostToolUse", codex, { tool_response: [{ type: "text", text: "failed to parse arguments" }] }],
  ["qwen-code", "PostToolUse", qwen, { tool_response: { llmContent: "Ids must be unique", error: denied } }],
  ["github-copilot", "PostToolUse", copilot, { tool_result: { result_type: "denied", text_result_for_llm: "no" } }],
] as const

describe("a list call that the agent's own tool refused", () => {
  test.each(refused)("of %s (%s) is not recorded", async (agent, event, callWith, result) => {
    const { fire, shown } = agentAt(agent, event)
    await fire({ ...callWith("pending"), ...result })
    expect(await shown()).toEqual([])
    await fire(callWith("in_progress"))
    const before = await shown()
    expect(before).toEqual(["in_progress Read"])
    await fire({ ...callWith("completed"), ...result })
    expect(await shown()).toEqual(before)
  })

  test("still tells the agent what a person changed", async () => {
    const { run, fire } = agentAt("openai-codex", "PostToolUse")
    await fire(codex("in_progress"))
    await run(["todo", "add", "Ask Ada", "--session", session])
    expect((await fire({ ...codex("completed"), tool_response: planMode })).out).toContain("Ask Ada")
  })
})

describe("a list call with words that only look like a refusal", () => {
  test.each([
    ["openai-codex", "PostToolUse", codex, { tool_response: "Plan updated. A hook says: nothing was rejected." }],
    ["google-gemini", "AfterTool", gemini, { tool_response: { llmContent: "1. Fix the error: denied", error: null } }],
    ["github-copilot", "PostToolUse", copilot, { tool_result: { result_type: "success" } }],
  ] as const)("of %s (%s) is recorded", async (agent, event, callWith, result) => {
    const { fire, shown } = agentAt(agent, event)
    await fire({ ...callWith("in_progress"), ...result })
    expect(await shown()).toEqual(["in_progress Read"])
  })
})

test.each([
  "Plan updated",
  planMode,
  "unsupported call: update_plan",
  "Blocked by a hook",
  "Something a hook added",
  { content: "Plan updated", success: true },
  { content: "Plan updated", success: false },
  [{ type: "text", text: "missing field `step`" }],
])("hook and session file of Codex agree on %j", async (output) => {
  const { fire, shown } = agentAt("openai-codex", "PostToolUse")
  await fire({ ...codex("in_progress"), tool_response: output })
  const reader = codexRollout.open()
  const line = (payload: object): string =>
    JSON.stringify({ timestamp: "2030-01-01T00:00:00Z", type: "response_item", payload })
  const input = JSON.stringify(codex("in_progress").tool_input)
  reader.read(line({ type: "function_call", name: "update_plan", arguments: input, call_id: "c" }))
  const signals = reader.read(line({ type: "function_call_output", call_id: "c", output }))
  const result = signals.find(({ type }) => type === "result")
  expect(result).toMatchObject({ ok: (await shown()).length > 0 })
})
