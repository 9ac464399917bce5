/** The tasks of a team as a list, whether they come from a result or from the database. */
import { type Fields, snapshot, textOf } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"

/** The only tool with which a team keeps its tasks. */
export const teamTool = "team_task"

export type TeamTask = {
  id: string
  title: string
  description?: unknown
  status?: unknown
  assignee?: unknown
  /** The outcome: how the task was done, or what blocks it. */
  summary?: unknown
  dependsOn?: unknown
}

/** The current list, in a whole-list dialect whose todos have ids. */
export const tasksSnapshot = (tasks: Iterable<TeamTask>, at: unknown): Signal =>
  snapshot("main", "qwen", { tool: teamTool, input: { todos: Array.from(tasks, asTodo) }, at })

const asTodo = ({ id, title, description, status, assignee, summary, dependsOn }: TeamTask): Fields => ({
  id,
  content: title,
  status,
  ...(textOf(description) === undefined ? {} : { description }),
  ...(textOf(assignee) === undefined ? {} : { owner: assignee }),
  ...(status === "blocked" && textOf(summary) !== undefined ? { reason: summary } : {}),
  ...(Array.isArray(dependsOn) ? { blockedBy: dependsOn } : {}),
})
