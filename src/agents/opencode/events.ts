/** opencode's server: the event stream of `GET /event` as `data: {…}` lines or as bare objects. */
import { isRecord } from "../../plan/log/shape.ts"
import {
  activity,
  agentsBySession,
  type Fields,
  failedTurn,
  fieldsOf,
  jsonLines,
  known,
  textOf,
  waits,
} from "../../streams/line.ts"
import type { Signal, Stream, Wants } from "../../streams/stream.ts"
import { createWork } from "../../streams/work.ts"
import { ownToolNeedles } from "../own-tool.ts"
import { permissionFor, questionFrom } from "../questions.ts"
import { reasonOf } from "./_error.ts"
import { titleIn } from "./_title.ts"
import { listCall, opencodeSnapshot } from "./_todos.ts"
import { opencodeTools, partWork } from "./_work.ts"

export const opencodeEvents = {
  id: "opencode-events",
  agentType: "opencode",
  title: "opencode server events",
  recognises: ({ type, properties }) =>
    typeof type === "string" && isRecord(properties) && /^(?:server|session|message|todo|permission)\./.test(type),
  // `todo.updated`, `session.created`, `session.updated`, and calls of our own tool. Most events are parts of messages
  // and
  // contain none of these.
  needles: ["todo.u", "ion.cr", "ion.up", ownToolNeedles.underscore],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => {
    const agentOf = agentsBySession()
    const work = createWork(wants?.work ? opencodeTools : undefined)
    const seen = new Set<string>()
    const reader = jsonLines((line) => readEvent(line, { agentOf, seen, work }))
    return {
      read(line) {
        const field = /^(data|event|id|retry)?:/.exec(line)
        if (!field) return reader.read(line)
        return field[1] === "data" ? reader.read(line.slice(field[0].length)) : []
      },
    }
  },
} satisfies Stream

const readEvent = (
  { type, properties }: Fields,
  {
    agentOf,
    seen,
    work,
  }: { agentOf: ReturnType<typeof agentsBySession>; seen: Set<string>; work: ReturnType<typeof createWork> },
): Signal[] => {
  const fields = fieldsOf(properties)
  const info = fieldsOf(fields.info)
  if (type === "session.created" || type === "session.updated") return readSession(info, agentOf, seen)
  const part = fieldsOf(fields.part)
  const session = textOf(fields.sessionID) ?? textOf(part.sessionID) ?? textOf(info.sessionID)
  if (session === undefined) return []
  const agent = agentOf(session)
  const first: Signal[] = seen.has(session)
    ? []
    : [{ type: "session", session, ...(agent === "main" ? {} : { agent }) }]
  seen.add(session)
  if (type === "todo.updated") return [...first, opencodeSnapshot(fields.todos, { agent, session })]
  if (type === "session.idle") return [...first, activity(agent, "turn-ended")]
  if (type === "session.error") return [...first, failedTurn(agent, reasonOf(fieldsOf(fields.error)))]
  if (type === "message.updated" && info.role === "user") return [...first, ...newPrompt(textOf(info.id), agent, seen)]
  if (/^permission\.(?:asked|updated)$/.test(String(type)))
    return [
      ...first,
      waits(agent, permissionFor(textOf(fields.permission ?? fields.type), { pattern: fields.patterns })),
    ]
  if (type === "question.asked") return [...first, waits(agent, questionFrom(fields))]
  if (type !== "message.part.updated") return first
  if (part.type === "text") return [...first, activity(agent, "text")]
  const own = part.tool === "todowrite" ? undefined : listCall(part, { agent, session })
  if (own) return [...first, ...own]
  const isWork = part.type === "tool" && part.tool !== "todowrite" && fieldsOf(part.state).status === "running"
  const done = part.type === "tool" && part.tool !== "todowrite" ? partWork(part, agent, work, undefined) : []
  return [...first, ...(isWork ? [activity(agent, "tool", { tool: part.tool })] : []), ...done]
}

/** The server sends a message again whenever a part of it changes. */
const newPrompt = (id: string | undefined, agent: string, seen: Set<string>): Signal[] => {
  if (id === undefined || seen.has(id)) return []
  seen.add(id)
  return [activity(agent, "prompt")]
}

const readSession = (info: Fields, agentOf: ReturnType<typeof agentsBySession>, seen: Set<string>): Signal[] => {
  const session = textOf(info.id)
  if (session === undefined) return []
  // The title comes later, because a model writes it.
  if (seen.has(session)) return titled(session, info, agentOf, seen)
  seen.add(session)
  const owner = textOf(info.parentID)
  // The order matters: the first session named to `agentOf` becomes the main one.
  const parent = owner === undefined ? undefined : { agent: agentOf(owner), session: owner }
  const agent = agentOf(session)
  const about = known({ project: textOf(info.directory), version: textOf(info.version), parent })
  return [
    { type: "session", session, ...(agent === "main" ? {} : { agent }), ...about },
    ...titled(session, info, agentOf, seen),
  ]
}

const titled = (
  session: string,
  { title, agent: kind }: Fields,
  agentOf: ReturnType<typeof agentsBySession>,
  seen: Set<string>,
): Signal[] => {
  const agent = agentOf(session)
  const named = titleIn(title, agent === "main" ? undefined : kind)
  const key = JSON.stringify([session, named])
  if (Object.keys(named).length === 0 || seen.has(key)) return []
  seen.add(key)
  return [{ type: "session", session, ...(agent === "main" ? {} : { agent }), ...named }]
}
