/** Reads the session files of pi and its forks: a tree of entries, in which the branch of the last entry counts. */
import {
  activity,
  asked,
  type Fields,
  failedTurn,
  fieldsOf,
  gistOf,
  jsonLines,
  known,
  nameIn,
  objectsOf,
  seenCall,
  textOf,
} from "../../streams/line.ts"
import { createOpenCalls } from "../../streams/open-calls.ts"
import type { Signal, StreamReader, Wants } from "../../streams/stream.ts"
import { createWork } from "../../streams/work.ts"
import { wordsOf } from "../blocks.ts"
import { commonTools } from "../common-tools.ts"
import { questionByCall } from "../questions.ts"
import { errorIn, piResult } from "./family-json.ts"
import type { PiLists } from "./family-lists.ts"

const kinds = [
  "model_change",
  "thinking_level_change",
  "custom",
  "custom_message",
  "compaction",
  "branch_summary",
  "label",
  "session_info",
]

/**
 * Whether a line is an entry of the tree. The header does not count, because `--mode json` output begins with the same
 * one.
 */
export const isPiEntry = ({ type, id, parentId, message }: Fields): boolean =>
  typeof id === "string" &&
  (typeof parentId === "string" || parentId === null) &&
  (type === "message" ? typeof fieldsOf(message).role === "string" : kinds.includes(String(type)))

/** All entries are needed, because a branch may start at any of them; and the header's `cwd`. */
export const piSessionNeedles = ['ntId":', 'wd":"'] as const

export const openPiSession = (lists: PiLists, wants?: Wants): StreamReader => {
  const work = createWork(wants?.work ? commonTools : undefined)
  const state: State = { entries: new Map(), calls: [], open: createOpenCalls(), work }
  return jsonLines((line) => {
    if (line.type === "title") return titled(line.title, state)
    if (line.type === "session") {
      state.session = textOf(line.id)
      const about = known({ session: state.session, project: textOf(line.cwd) })
      return [{ type: "session", ...about }, ...titled(line.title, state)]
    }
    return textOf(line.id) === undefined ? [] : readEntry(line, state, lists)
  })
}

type Node = {
  parent: Node | undefined
  /** An ancestor some steps above, so that any ancestor is found in few steps. */
  far: Node | undefined
  depth: number
  /** The list at this entry; undefined before the first list. */
  details: Fields | undefined
}

type State = {
  session?: string | undefined
  entries: Map<string, Node>
  leaf?: Node
  /** The calls on the current branch, with their entries. */
  calls: { node: Node; callIds: readonly string[] }[]
  model?: string | undefined
  /** The first prompt. */
  asked?: string | undefined
  open: ReturnType<typeof createOpenCalls>
  work: ReturnType<typeof createWork>
}

const readEntry = (entry: Fields, state: State, lists: PiLists): Signal[] => {
  const id = textOf(entry.id) ?? ""
  const named = textOf(entry.parentId)
  // An unknown parent was in a damaged line, so the entry continues the branch.
  const parent = named === undefined ? undefined : (state.entries.get(named) ?? state.leaf)
  const signals = parent === state.leaf ? [] : changeBranch(parent, state, lists)
  const own = listIn(entry, lists)
  signals.push(...readContent(entry, state, lists))
  if (own) signals.push(lists.snapshot(own, { session: state.session, at: entry.timestamp }))
  const callIds = signals.flatMap((signal) => (signal.type === "call" ? [signal.call.callId] : []))
  const node = createNode(parent, own ?? parent?.details)
  if (callIds.length > 0) state.calls.push({ node, callIds })
  state.entries.set(id, node)
  state.leaf = node
  return signals
}

/** Switches to another branch: calls since the fork are rewound, and the list becomes the one at the fork. */
const changeBranch = (parent: Node | undefined, state: State, lists: PiLists): Signal[] => {
  if (state.leaf === undefined) return []
  const callIds: string[] = []
  for (let last = state.calls.at(-1); last && !isAbove(last.node, parent); last = state.calls.at(-1)) {
    callIds.push(...last.callIds)
    state.calls.pop()
  }
  const was = state.leaf.details
  const now = parent?.details
  const rewound: Signal[] = callIds.length > 0 ? [{ type: "rewound", callIds }] : []
  return was === now ? rewound : [...rewound, lists.snapshot(now ?? lists.empty, { session: state.session })]
}

/** A skip list: if two skips of equal length follow each other, the new node skips both and one step more. */
const createNode = (parent: Node | undefined, details: Fields | undefined): Node => {
  const [near, next] = [parent?.far, parent?.far?.far]
  const isDoubled = parent && near && next && parent.depth - near.depth === near.depth - next.depth
  return { parent, far: isDoubled ? next : parent, depth: (parent?.depth ?? 0) + 1, details }
}

/** Whether a node is an ancestor of another one, or the same node. */
const isAbove = (node: Node, other: Node | undefined): boolean => {
  let at = other
  while (at && at.depth > node.depth) at = at.far && at.far.depth >= node.depth ? at.far : at.parent
  return at === node
}

/** The list in an entry: in the details of a result, or in a separate entry of the agent. */
const listIn = (entry: Fields, lists: PiLists): Fields | undefined => {
  const beside = lists.beside?.(entry)
  if (beside) return beside
  const message = fieldsOf(entry.message)
  return message.role === "toolResult" ? lists.answered(message.toolName, message.details)?.list : undefined
}

const titled = (name: unknown, { session }: State): Signal[] => {
  const title = nameIn(name)
  return title === undefined ? [] : [{ type: "session", ...known({ session }), title }]
}

/** The task of a sub-agent. */
const begun = ({ task, agent }: Fields, { session }: State): Signal[] => [
  { type: "session", ...known({ session, role: nameIn(agent) }) },
  ...asked("main", assignmentIn(textOf(task) ?? "")),
]

/** The task of a sub-agent, without the sentence that oh-my-pi puts before it. */
const assignmentIn = (text: string): string => text.replace(/^Complete assignment thoroughly:\s*/, "")

const readContent = (entry: Fields, state: State, lists: PiLists): Signal[] => {
  const at = entry.timestamp
  if (entry.type === "title_change") return titled(entry.title, state)
  // If the name was removed, the first prompt becomes the title again.
  if (entry.type === "session_info") return titled(textOf(entry.name) ?? state.asked, state)
  if (entry.type === "session_init") return begun(entry, state)
  if (entry.type === "model_change")
    return [
      { type: "session", ...known({ session: state.session, model: textOf(entry.model) ?? textOf(entry.modelId) }) },
    ]
  if (entry.type === "custom") return entry.customType === "session_exit" ? [activity("main", "ended", { at })] : []
  const message = fieldsOf(entry.message)
  if (message.role === "user") {
    state.open.forget("main")
    const words = assignmentIn(wordsOf(message.content))
    state.asked ??= textOf(words)
    return [...asked("main", words), activity("main", "prompt", { at })]
  }
  if (message.role === "toolResult") return readResult(message, at, state, lists)
  if (message.role !== "assistant") return []
  const parts = objectsOf(message.content).flatMap((part) => readPart(part, at, state, lists))
  const error = errorIn(message)
  if (error !== undefined) return [...parts, failedTurn("main", error, { at })]
  return message.stopReason === "stop" ? [...parts, activity("main", "turn-ended", { at })] : parts
}

const readPart = (part: Fields, at: unknown, { session, open, work }: State, lists: PiLists): Signal[] => {
  if (part.type === "text") return [activity("main", "text", { at })]
  if (part.type !== "toolCall") return []
  const callId = textOf(part.id)
  const list = lists.called(part.name, part.arguments)
  const asks = questionByCall(lists.asking ?? {}, textOf(part.name) ?? "", part.arguments)
  const question = callId === undefined ? [] : open.made("main", callId, { at, asks })
  if (!list) {
    const began = work.began("main", { callId, tool: textOf(part.name) ?? "", input: part.arguments, at })
    return [activity("main", "tool", { tool: part.name, on: gistOf(part.arguments), at }), ...began, ...question]
  }
  if (list === "read from its result" || callId === undefined) return []
  const { dialect, ...call } = list
  return [seenCall("main", dialect, { ...call, callId, at, session })]
}

const readResult = (message: Fields, at: unknown, { open, work }: State, lists: PiLists): Signal[] => {
  const callId = textOf(message.toolCallId)
  if (callId === undefined) return []
  const ended = work.isWanted ? work.ended("main", callId, piResult(message, message.isError === true), at) : []
  if (!lists.answered(message.toolName, message.details)) return [...ended, ...open.answered("main", callId, { at })]
  open.settled(callId)
  const result = textOf(objectsOf(message.content)[0]?.text)
  return [...ended, { type: "result", callId, ok: message.isError !== true, ...known({ result }) }]
}
