/** Reads Grok's calls, which its formats report once at the beginning and then as updates until the end. */
import { isRecord } from "../../plan/log/shape.ts"
import {
  activity,
  type Fields,
  fieldsOf,
  known,
  objectsOf,
  seenCall,
  textOf,
  waits,
  worked,
} from "../../streams/line.ts"
import type { Signal, Wants } from "../../streams/stream.ts"
import { createWork } from "../../streams/work.ts"
import { commonTools } from "../common-tools.ts"
import { type OwnTool, ownTool } from "../own-tool.ts"
import { type AskingTools, questionByCall } from "../questions.ts"
import { updateResult } from "./_work.ts"

export const nativeTool = "todo_write"

/** The tools with which it asks the person. */
const askingTools: AskingTools = { ask_user_question: "question", exit_plan_mode: "plan" }

/** Unfinished calls of list tools, by id. `isTold` if the input was already reported. */
export type OpenCalls = [callId: string, list: OwnTool & { isTold?: boolean }][]

export const createCalls = (from: OpenCalls = [], wants?: Wants) => {
  const open = new Map(from)
  const work = createWork(wants?.work ? commonTools : undefined)

  /** Calls of other tools as work: reported when they begin, and with their outcome when they end. */
  const done = (update: Fields, { tool, name, input, at }: Work): Signal[] => {
    const callId = textOf(update.toolCallId)
    if (!work.isWanted || callId === undefined) return []
    if (tool !== undefined) return work.began("main", { callId, tool: name ?? "", input, at })
    const { status } = update
    return status === "completed" || status === "failed" ? work.ended("main", callId, updateResult(update), at) : []
  }

  return {
    open: (): OpenCalls => [...open],

    /** `tool` is only given at the beginning of a call. */
    read: (update: Fields, tool: string | undefined, at?: unknown): Signal[] => {
      const callId = textOf(update.toolCallId)
      const { input, name } = calledWith(update.rawInput, tool)
      const list = (tool === undefined ? undefined : listTool(name)) ?? open.get(callId ?? "")
      const about = { tool, name, input, at }
      if (!list || callId === undefined) return [...otherWork(update, about), ...done(update, about)]
      const { isTold = false } = open.get(callId) ?? {}
      const isCall = !isTold && isRecord(input)
      open.set(callId, { dialect: list.dialect, tool: list.tool, isTold: isTold || isCall })
      const call = isCall ? [seenCall("main", list.dialect, { tool: list.tool, input, callId, at })] : []
      const { status } = update
      if (status !== "completed" && status !== "failed") return call
      open.delete(callId)
      return [...call, { type: "result", callId, ok: status === "completed", ...known({ result: resultOf(update) }) }]
    },
  }
}

type Work = { tool: string | undefined; name: string | undefined; input: unknown; at: unknown }

/** Calls of other tools as activity: their beginning, their question to the person, and their end. */
const otherWork = ({ status }: Fields, { tool, name, input, at }: Work): Signal[] => {
  if (tool === undefined)
    return status === "completed" || status === "failed" ? [activity("main", "tool", { at, isResult: true })] : []
  const asks = questionByCall(askingTools, name ?? "", input)
  return [...worked("main", { tool: name, input, at }), ...(asks ? [waits("main", asks, { at })] : [])]
}

/** The name and input of a call. Servers' tools are called through another tool, which gets their name. */
const calledWith = (rawInput: unknown, tool: string | undefined): { name: string | undefined; input: unknown } => {
  const { tool_name: inner, tool_input: input } = fieldsOf(rawInput)
  return typeof inner === "string" ? { name: inner, input } : { name: tool, input: rawInput }
}

const listTool = (name: string | undefined): OwnTool | undefined =>
  name === nativeTool ? { dialect: "cursor", tool: nativeTool } : ownTool(name)

const resultOf = ({ content, rawOutput }: Fields): unknown => {
  const texts = objectsOf(content).flatMap((part) => textOf(fieldsOf(part.content).text) ?? [])
  return texts.length > 0 ? texts.join("\n") : (rawOutput ?? undefined)
}
