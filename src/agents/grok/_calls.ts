/** Grok's calls as its formats tell them: begun once, then updated until they are through. */
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
import { type AskingTools, askedBy } from "../asked.ts"
import { commonTools } from "../common-tools.ts"
import { type OwnTool, ownTool } from "../own-tool.ts"
import { updateResult } from "./_work.ts"

export const nativeTool = "todo_write"

/** The tools by which it asks the person. */
const askingTools: AskingTools = { ask_user_question: "question", exit_plan_mode: "plan" }

/** Calls of list tools that are not through, by id; `isTold` when it was said what they are called with. */
export type OpenCalls = [callId: string, list: OwnTool & { isTold?: boolean }][]

export const createCalls = (from: OpenCalls = [], wants?: Wants) => {
  const open = new Map(from)
  const work = createWork(wants?.work ? commonTools : undefined)

  /** What else was done: said when it begins, with what it came to when it is through. */
  const done = (update: Fields, { tool, name, input, at }: Work): Signal[] => {
    const callId = textOf(update.toolCallId)
    if (!work.isWanted || callId === undefined) return []
    if (tool !== undefined) return work.began("main", { callId, tool: name ?? "", input, at })
    const { status } = update
    return status === "completed" || status === "failed" ? work.ended("main", callId, updateResult(update), at) : []
  }

  return {
    open: (): OpenCalls => [...open],

    /** `tool` is known when a call begins. */
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

/** A call that has nothing to do with a list: that it is made, what it asks the person, and that it is through. */
const otherWork = ({ status }: Fields, { tool, name, input, at }: Work): Signal[] => {
  if (tool === undefined)
    return status === "completed" || status === "failed" ? [activity("main", "tool", { at, isResult: true })] : []
  const asks = askedBy(askingTools, name ?? "", input)
  return [...worked("main", { tool: name, input, at }), ...(asks ? [waits("main", asks, { at })] : [])]
}

/** Tools of servers are called through another tool, by their names. */
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
