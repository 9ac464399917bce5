/**
 * Continue's session files, `~/.continue/sessions/<session>.json`: one document with all messages, each call with its
 * outcome.
 */
import { parseJson } from "../../plan/json.ts"
import {
  activity,
  asked,
  type Fields,
  fieldsOf,
  jsonLines,
  known,
  message,
  nameIn,
  objectsOf,
  seenCall,
  textOf,
  worked,
} from "../../streams/line.ts"
import type { Signal, Stream, Wants } from "../../streams/stream.ts"
import { createWork } from "../../streams/work.ts"
import { wordsOf } from "../blocks.ts"
import { commonResult, commonTools } from "../common-tools.ts"
import { type OwnTool, ownToolOf, serverName } from "../own-tool.ts"

export const continueSession = {
  id: "continue-session",
  agentType: "continue-cli",
  title: "Continue session file",
  isDocument: true,
  recognises: ({ sessionId, history, workspaceDirectory }) =>
    typeof sessionId === "string" && Array.isArray(history) && typeof workspaceDirectory === "string",
  needles: ["history"],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => {
    const work = createWork(wants?.work ? commonTools : undefined)
    return jsonLines((document) => readSession(document, work))
  },
} satisfies Stream

type Work = ReturnType<typeof createWork>

const readSession = ({ sessionId, workspaceDirectory, title, history }: Fields, work: Work): Signal[] => {
  const session = textOf(sessionId)
  const about = {
    session,
    project: textOf(workspaceDirectory),
    title: placeholders.includes(title) ? undefined : nameIn(title),
  }
  return [{ type: "session", ...known(about) }, ...objectsOf(history).flatMap((item) => readItem(item, session, work))]
}

/** Its placeholder titles, in the command line and its editors. */
const placeholders: readonly unknown[] = ["Untitled Session", "New Session"]

const readItem = ({ message: record, toolCallStates }: Fields, session: string | undefined, work: Work): Signal[] => {
  const { role, content, usage } = fieldsOf(record)
  if (role === "user") return [...asked("main", wordsOf(content)), activity("main", "prompt")]
  if (role !== "assistant") return []
  const model = textOf(fieldsOf(usage).model)
  const calls = objectsOf(toolCallStates)
  const words = message("main", wordsOf(content))
  return [
    ...(model === undefined ? [] : [{ type: "session", ...known({ session }), model } satisfies Signal]),
    ...(words.length > 0 ? [activity("main", "text"), ...words] : []),
    ...calls.flatMap((call) => readCall(call, session, work)),
    // The model continues after every call, so only a message without calls ends the turn.
    ...(calls.length === 0 ? [activity("main", "turn-ended")] : []),
  ]
}

/** The final states of a call. */
const ends = ["done", "errored", "canceled"]

const readCall = (state: Fields, session: string | undefined, work: Work): Signal[] => {
  const { name, arguments: written } = fieldsOf(fieldsOf(state.toolCall).function)
  const tool = textOf(name)
  const callId = textOf(state.toolCallId)
  const given = fieldsOf(state.parsedArgs ?? (typeof written === "string" ? parseJson(written) : undefined))
  const list = listTool(tool)
  if (!list || callId === undefined)
    return [
      ...worked("main", { tool, input: given }),
      ...workIn(state, { callId, tool: tool ?? "", input: given }, work),
    ]
  const input = tool === checklist ? { todos: given.checklist } : given
  const call = seenCall("main", list.dialect, { tool: list.tool, input, callId, session })
  const status = textOf(state.status) ?? ""
  if (!ends.includes(status)) return [call]
  return [call, { type: "result", callId, ok: status === "done", result: textIn(state.output) }]
}

/** Only the failure of a command is recorded, not its exit code. */
const workIn = (
  { status, output }: Fields,
  call: { callId: string | undefined; tool: string; input: Fields },
  work: Work,
): Signal[] => {
  const began = work.began("main", call)
  if (!work.isWanted || call.callId === undefined || !ends.includes(String(status))) return began
  const result = commonResult(textIn(output), { isError: status !== "done" })
  return [...began, ...work.ended("main", call.callId, status === "canceled" ? { ...result, isRefused: true } : result)]
}

const checklist = "Checklist"

/** A server's tool has only its own name, without the server's. */
const listTool = (name: string | undefined): OwnTool | undefined =>
  name === checklist ? { dialect: "roo", tool: "update_todo_list" } : ownToolOf(serverName, name)

/** The text that a tool returned. For a server's tool, the output is the JSON of the result's parts. */
const textIn = (output: unknown): string => {
  const text = objectsOf(output)
    .flatMap(({ content }) => textOf(content) ?? [])
    .join("\n")
  const parts = text.startsWith("[") ? wordsOf(parseJson(text)) : ""
  return parts === "" ? text : parts
}
