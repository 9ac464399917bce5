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

/** What an agent did at a time: it sent its list, by content, or ran a command that failed. */
export type ClaudeStep = { at: string } & ({ todos: Readonly<Record<string, string>> } | { failed: string })

/** A session of Claude Code that sent several lists. Returns its file. */
export const claudeSteps = (
  home: string,
  { session, cwd, steps }: { session: string; cwd: string; steps: readonly ClaudeStep[] },
): string => {
  const file = join(home, ".claude/projects/-p", `${session}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  const line = (at: string, role: string, content: unknown): string =>
    `${JSON.stringify({
      ...{ sessionId: session, isSidechain: false, cwd, timestamp: at, version: "2.1.0", type: role },
      message: { role, content },
    })}\n`
  const lines = steps.flatMap((step, index) => {
    const id = `call-${index + 1}`
    const isList = "todos" in step
    const use = isList ? { name: "TodoWrite", input: todoWrite(step.todos) } : bash(step.failed)
    const result = isList ? { content: "ok" } : { content: "Exit code 1", is_error: true }
    return [
      line(step.at, "assistant", [{ type: "tool_use", id, ...use }]),
      line(step.at, "user", [{ type: "tool_result", tool_use_id: id, ...result }]),
    ]
  })
  writeFileSync(file, [line(steps[0]?.at ?? "", "user", "Repair the login"), ...lines].join(""))
  return file
}

/** The input of a call that sends a list. */
export const todoWrite = (todos: Readonly<Record<string, string>>) => ({
  todos: Object.entries(todos).map(([content, status]) => ({ content, status, activeForm: content })),
})

const bash = (command: string) => ({ name: "Bash", input: { command } })
