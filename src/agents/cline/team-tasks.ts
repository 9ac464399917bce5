/** The rows of Cline's `teams.db`: the tasks of each team, which goes by the session of its lead. */
import { parseJson } from "../../plan/json.ts"
import type { ReadDatabase } from "../../sessions/source.ts"
import { groupedBy } from "../../streams/grouped.ts"
import { type Fields, objectsOf, textOf } from "../../streams/line.ts"
import { type TeamTask, tasksSnapshot } from "./_tasks.ts"

export const teamTasks: ReadDatabase = ({ team_tasks: rows = [] }) =>
  [...groupedBy(objectsOf(rows), ({ team_name }) => textOf(team_name) ?? "")].flatMap(([session, found]) => {
    if (session === "") return []
    const tasks = found.flatMap(taskIn).toSorted((one, other) => (one.id < other.id ? -1 : 1))
    const times = found.flatMap(({ updated_at }) => textOf(updated_at) ?? []).toSorted()
    return [[{ type: "session", session }, tasksSnapshot(tasks, times.at(-1))]]
  })

const taskIn = ({ task_id, title, depends_on_json, ...row }: Fields): TeamTask[] => {
  const [id, text] = [textOf(task_id), textOf(title)]
  if (id === undefined || text === undefined) return []
  const dependsOn = typeof depends_on_json === "string" ? parseJson(depends_on_json) : undefined
  return [{ ...row, id, title: text, dependsOn }]
}
