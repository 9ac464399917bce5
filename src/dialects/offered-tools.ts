/**
 * The tools that Headway's server can offer, by name, and the dialect of each: a name that two dialects have means the first.
 * Written down, so that what only looks for calls of ours need not load every dialect.
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
