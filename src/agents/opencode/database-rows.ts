/**
 * Turns rows of opencode's SQLite file, which are read elsewhere, into lists of sessions. Child sessions are sub-agents
 * of their root.
 */

import { addTo } from "../../plan/grouped.ts"
import { isoTime, warning } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import type { ReadDatabase } from "../../sessions/source.ts"
import { asked, type Fields, fieldsOf, known, objectsOf, subAgentNamed, textOf, waits } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import { createWork } from "../../streams/work.ts"
import { questionFrom } from "../questions.ts"
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
   * Rows of the table `part` that are calls of Headway's own tool, of opencode's list tool (for its history), or of the
   * tool that asks the person.
   */
  parts?: readonly unknown[]
  /** Rows of the table `message`: the last one of each session. */
  messages?: readonly unknown[]
  /** Rows of the table `part` that are text of the person. */
  prompts?: readonly unknown[]
  /** Whether the parts include calls of other tools, from which work is reported. */
  wantsWork?: boolean
}

/** A session without a parent, with all sessions below it. */
export type OpencodeSession = {
  session: string
  title?: string
  /** When one of its lists was last written, in ISO form. */
  at?: string
  signals: Signal[]
}

/** All sessions with their current lists, even empty ones, because an emptied list has no rows. */
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
    // The time of a session without a list or a message is that of its row. The file's own time is that of any session.
    const signals = signalsOf(row, { ...about, at: at ?? (message ? undefined : newest([row])) })
    // One by one, because a session may have more calls than a function takes arguments.
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

/** The most sessions read, enough for years of work. Each one costs memory and a place on the board. */
const mostSessions = 20_000

const tooManySessions = warning(
  "too-many-sessions",
  `A database holds more than ${mostSessions} sessions; the oldest ones were skipped.`,
)

/** The sessions with their roots. Of too many, the newest roots with all sessions below them. */
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

/** Finds the root of each session by following its parents. A session that leads into a circle is its own root. */
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
  /** The session's last message. */
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
    // A row may be rewritten long after its call has ended, for example when its output is no longer sent to the model.
    const ended = fieldsOf(fieldsOf(fields.state).time).end ?? time_updated
    return { signals, at: typeof ended === "number" ? isoTime(ended) : undefined, isWrite: isNativeWrite(fields) }
  })
  // The stored list belongs after the last call that wrote it. Without such a call, times decide.
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

/** Sorts parts by their ids, which grow with time. */
const byId = (one: Fields, other: Fields): number => (String(one.id) < String(other.id) ? -1 : 1)

const dataOf = (data: unknown): Fields => fieldsOf(typeof data === "string" ? parseJson(data) : undefined)

/** The open question, if the agent's last call asks one. */
const questionIn = (parts: readonly Fields[], agent: string): Signal[] => {
  const open = parts.flatMap(({ data }) => {
    const { tool, state } = dataOf(data)
    const { status, input, time } = fieldsOf(state)
    return tool === "question" && status === "running" ? [{ input, at: fieldsOf(time).start }] : []
  })
  const last = open.at(-1)
  return last ? [waits(agent, questionFrom(fieldsOf(last.input)), { at: last.at })] : []
}

/** Reads the state of the turn from a session's last message. A message that is too long is ignored. */
const lastActivity = ({ data, time_updated: updated }: Fields, agent: string): Signal[] =>
  activityOf(dataOf(data), agent, updated)
