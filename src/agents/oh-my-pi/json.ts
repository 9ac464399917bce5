/** oh-my-pi's `--mode json`: tool executions as they start and end; the end of a todo call tells the whole list. */

import {
  activity,
  asked,
  type Fields,
  fieldsOf,
  interrupted,
  jsonLines,
  known,
  message,
  nameIn,
  objectsOf,
  seenCall,
  textOf,
  worked,
} from "../../streams/line.ts"
import type { Signal, Stream } from "../../streams/stream.ts"
import { wordsOf } from "../blocks.ts"
import { ownToolNeedles } from "../own-tool.ts"
import { listCall, listResult, phasesSnapshot } from "./_todo.ts"

export const ohMyPiJson = {
  id: "oh-my-pi-json",
  agentType: "oh-my-pi",
  title: "omp --mode json",
  printedBy: { command: "omp", words: [["--mode json"]] },
  // The header proves nothing: the session file begins with the same one.
  recognises: ({ type, toolCallId, toolName }) =>
    type === "agent_start" ||
    type === "agent_end" ||
    (typeof type === "string" &&
      /^tool_execution_(?:start|update|end)$/.test(type) &&
      typeof toolName === "string" &&
      typeof toolCallId === "string"),
  // The tool's name where it is a value, our own tool's, and the header's `cwd`.
  needles: [':"todo', ownToolNeedles.underscore, 'wd":"'],
  open: () => {
    let session: string | undefined
    /** Why the last message broke off. A client that tries again begins another one. */
    let error: string | undefined
    return jsonLines((line) => {
      const { type } = line
      if (type === "session") {
        session = textOf(line.id) ?? session
        return [{ type: "session", ...known({ session, project: textOf(line.cwd), title: nameIn(line.title) }) }]
      }
      if (type === "tool_execution_start") return readStart(line, session)
      if (type === "tool_execution_end") return readEnd(line, session)
      if (type === "message_end") {
        const message = fieldsOf(line.message)
        if (message.role === "assistant") error = errorIn(message)
        return readMessage(message)
      }
      // Stopping with todos left makes the client ask again; the todos it names are only those that are open.
      if (type === "agent_start" || type === "todo_reminder") return [activity("main", "prompt")]
      return type === "agent_end" ? [activity("main", "turn-ended", { error })] : []
    })
  },
} satisfies Stream

const errorIn = ({ stopReason, errorMessage }: Fields): string | undefined => {
  if (stopReason === "aborted") return interrupted
  return stopReason === "error" ? (textOf(errorMessage) ?? "error") : undefined
}

const readMessage = ({ role, content }: Fields): Signal[] => {
  if (role === "user") return asked("main", wordsOf(content))
  return role === "assistant" ? [activity("main", "text"), ...message("main", wordsOf(content))] : []
}

const readStart = ({ toolName, toolCallId, args: input }: Fields, session: string | undefined): Signal[] => {
  const callId = textOf(toolCallId)
  const list = listCall(toolName, input)
  if (!list) return worked("main", { tool: toolName, input })
  const { dialect, ...call } = list
  return callId === undefined ? [] : [seenCall("main", dialect, { ...call, callId, session })]
}

const readEnd = (line: Fields, session: string | undefined): Signal[] => {
  const answer = fieldsOf(line.result)
  const said = listResult(line.toolName, answer.details)
  if (!said) return []
  const callId = textOf(line.toolCallId)
  const ok = line.isError !== true && answer.isError !== true
  const result = textOf(objectsOf(answer.content)[0]?.text)
  return [
    ...(callId === undefined ? [] : [{ type: "result", callId, ok, ...known({ result }) } satisfies Signal]),
    ...(said.list ? [phasesSnapshot(said.list, { session })] : []),
  ]
}
