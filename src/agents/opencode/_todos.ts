/** opencode's lists as signals, whether from a message part, an event, a response or the database. */
import { type Fields, fieldsOf, known, seenCall, snapshot, textOf } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import { type OwnTool, ownTool } from "../own-tool.ts"

type Seen = { agent: string; session?: string | undefined; at?: unknown }

export const opencodeSnapshot = (todos: unknown, { agent = "main", session, at }: Partial<Seen>): Signal =>
  snapshot(agent, "opencode", { tool: "todowrite", input: { todos }, session, at })

/** The signals of a list tool's call, with its outcome; undefined for any other part. */
export const listCall = (part: Fields, { agent, session, at }: Seen): Signal[] | undefined => {
  const list = listTool(textOf(part.tool))
  if (!list) return undefined
  const state = fieldsOf(part.state)
  const callId = textOf(part.callID) ?? textOf(part.id)
  if (callId === undefined) return []
  // The metadata contains the list as stored. The input may contain ids, which opencode drops.
  const { todos } = fieldsOf(state.metadata)
  const input = Array.isArray(todos) ? { todos } : state.input
  const time = fieldsOf(state.time).end ?? at
  const call = seenCall(agent, list.dialect, { tool: list.tool, input, callId, at: time, session })
  if (state.status !== "completed" && state.status !== "error") return [call]
  const result = textOf(state.error) ?? textOf(state.output)
  return [call, { type: "result", callId, ok: state.status === "completed", ...known({ result }) }]
}

/** Whether a part is a call that has written opencode's own list. */
export const isNativeWrite = ({ tool, state }: Fields): boolean =>
  tool === nativeTool && fieldsOf(state).status === "completed"

const nativeTool = "todowrite"

const listTool = (name: string | undefined): OwnTool | undefined =>
  name === nativeTool ? { dialect: "opencode", tool: name } : ownTool(name)
