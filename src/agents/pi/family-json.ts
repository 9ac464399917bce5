/**
 * Reads the `--mode json` output of pi and its forks: the starts and ends of tool calls. The end of a list call
 * contains the whole list.
 */
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
import type { Signal, StreamReader, Wants } from "../../streams/stream.ts"
import { createWork, type WorkResult } from "../../streams/work.ts"
import { wordsOf } from "../blocks.ts"
import { codeIn, commonResult, commonTools } from "../common-tools.ts"
import type { PiLists } from "./family-lists.ts"

/**
 * Whether a line has this format, from any agent of the family. The header does not count, because session files begin
 * with the same one.
 */
export const isPiJson = ({ type, toolCallId, toolName, message }: Fields): boolean => {
  if (type === "agent_start" || type === "agent_end") return true
  if (type === "message_start" || type === "message_update" || type === "message_end")
    return type === "message_update" || typeof fieldsOf(message).role === "string"
  return (
    typeof type === "string" &&
    /^tool_execution_(?:start|update|end)$/.test(type) &&
    typeof toolName === "string" &&
    typeof toolCallId === "string"
  )
}

export const openPiJson = (lists: PiLists, wants?: Wants): StreamReader => {
  const work = createWork(wants?.work ? commonTools : undefined)
  let session: string | undefined
  /** Why the last message failed. A retry starts another message. */
  let error: string | undefined
  return jsonLines((line) => {
    const { type } = line
    if (type === "session") {
      session = textOf(line.id) ?? session
      return [{ type: "session", ...known({ session, project: textOf(line.cwd), title: nameIn(line.title) }) }]
    }
    if (type === "tool_execution_start") return [...readStart(line, session, lists), ...piBegan(work, lists, line)]
    if (type === "tool_execution_end") return [...readEnd(line, session, lists), ...piEnded(work, lists, line)]
    if (type === "message_end") {
      const message = fieldsOf(line.message)
      if (message.role === "assistant") error = errorIn(message)
      return readMessage(message)
    }
    // Some clients prompt the model again if todos are left. Their reminder names only open todos, so it is not a list.
    if (type === "agent_start" || type === "todo_reminder") return [activity("main", "prompt")]
    return type === "agent_end" ? [activity("main", "turn-ended", { error })] : []
  })
}

type Work = ReturnType<typeof createWork>

/** Reports the beginning of a call that is not a list call. */
const piBegan = (work: Work, lists: PiLists, { toolName, toolCallId, args: input }: Fields): Signal[] =>
  lists.called(toolName, input)
    ? []
    : work.began("main", { callId: textOf(toolCallId), tool: textOf(toolName) ?? "", input })

const piEnded = (work: Work, lists: PiLists, { toolName, toolCallId, result, isError }: Fields): Signal[] => {
  const callId = textOf(toolCallId)
  if (!work.isWanted || callId === undefined) return []
  const answer = fieldsOf(result)
  if (lists.answered(toolName, answer.details)?.list) return []
  return work.ended("main", callId, piResult(answer, isError === true || answer.isError === true))
}

/** A failed command has its exit code after its output, or in the details. */
export const piResult = ({ content, details }: Fields, isError: boolean): WorkResult => {
  const text = wordsOf(content)
  const { exitCode } = fieldsOf(details)
  const code =
    typeof exitCode === "number" ? exitCode : codeIn(/\bexited with code (\d{1,3})\.?\s*$/i, text.slice(-500))
  return commonResult(text, { code, isError })
}

export const errorIn = ({ stopReason, errorMessage }: Fields): string | undefined => {
  if (stopReason === "aborted") return interrupted
  return stopReason === "error" ? (textOf(errorMessage) ?? "error") : undefined
}

const readMessage = ({ role, content }: Fields): Signal[] => {
  if (role === "user") return asked("main", wordsOf(content))
  return role === "assistant" ? [activity("main", "text"), ...message("main", wordsOf(content))] : []
}

const readStart = (line: Fields, session: string | undefined, lists: PiLists): Signal[] => {
  const { toolName, toolCallId, args: input } = line
  const callId = textOf(toolCallId)
  const list = lists.called(toolName, input)
  if (!list) return worked("main", { tool: toolName, input })
  if (list === "read from its result" || callId === undefined) return []
  const { dialect, ...call } = list
  return [seenCall("main", dialect, { ...call, callId, session })]
}

const readEnd = (line: Fields, session: string | undefined, lists: PiLists): Signal[] => {
  const answer = fieldsOf(line.result)
  const reply = lists.answered(line.toolName, answer.details)
  if (!reply) return []
  const callId = textOf(line.toolCallId)
  const ok = line.isError !== true && answer.isError !== true
  const result = textOf(objectsOf(answer.content)[0]?.text)
  return [
    ...(callId === undefined ? [] : [{ type: "result", callId, ok, ...known({ result }) } satisfies Signal]),
    ...(reply.list ? [lists.snapshot(reply.list, { session })] : []),
  ]
}
