/** Reads a session's list from the todo table of the session's own database. */
import { isoTime } from "../../plan/index.ts"
import type { ReadDatabase } from "../../sessions/source.ts"
import { objectsOf, snapshot } from "../../streams/line.ts"

export const databaseRows: ReadDatabase = ({ todos: rows = [], todo_deps: dependencies = [] }) => [
  [
    snapshot("main", "copilot", {
      tool: "readSqlTodosWithDependencies",
      input: {},
      result: { rows, dependencies },
      at: newest(rows),
    }),
  ],
]

/** Times in the database have no zone and mean UTC. */
const newest = (rows: readonly unknown[]): string | undefined => {
  const times = objectsOf(rows).flatMap(({ updated_at: at }) =>
    typeof at === "string" ? (isoTime(/^[\d-]+ [\d:.]+$/.test(at) ? `${at.replace(" ", "T")}Z` : at) ?? []) : [],
  )
  return times.toSorted().at(-1)
}
