/**
 * The tools that Headway's server can offer, by name, and the dialect of each. If two dialects have the same name, the
 * first one counts. Listed here so that code that only recognises our calls need not load all dialects.
 */
import type { DialectId } from "./index.ts"

export const offeredTools: Readonly<Record<string, DialectId>> = {
  todo: "headway",
  TodoWrite: "claude-todos",
  TaskCreate: "claude-tasks",
  TaskUpdate: "claude-tasks",
  TaskGet: "claude-tasks",
  TaskList: "claude-tasks",
  update_plan: "codex",
  write_todos: "gemini",
  todo_write: "oh-my-pi",
}
