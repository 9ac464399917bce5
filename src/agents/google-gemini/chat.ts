/** Gemini CLI's chat files (`~/.gemini/tmp/<project>/chats/session-*.jsonl`): a log of records that later lines repeat, patch or rewind. */
import { isRecord } from "../../plan/log/shape.ts"
import {
  activity,
  asked,
  type Fields,
  failedTurn,
  fieldsOf,
  gistOf,
  interrupted,
  jsonLines,
  known,
  nameIn,
  objectsOf,
  seenCall,
  subAgentNamed,
  textOf,
} from "../../streams/line.ts"
import type { Signal, Stream, Wants } from "../../streams/stream.ts"
import { createWork } from "../../streams/work.ts"
import { ownToolNeedles } from "../own-tool.ts"
import { listTool } from "./_tools.ts"
import { geminiTools, resultOf as workResult } from "./_work.ts"

export const geminiChat = {
  id: "gemini-chat",
  agentType: "google-gemini",
  title: "Gemini CLI chat file",
  recognises: ({ sessionId, projectHash, messages, id, type, $set, $rewindTo }) => {
    if (typeof sessionId === "string" && typeof projectHash === "string") return messages === undefined
    return isRecord($set) || typeof $rewindTo === "string" || (typeof id === "string" && type === "gemini")
  },
  // `write_todos`, `tracker_…`, the header's `projectHash`, `$rewindTo`, and the user's records, which a rewind names.
  needles: ["_todos", "ker_", ownToolNeedles.underscore, 'Hash"', "$rewi", '"user"'],
  quickNeedles: () => ({ all: ["acker_", ownToolNeedles.underscore, "$rewi"], last: ["_todos"] }),
  // `summary`, in a patch of the header.
  titleNeedles: ['ummary":"'],
  tellsWork: true,
  open: (from?: unknown, wants?: Wants) => {
    const { records = [], calls = [], ...before } = (from ?? {}) as Partial<SavedState>
    const state: State = {
      agent: "main",
      ...before,
      records: new Map(records.map((id) => [id, new Set()])),
      calls: new Map(calls),
      work: createWork(wants?.work ? geminiTools : undefined),
    }
    return {
      ...jsonLines((line) => readLine(line, state)),
      snapshot: (): SavedState => ({
        ...withoutWork(state),
        records: [...state.records.keys()].slice(-remembered),
        calls: [...state.calls].slice(-remembered),
      }),
    }
  },
} satisfies Stream

type State = {
  agent: string
  session?: string | undefined
  model?: string | undefined
  /** The ids of list calls in each record, in the order in which the records first appeared. */
  records: Map<string, Set<string>>
  /** The last reported status of each call, by record and id (ids may repeat). */
  calls: Map<string, string | undefined>
  work: ReturnType<typeof createWork>
}

const withoutWork = ({ work: _, ...rest }: State): Omit<State, "work"> => rest

/** The most records and calls remembered that may be repeated. */
const remembered = 20

type SavedState = Omit<State, "records" | "calls" | "work"> & {
  records: string[]
  calls: [string, string | undefined][]
}

const readLine = (line: Fields, state: State): Signal[] => {
  if (typeof line.$rewindTo === "string") return rewind(line.$rewindTo, state)
  // A patch contains the messages in the model's context (after a start or a compression), not new ones.
  if (isRecord(line.$set)) {
    const records = objectsOf(line.$set.messages).flatMap((record) => readRecord(record, state, true))
    return [...summaryIn(line.$set, state), ...records]
  }
  if (typeof line.sessionId !== "string") return readRecord(line, state)
  // In a document of older clients, the header contains all records.
  return [...readHeader(line, state), ...objectsOf(line.messages).flatMap((record) => readRecord(record, state))]
}

/** Only the folder of a sub-agent's file names its session. */
const readHeader = (header: Fields, state: State): Signal[] => {
  const { sessionId, kind } = header
  if (kind === "subagent") {
    state.agent = subAgentNamed(textOf(sessionId) ?? "sub-agent")
    return [{ type: "session", agent: state.agent, parent: { agent: "main" } }, ...summaryIn(header, state)]
  }
  state.session = textOf(sessionId)
  return [{ type: "session", ...known({ session: state.session }) }, ...summaryIn(header, state)]
}

/** The summary of a session, which the client lets a model write afterwards. */
const summaryIn = ({ summary }: Fields, { agent, session }: State): Signal[] => {
  const title = nameIn(summary)
  return title === undefined ? [] : [{ type: "session", ...known({ session }), agent, title }]
}

/** Takes back the named record and all later ones. An unknown name takes back everything, as in the client itself. */
const rewind = (id: string, { records, calls }: State): Signal[] => {
  const ids = [...records.keys()]
  const gone = ids.slice(Math.max(ids.indexOf(id), 0))
  const callIds = gone.flatMap((record) => [...(records.get(record) ?? [])])
  for (const record of gone) {
    for (const callId of records.get(record) ?? []) calls.delete(keyOf(record, callId))
    records.delete(record)
  }
  return [{ type: "rewound", callIds }]
}

const readRecord = (record: Fields, state: State, isRepeated = false): Signal[] => {
  const id = textOf(record.id)
  if (id === undefined) return []
  const signals: Signal[] = []
  if (!state.records.has(id)) {
    state.records.set(id, new Set())
    signals.push(...newRecord(record, state))
    // In a patch, user messages may be the client's own texts.
    if (record.type === "user" && !isRepeated) signals.push(...asked(state.agent, typedIn(record)))
  }
  for (const call of objectsOf(record.toolCalls)) signals.push(...readCall(call, id, state))
  return signals
}

/** The prompt as typed, before the client inserted files. */
const typedIn = ({ content, displayContent = content }: Fields): string =>
  textOf(displayContent) ??
  objectsOf(displayContent)
    .flatMap(({ text }) => textOf(text) ?? [])
    .join("\n")

const newRecord = ({ type, content, model, timestamp: at }: Fields, state: State): Signal[] => {
  if (type === "user") return saysText(content) ? [activity(state.agent, "prompt", { at })] : []
  if (type === "info" && content === cancelled) return [failedTurn(state.agent, interrupted, { at })]
  if (type === "error") return failedIn(content, state.agent, at)
  if (type !== "gemini") return []
  const signals: Signal[] = saysText(content) ? [activity(state.agent, "text", { at })] : []
  const name = textOf(model)
  if (name === undefined || name === state.model) return signals
  state.model = name
  return [{ type: "session", ...known({ session: state.session }), agent: state.agent, model: name }, ...signals]
}

/**
 * The client records all its error messages, even about a mistyped command. Only errors of the service end the turn.
 */
const failedIn = (content: unknown, agent: string, at: unknown): Signal[] => {
  const [, reason] = /^\[API Error: (.*?)\]?$/s.exec(textOf(content) ?? "") ?? []
  return reason === undefined ? [] : [failedTurn(agent, reason, { at })]
}

/** The client's record when the person has cancelled a turn. */
const cancelled = "Request cancelled."

const saysText = (content: unknown): boolean =>
  textOf(content) !== undefined || objectsOf(content).some(({ text }) => textOf(text) !== undefined)

const readCall = (call: Fields, record: string, state: State): Signal[] => {
  const { agent, session, calls } = state
  const [callId, tool, status] = [textOf(call.id), textOf(call.name), textOf(call.status)]
  if (callId === undefined || tool === undefined) return []
  const key = keyOf(record, callId)
  const isNew = !calls.has(key)
  if (!isNew && calls.get(key) === status) return []
  calls.set(key, status)
  const list = listTool(tool)
  if (!list)
    return [
      ...(isNew ? [activity(agent, "tool", { tool, on: gistOf(call.args), at: call.timestamp })] : []),
      ...workIn(call, { callId, tool, status }, state),
    ]
  state.records.get(record)?.add(callId)
  const seen = { tool: list.tool, input: call.args, callId, at: call.timestamp, session }
  const signals: Signal[] = isNew ? [seenCall(agent, list.dialect, seen)] : []
  if (status === "success" || status === "error" || status === "cancelled") {
    signals.push({ type: "result", callId, ok: status === "success", ...known({ result: resultOf(call) }) })
  }
  return signals
}

const workIn = (
  call: Fields,
  { callId, tool, status }: { callId: string; tool: string; status: string | undefined },
  { agent, work }: State,
): Signal[] => {
  if (!work.isWanted) return []
  const began = work.began(agent, { callId, tool, input: call.args, at: call.timestamp })
  if (status !== "success" && status !== "error" && status !== "cancelled") return began
  return [...began, ...work.ended(agent, callId, workResult(resultOf(call) ?? "", status), call.timestamp)]
}

const keyOf = (record: string, callId: string): string => `${record}\n${callId}`

/** The result for the model: a sentence that contains the tracker's ids. */
const resultOf = ({ result }: Fields): string | undefined => {
  for (const part of objectsOf(result)) {
    const { output, error } = fieldsOf(fieldsOf(part.functionResponse).response)
    const text = textOf(output) ?? textOf(error)
    if (text !== undefined) return text
  }
  return undefined
}
