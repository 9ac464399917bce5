/** Session files of agents, as small as they can be, for tests that need to decide what sessions say. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

export type ClaudeSession = { session: string; cwd: string; at: string; todos?: readonly string[]; prompt?: string }

export const claudeSession = (
  home: string,
  { session, cwd, at, todos, prompt = "Repair the login" }: ClaudeSession,
): void => {
  const folder = join(home, ".claude/projects/-p")
  mkdirSync(folder, { recursive: true })
  const line = (message: object): string =>
    `${JSON.stringify({ sessionId: session, isSidechain: false, cwd, timestamp: at, version: "2.1.0", ...message })}\n`
  const file = join(folder, `${session}.jsonl`)
  writeFileSync(file, line({ type: "user", uuid: "a", message: { role: "user", content: prompt } }))
  if (!todos) return
  const input = { todos: todos.map((content) => ({ content, status: "pending", activeForm: content })) }
  const call = { type: "tool_use", id: "call-1", name: "TodoWrite", input }
  appendFileSync(file, line({ type: "assistant", uuid: "b", message: { role: "assistant", content: [call] } }))
  const result = { type: "tool_result", tool_use_id: "call-1", content: "ok" }
  appendFileSync(file, line({ type: "user", uuid: "c", message: { role: "user", content: [result] } }))
}

export type CodexSession = { session: string; cwd: string; at: string; steps: readonly string[] }

export const codexSession = (home: string, { session, cwd, at, steps }: CodexSession): void => {
  const line = (type: string, payload: object): string => `${JSON.stringify({ timestamp: at, type, payload })}\n`
  const plan = JSON.stringify({ plan: steps.map((step) => ({ step, status: "pending" })) })
  const file = join(home, `.codex/sessions/2030/01/01/rollout-2030-01-01T09-00-00-${session}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  const meta = { id: session, timestamp: at, cwd, originator: "codex_cli_rs", cli_version: "0.166.0" }
  const lines = [
    line("session_meta", meta),
    line("response_item", { type: "function_call", name: "update_plan", arguments: plan, call_id: "call-1" }),
    line("response_item", { type: "function_call_output", call_id: "call-1", output: "Plan updated" }),
  ]
  writeFileSync(file, lines.join(""))
}
