/** Gemini CLI's tracker files (`~/.gemini/tmp/<project>/<session>/tracker/<id>.json`): one task per file. */
import type { ToolCall } from "../../dialects/dialect.ts"
import { type Problem, sanitise, warning } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import type { ReadFolder } from "../../sessions/source.ts"
import { type Fields, observed, textOf } from "../../streams/line.ts"
import { listSignals } from "../list-signals.ts"

/**
 * Reads all files of one tracker folder as a snapshot for `gemini-tracker`, parents before their children, in the form
 * of the tracker's listing tool: `{ tasks: [{ id, title, description, type, status, … }] }`.
 */
export const readTrackerFiles = (
  files: readonly { name: string; text: string }[],
  about: { session?: string; at?: string | undefined } = {},
): { call: ToolCall; problems: Problem[] } => {
  const problems: Problem[] = []
  const tasks = files.flatMap(({ name, text }): Fields[] => {
    if (!name.endsWith(".json")) return []
    const task = parseJson(text)
    if (isRecord(task) && textOf(task.id) && textOf(task.title)) return [task]
    problems.push(damaged(name))
    return []
  })
  const result = { tasks: parentsFirst(tasks) }
  return { call: observed({ tool: "tracker_list_tasks", input: {}, result, ...about }), problems }
}

export const trackerFolder: ReadFolder = (files, at) =>
  listSignals("main", "gemini-tracker", readTrackerFiles(files, { at }))

const damaged = (name: string): Problem =>
  warning("damaged-file", `${sanitise(name).slice(0, 200)} holds no readable task and was skipped.`)

/** Files have no order. A task counts as one without a parent if its parent is missing or is its own descendant. */
const parentsFirst = (tasks: readonly Fields[]): Fields[] => {
  const ordered = new Set<Fields>()
  const add = (task: Fields): void => {
    if (ordered.has(task)) return
    ordered.add(task)
    for (const child of tasks) if (child.parentId === task.id) add(child)
  }
  const ids = new Set(tasks.map(({ id }) => id))
  for (const task of tasks) if (!ids.has(task.parentId)) add(task)
  for (const task of tasks) add(task)
  return [...ordered]
}
