/** oh-my-pi's session files (`~/.omp/agent/sessions/…/*.jsonl`): a tree of entries, of which the branch that ends last counts. */
import {
  activity,
  type Fields,
  failedTurn,
  fieldsOf,
  interrupted,
  jsonLines,
  known,
  objectsOf,
  seenCall,
  textOf,
} from "../../streams/line.ts"
import type { Signal, Stream } from "../../streams/stream.ts"
import { detailsOf, listCall, listResult, phasesSnapshot } from "./_todo.ts"

export const ohMyPiSession = {
  id: "oh-my-pi-session",
  agentType: "oh-my-pi",
  title: "oh-my-pi session file",
  // The header proves nothing: the output of `--mode json` begins with the same one.
  recognises: ({ type, id, parentId, pad }) =>
    (type === "title" && typeof pad === "string") ||
    // Copilot CLI's events are linked alike, and have a dot in their names.
    (typeof type === "string" &&
      !type.includes(".") &&
      typeof id === "string" &&
      (typeof parentId === "string" || parentId === null)),
  // Every entry is a link in the tree, and a branch may start at any of them: all are needed. And the header's `cwd`.
  needles: ['ntId":', 'wd":"'],
  open: () => {
    const state: State = { entries: new Map() }
    return jsonLines((line) => {
      if (line.type === "session") {
        state.session = textOf(line.id)
        return [{ type: "session", ...known({ session: state.session, project: textOf(line.cwd) }) }]
      }
      return textOf(line.id) === undefined ? [] : readEntry(line, state)
    })
  },
} satisfies Stream

type Node = {
  parent: string | undefined
  /** The list as it is at this entry; undefined before the first one. */
  details: Fields | undefined
  callIds: readonly string[]
}

type State = { session?: string | undefined; entries: Map<string, Node>; leaf?: string; model?: string | undefined }

const empty: Fields = { phases: [] }

const readEntry = (entry: Fields, state: State): Signal[] => {
  const id = textOf(entry.id) ?? ""
  const named = textOf(entry.parentId)
  // A parent that was never seen stood in a damaged line: the branch goes on.
  const parent = named === undefined || state.entries.has(named) ? named : state.leaf
  const before = parent === undefined ? undefined : state.entries.get(parent)
  const signals = parent === state.leaf ? [] : changeBranch(parent, before, state)
  const own = entry.type === "reset_boundary" ? empty : listIn(entry)
  signals.push(...readContent(entry, state))
  if (own) signals.push(phasesSnapshot(own, { session: state.session, at: entry.timestamp }))
  const callIds = signals.flatMap((signal) => (signal.type === "call" ? [signal.call.callId] : []))
  state.entries.set(id, { parent, details: own ?? before?.details, callIds })
  state.leaf = id
  return signals
}

/** The branch goes on elsewhere: what was called since the fork is taken back, the list is again what it was there. */
const changeBranch = (parent: string | undefined, before: Node | undefined, state: State): Signal[] => {
  if (state.leaf === undefined) return []
  const kept = new Set(pathTo(parent, state))
  const callIds = pathTo(state.leaf, state)
    .filter((id) => !kept.has(id))
    .flatMap((id) => state.entries.get(id)?.callIds ?? [])
  const was = state.entries.get(state.leaf)?.details
  const now = before?.details
  const rewound: Signal[] = callIds.length > 0 ? [{ type: "rewound", callIds }] : []
  return was === now ? rewound : [...rewound, phasesSnapshot(now ?? empty, { session: state.session })]
}

const pathTo = (leaf: string | undefined, { entries }: State): string[] => {
  const path = new Set<string>()
  for (let id = leaf; id !== undefined && !path.has(id); id = entries.get(id)?.parent) path.add(id)
  return [...path]
}

/** The list an entry tells: a person's edit, or the details of a result. */
const listIn = (entry: Fields): Fields | undefined => {
  if (entry.type === "custom") return entry.customType === "user_todo_edit" ? detailsOf(entry.data) : undefined
  const message = fieldsOf(entry.message)
  return message.role === "toolResult" ? listResult(message.toolName, message.details)?.list : undefined
}

const readContent = (entry: Fields, state: State): Signal[] => {
  const at = entry.timestamp
  if (entry.type === "model_change")
    return [{ type: "session", ...known({ session: state.session, model: textOf(entry.model) }) }]
  if (entry.type === "custom") return entry.customType === "session_exit" ? [activity("main", "ended", { at })] : []
  const message = fieldsOf(entry.message)
  if (message.role === "user") return [activity("main", "prompt", { at })]
  if (message.role === "toolResult") return readResult(message)
  if (message.role !== "assistant") return []
  const parts = objectsOf(message.content).flatMap((part) => readPart(part, at, state))
  if (message.stopReason === "aborted") return [...parts, failedTurn("main", interrupted, { at })]
  return message.stopReason === "stop" ? [...parts, activity("main", "turn-ended", { at })] : parts
}

const readPart = (part: Fields, at: unknown, { session }: State): Signal[] => {
  if (part.type === "text") return [activity("main", "text", { at })]
  if (part.type !== "toolCall") return []
  const callId = textOf(part.id)
  const list = listCall(part.name, part.arguments)
  if (!list) return [activity("main", "tool", { tool: part.name, at })]
  const { dialect, ...call } = list
  return callId === undefined ? [] : [seenCall("main", dialect, { ...call, callId, at, session })]
}

const readResult = (message: Fields): Signal[] => {
  const callId = textOf(message.toolCallId)
  if (!listResult(message.toolName, message.details) || callId === undefined) return []
  const result = textOf(objectsOf(message.content)[0]?.text)
  return [{ type: "result", callId, ok: message.isError !== true, ...known({ result }) }]
}
