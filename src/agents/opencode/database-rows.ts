/** Rows of opencode's SQLite file, read elsewhere, as the lists of its sessions; child sessions are sub-agents of their root. */

import { addTo } from "../../plan/grouped.ts"
import { isoTime, warning } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import type { ReadDatabase } from "../../sessions/source.ts"
import { asked, type Fields, fieldsOf, known, objectsOf, subAgentNamed, textOf, waits } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import { createWork } from "../../streams/work.ts"
import { forReply } from "../asked.ts"
import { activityOf } from "./_message.ts"
import { typedIn } from "./_prompt.ts"
import { titleIn } from "./_title.ts"
import { isNativeWrite, listCall, opencodeSnapshot } from "./_todos.ts"
import { opencodeTools, partWork } from "./_work.ts"

export type OpencodeRows = {
  /** Rows of the table `todo`, in any order. */
  todos: readonly unknown[]
  /** Rows of the table `session`: at least `id`, better also `parent_id`, `title`, `directory` and `version`. */
  sessions: readonly unknown[]
  /**
   * Rows of the table `part` that are calls: of Headway's own tool, of opencode's list tool (for its history), and of the
   * tool that asks the person.
   */
  parts?: readonly unknown[]
  /** Rows of the table `message`: the last one of each session. */
  messages?: readonly unknown[]
  /** Rows of the table `part` that are text in messages of the person. */
  prompts?: readonly unknown[]
  /** Whether the parts include calls of other tools, so that their work can be reported. */
  wantsWork?: boolean
}

/** One session without a parent, with everything that hangs under it. */
export type OpencodeSession = {
  session: string
  title?: string
  /** When a list under it was last written, in ISO form. */
  at?: string
  signals: Signal[]
}

/** Every session with its current list, including empty ones: an emptied list leaves no rows. */
export const readOpencodeDatabase = ({
  todos,
  sessions,
  parts = [],
  messages = [],
  prompts = [],
  wantsWork = false,
}: OpencodeRows): OpencodeSession[] => {
  const work = createWork(wantsWork ? opencodeTools : undefined)
  const rows = new Map<string, Fields>()
  for (const row of objectsOf(sessions)) if (textOf(row.id)) rows.set(String(row.id), row)
  const lists = bySession(todos)
  const calls = bySession(parts)
  const last = bySession(messages)
  const typed = bySession(prompts)
  for (const id of lists.keys()) if (!rows.has(id)) rows.set(id, { id })
  const found = new Map<string, OpencodeSession>()
  for (const { id, row, root } of newestOf(rows, lists)) {
    const group = found.get(root) ?? { session: root, signals: [] }
    found.set(root, group)
    const list = (lists.get(id) ?? []).toSorted((one, other) => Number(one.position) - Number(other.position))
    const at = newest(list)
    if (id === root) Object.assign(group, known({ title: textOf(row.title) }))
    if (at !== undefined && (group.at === undefined || at > group.at)) group.at = at
    const message = last.get(id)?.at(-1)
    const about = { id, session: root, list, calls: calls.get(id) ?? [], message, prompts: typed.get(id) ?? [], work }
    // A session without a list or a message is as old as its row: the file is written to for any of its sessions.
    const signals = signalsOf(row, { ...about, at: at ?? (message ? undefined : newest([row])) })
    // One by one: a session may hold more calls than a function takes arguments.
    for (const signal of signals) group.signals.push(signal)
  }
  return [...found.values()]
}

const bySession = (rows: readonly unknown[]): Map<string, Fields[]> => {
  const found = new Map<string, Fields[]>()
  for (const row of objectsOf(rows)) {
    const id = textOf(row.session_id)
    if (id !== undefined) addTo(found, id, row)
  }
  return found
}

export const databaseRows: ReadDatabase = (
  { session: sessions = [], todo: todos = [], part: parts = [], message: messages = [], prompt: prompts = [] },
  { work: wantsWork = false } = {},
) => {
  const found = readOpencodeDatabase({ sessions, todos, parts, messages, prompts, wantsWork }).map(
    ({ signals }) => signals,
  )
  return sessions.length > mostSessions ? [...found, [{ type: "problem", problem: tooManySessions }]] : found
}

/** Many years of work. Each one costs memory and a place on the board. */
const mostSessions = 20_000

const tooManySessions = warning(
  "too-many-sessions",
  `A database holds more than ${mostSessions} sessions; the oldest ones were skipped.`,
)

/** The sessions with their roots; of too many the newest roots, with what hangs under them. */
const newestOf = (
  rows: ReadonlyMap<string, Fields>,
  lists: ReadonlyMap<string, Fields[]>,
): { id: string; row: Fields; root: string }[] => {
  const rootOf = createRoots(rows)
  const all = [...rows].map(([id, row]) => ({ id, row, root: rootOf(id) }))
  if (all.length <= mostSessions) return all
  const times = new Map<string, string>()
  for (const { id, row, root } of all) {
    const time = newest([row, ...(lists.get(id) ?? [])]) ?? ""
    if (time >= (times.get(root) ?? "")) times.set(root, time)
  }
  const timeOf = ({ root }: { root: string }): string => times.get(root) ?? ""
  return all
    .toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : timeOf(one) > timeOf(other) ? -1 : 0))
    .slice(0, mostSessions)
}

/** Follows the parents up as far as they are known, each once; what leads into a circle has no root but itself. */
const createRoots = (rows: ReadonlyMap<string, Fields>): ((id: string) => string) => {
  const roots = new Map<string, string | undefined>()
  return (id) => {
    const trail = new Set<string>()
    let at = id
    let root: string | undefined
    for (;;) {
      if (roots.has(at) || trail.has(at)) {
        root = roots.get(at)
        break
      }
      trail.add(at)
      const parent = textOf(rows.get(at)?.parent_id)
      if (parent === undefined || !rows.has(parent)) {
        root = at
        break
      }
      at = parent
    }
    for (const one of trail) roots.set(one, root)
    return root ?? id
  }
}

const newest = (list: readonly Fields[]): string | undefined => {
  let latest: string | undefined
  for (const { time_updated: time } of list) {
    const at = typeof time === "number" ? isoTime(time) : undefined
    if (at !== undefined && (latest === undefined || at > latest)) latest = at
  }
  return latest
}

type SessionRows = {
  id: string
  session: string
  list: Fields[]
  calls: Fields[]
  /** The last one. */
  message: Fields | undefined
  prompts: Fields[]
  at: string | undefined
  work: ReturnType<typeof createWork>
}

const signalsOf = (row: Fields, { id, session, list, calls, message, prompts, at, work }: SessionRows): Signal[] => {
  const agent = id === session ? "main" : subAgentNamed(id)
  const owner = textOf(row.parent_id)
  const parent =
    agent === "main" || !owner ? undefined : { agent: owner === session ? "main" : subAgentNamed(owner), session }
  const named = titleIn(row.title, agent === "main" ? undefined : row.agent)
  const about = known({ project: textOf(row.directory), version: textOf(row.version), parent, ...named })
  const todos = list.map(({ content, status, priority }) => ({ content, status, priority }))
  const native = opencodeSnapshot(todos, { agent, session, at })
  const ordered = calls.toSorted(byId).map(({ data, id: part, time_updated }) => {
    const fields = dataOf(data)
    const seen = listCall({ id: part, ...fields }, { agent, session, at: time_updated })
    const signals = seen ?? partWork({ id: part, ...fields }, agent, work, time_updated)
    // A row is written again long after its call has ended, such as when its output is no longer sent to the model.
    const ended = fieldsOf(fieldsOf(fields.state).time).end ?? time_updated
    return { signals, at: typeof ended === "number" ? isoTime(ended) : undefined, isWrite: isNativeWrite(fields) }
  })
  // The calls that wrote the agent's own list show where it belongs; without them times tell.
  const lastWrite = ordered.findLastIndex(({ isWrite }) => isWrite)
  const lastBefore = ordered.findLastIndex((call) => at !== undefined && call.at !== undefined && call.at < at)
  const place = 1 + (lastWrite >= 0 ? lastWrite : todos.length > 0 ? lastBefore : -1)
  const signalLists = ordered.map(({ signals }) => signals)
  return [
    { type: "session", session, ...(agent === "main" ? {} : { agent }), ...about },
    ...prompts.toSorted(byId).flatMap(({ data }) => asked(agent, typedIn(dataOf(data)))),
    ...signalLists.slice(0, place).flat(),
    native,
    ...signalLists.slice(place).flat(),
    ...(message ? lastActivity(message, agent) : []),
    ...questionIn(calls, agent),
  ]
}

/** The ids of parts grow with time. */
const byId = (one: Fields, other: Fields): number => (String(one.id) < String(other.id) ? -1 : 1)

const dataOf = (data: unknown): Fields => fieldsOf(typeof data === "string" ? parseJson(data) : undefined)

/** The question that has no reply, which is the last thing the agent did. */
const questionIn = (parts: readonly Fields[], agent: string): Signal[] => {
  const open = parts.flatMap(({ data }) => {
    const { tool, state } = dataOf(data)
    const { status, input, time } = fieldsOf(state)
    return tool === "question" && status === "running" ? [{ input, at: fieldsOf(time).start }] : []
  })
  const last = open.at(-1)
  return last ? [waits(agent, forReply(fieldsOf(last.input)), { at: last.at })] : []
}

/** What the last message of a session says about its turn. One that is too long to be read is ignored. */
const lastActivity = ({ data, time_updated: updated }: Fields, agent: string): Signal[] =>
  activityOf(dataOf(data), agent, updated)
