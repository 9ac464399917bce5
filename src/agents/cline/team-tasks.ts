/** Reads Cline's `teams.db`: the tasks of each team. A team is identified by its lead's session. */

import { groupedBy } from "../../plan/grouped.ts"
import { warning } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import type { ReadDatabase } from "../../sessions/source.ts"
import { type Fields, objectsOf, textOf } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import { type TeamTask, tasksSnapshot } from "./_tasks.ts"

export const teamTasks: ReadDatabase = ({ team_tasks: rows = [] }) => {
  const teams = groupedBy(objectsOf(rows), ({ team_name }) => textOf(team_name) ?? "")
  teams.delete("")
  const all = Array.from(teams, ([session, found]) => ({ session, found, at: lastOf(found) }))
  const newest = all.toSorted((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0)).slice(0, mostTeams)
  const lists = newest.map(({ session, found, at }): Signal[] => {
    const tasks = found.flatMap(taskIn).toSorted((one, other) => (one.id < other.id ? -1 : 1))
    return [{ type: "session", session }, tasksSnapshot(tasks, at || undefined)]
  })
  return all.length > mostTeams ? [...lists, [{ type: "problem", problem: tooManyTeams }]] : lists
}

/** The most teams read, enough for years of work. Each one costs memory. */
const mostTeams = 2_000

const tooManyTeams = warning(
  "too-many-sessions",
  `A database holds more than ${mostTeams} teams; the oldest ones were skipped.`,
)

const lastOf = (found: readonly Fields[]): string =>
  found.reduce((last, { updated_at }) => {
    const at = textOf(updated_at) ?? ""
    return at > last ? at : last
  }, "")

const taskIn = ({ task_id, title, depends_on_json, ...row }: Fields): TeamTask[] => {
  const [id, text] = [textOf(task_id), textOf(title)]
  if (id === undefined || text === undefined) return []
  const dependsOn = typeof depends_on_json === "string" ? parseJson(depends_on_json) : undefined
  return [{ ...row, id, title: text, dependsOn }]
}
