/** Codex's `codex exec --json`: turns and items. The plan is a list of texts, each completed or not. */
import { warning } from "../../plan/index.ts"
import {
  activity,
  type Fields,
  failedTurn,
  fieldsOf,
  jsonLines,
  known,
  listOf,
  message,
  objectsOf,
  seenCall,
  snapshot,
  subAgentNamed,
  textOf,
  worked,
} from "../../streams/line.ts"
import type { Signal, Stream, StreamReader, Wants } from "../../streams/stream.ts"
import { type OwnTool, ownToolOf } from "../own-tool.ts"
import { itemSignals } from "./_work.ts"

const tools = ["command_execution", "file_change", "mcp_tool_call", "collab_tool_call", "web_search"]
const talk = ["agent_message", "reasoning"]
/** Kinds of items that may have no start event, so that the completed item is their first event. */
const withoutStart = ["file_change", "web_search"]

export const codexExec = {
  id: "codex-exec",
  agentType: "openai-codex",
  title: "codex exec --json",
  printedBy: {
    command: "codex",
    words: [
      ["exec", "e"],
      ["--json", "--experimental-json"],
    ],
  },
  recognises: ({ type, item, thread_id }) => {
    if (type === "thread.started") return typeof thread_id === "string"
    if (type === "turn.started" || type === "turn.completed" || type === "turn.failed") return true
    return typeof type === "string" && /^item\.(?:started|updated|completed)$/.test(type) && typeof item === "object"
  },
  // `todo_list` items, calls of our own tool, the ids of spawned threads, and `thread.started`; underscore and dot are
  // rare in this format.
  needles: ["_list", '"headway"', '_ids"', ".start"],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => {
    let session: string | undefined
    const children = new Set<string>()
    return jsonLines((line) => {
      if (line.type === "thread.started") {
        session = textOf(line.thread_id) ?? session
        return [{ type: "session", ...known({ session }) }]
      }
      if (line.type === "turn.started") return [activity("main", "prompt")]
      if (line.type === "turn.completed") return [activity("main", "turn-ended")]
      if (line.type === "turn.failed") {
        const reason = fieldsOf(line.error).message
        return [...message("main", reason), failedTurn("main", reason)]
      }
      if (line.type === "error") return message("main", line.message)
      const item = fieldsOf(line.item)
      if (item.type === "todo_list") return [Array.isArray(item.items) ? planOf(item, session) : withoutItems]
      const own = item.type === "mcp_tool_call" ? ownToolOf(item.server, item.tool) : undefined
      if (own) return ownCall(line.type, item, own, session)
      const work = wants?.work ? itemSignals(item, "main", line.type === "item.completed") : []
      return [...spawned(item, session, children), ...activityOf(line.type, item), ...work]
    }) satisfies StreamReader
  },
} satisfies Stream

/**
 * Every event of the item contains the whole list, even `item.completed`, which only means that the turn is over. A
 * step that is not completed may be in progress: the list's `statusPrecision` says so. `listId` is the item's id.
 */
const planOf = (item: Fields, session: string | undefined): Signal => {
  const plan = listOf(item.items).map((one) => {
    const { text, completed, status } = fieldsOf(one)
    return { step: text, status: typeof completed === "boolean" ? (completed ? "completed" : "pending") : status }
  })
  const input = { plan, statusPrecision: "binary", ...known({ listId: textOf(item.id) }) }
  return snapshot("main", "codex", { tool: "update_plan", input, session })
}

const withoutItems: Signal = {
  type: "problem",
  problem: warning("list-without-items", "A todo_list item came without its items and was skipped."),
}

/** The start of a call of our tool, or its end with our reply. */
const ownCall = (event: unknown, item: Fields, { dialect, tool }: OwnTool, session: string | undefined): Signal[] => {
  const callId = textOf(item.id)
  if (callId === undefined || event === "item.updated") return []
  const call = seenCall("main", dialect, { tool, input: item.arguments, callId, session })
  if (event !== "item.completed") return [call]
  const ok = item.status !== "failed" && !item.error
  // A recording that begins in the middle may contain only the end.
  return [call, { type: "result", callId, ok, ...known({ result: item.result ?? undefined }) }]
}

/** Reports sub-agents. Their existence is visible on this stream, their plans are not. */
const spawned = (item: Fields, session: string | undefined, children: Set<string>): Signal[] => {
  if (item.type !== "collab_tool_call" || item.tool !== "spawn_agent") return []
  const ids = listOf(item.receiver_thread_ids).flatMap((id) => textOf(id) ?? [])
  return ids.map(subAgentNamed).flatMap((agent): Signal[] => {
    if (children.has(agent)) return []
    children.add(agent)
    const parent = { agent: "main", ...known({ session, callId: textOf(item.id) }) }
    return [{ type: "session", ...known({ session }), agent, parent }]
  })
}

const activityOf = (event: unknown, item: Fields): Signal[] => {
  const type = textOf(item.type) ?? ""
  if (type === "error") return message("main", item.message)
  if (talk.includes(type)) {
    if (event !== "item.completed") return []
    return [activity("main", "text"), ...(type === "agent_message" ? message("main", item.text) : [])]
  }
  if (!tools.includes(type) || event === "item.updated") return []
  if (event === "item.completed" && !withoutStart.includes(type)) return []
  return worked("main", { tool: textOf(item.tool) ?? type, input: item.arguments ?? workedOn(item) })
}

/** The subject of an item, for which items have no common field: a command, a query, or the changed files. */
const workedOn = ({ command, query, changes, prompt }: Fields): unknown =>
  textOf(command) ??
  textOf(query) ??
  textOf(prompt) ??
  objectsOf(changes)
    .flatMap(({ path }) => textOf(path) ?? [])
    .join(" ")
