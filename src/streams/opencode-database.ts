/** Rows of opencode's SQLite file, read elsewhere, as the lists of its sessions; child sessions are sub-agents of their root. */
import { type Fields, known, objectsOf, textOf } from "./_line.ts"
import { opencodeSnapshot } from "./_opencode-todos.ts"
import type { Signal } from "./stream.ts"

export type OpencodeRows = {
  /** Rows of the table `todo`, in any order. */
  todos: readonly unknown[]
  /** Rows of the table `session`: at least `id`, better also `parent_id`, `title`, `directory` and `version`. */
  sessions: readonly unknown[]
}

/** One session without a parent, with everything that hangs under it. */
export type OpencodeSession = {
  session: string
  title?: string
  /** When a list under it was last written, in ISO form. */
  at?: string
  signals: Signal[]
}

/** Every session with its list as it stands, the empty ones too: an emptied list leaves no rows. */
export const readOpencodeDatabase = ({ todos, sessions }: OpencodeRows): OpencodeSession[] => {
  const rows = new Map<string, Fields>()
  for (const row of objectsOf(sessions)) if (textOf(row.id)) rows.set(String(row.id), row)
  const lists = new Map<string, Fields[]>()
  for (const row of objectsOf(todos)) {
    const id = textOf(row.session_id)
    if (id !== undefined) lists.set(id, [...(lists.get(id) ?? []), row])
  }
  for (const id of lists.keys()) if (!rows.has(id)) rows.set(id, { id })
  const found = new Map<string, OpencodeSession>()
  for (const [id, row] of rows) {
    const root = rootOf(id, rows)
    const group = found.get(root) ?? { session: root, signals: [] }
    found.set(root, group)
    const list = (lists.get(id) ?? []).toSorted((one, other) => Number(one.position) - Number(other.position))
    const at = newest(list)
    if (id === root) Object.assign(group, known({ title: textOf(row.title) }))
    if (at !== undefined && (group.at === undefined || at > group.at)) group.at = at
    group.signals.push(...signalsOf(row, id, root, list, at))
  }
  return [...found.values()]
}

/** Follows the parents up as far as they are known; a circle ends where it began. */
const rootOf = (id: string, rows: ReadonlyMap<string, Fields>): string => {
  const seen = new Set<string>()
  let root = id
  while (!seen.has(root)) {
    seen.add(root)
    const parent = textOf(rows.get(root)?.parent_id)
    if (parent === undefined || !rows.has(parent)) return root
    root = parent
  }
  return id
}

const newest = (list: readonly Fields[]): string | undefined => {
  const times = list.flatMap(({ time_updated: time }) => (typeof time === "number" && time > 0 ? [time] : []))
  return times.length === 0 ? undefined : new Date(Math.max(...times)).toISOString()
}

const signalsOf = (row: Fields, id: string, session: string, list: Fields[], at: string | undefined): Signal[] => {
  const agent = id === session ? "main" : id
  const owner = textOf(row.parent_id)
  const parent = agent === "main" || !owner ? undefined : { agent: owner === session ? "main" : owner, session }
  const about = known({ project: textOf(row.directory), version: textOf(row.version), parent })
  const todos = list.map(({ content, status, priority }) => ({ content, status, priority }))
  return [
    { type: "session", session, ...(agent === "main" ? {} : { agent }), ...about },
    opencodeSnapshot(todos, { agent, session, at }),
  ]
}
