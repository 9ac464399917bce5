/** The common part of formats shaped like Claude Code's: messages made of blocks, with calls and their results. */
import type { ToolCall } from "../dialects/dialect.ts"
import { isRecord } from "../plan/log/shape.ts"
import {
  activity,
  asked,
  type Fields,
  failedTurn,
  fieldsOf,
  interrupted,
  known,
  message,
  nameIn,
  objectsOf,
  observed,
  seenCall,
  snapshot,
  textOf,
  worked,
} from "../streams/line.ts"
import { createOpenCalls } from "../streams/open-calls.ts"
import { createSeenCalls, type SeenId } from "../streams/seen-calls.ts"
import type { Signal } from "../streams/stream.ts"
import { createWork, type WorkResult, type WorkTools } from "../streams/work.ts"
import { type OwnTool, ownTool } from "./own-tool.ts"
import { type AskingTools, questionByCall } from "./questions.ts"

/** The tools that keep the list, by name. All agents of a session write to a shared list. */
export type ListTools = Readonly<Record<string, { dialect: string; isShared?: true }>>

/**
 * The agent of a line, and its time if the line has one. In a fork, a line copied from the original session is ignored
 * for a shared list, because the fork has its own list.
 */
export type Speaker = { agent: string; at?: unknown; isCopied?: boolean }

/** How an agent's tool results express their outcome. */
export type BlockWork = {
  tools: WorkTools
  resultOf(block: Fields, data: Fields | undefined, text: string): WorkResult
  /** The id of a command that continues in the background. */
  backgroundOf(data: Fields | undefined, text: string): string | undefined
  /** The id of the background command whose output a call requests. */
  runRequestedBy(input: unknown): string | undefined
  /** The outcome of a background command, if its end is reported. */
  runResultIn(text: string): WorkResult | undefined
  /** The end of a background command in a note of the client, outside of any result. */
  runEndIn(words: string): { run: string; result: WorkResult } | undefined
}

const tasks = { dialect: "claude-tasks", isShared: true } as const

export const claudeTools: ListTools = {
  TodoWrite: { dialect: "claude-todos" },
  TaskCreate: tasks,
  TaskUpdate: tasks,
  TaskGet: tasks,
  TaskList: tasks,
}

/** The old and the current name of the tool that starts a sub-agent. */
export const claudeAgentTools = ["Task", "Agent"]

/** The content of a line's message. */
export const contentOf = (line: Fields): unknown => fieldsOf(line.message).content

/** The text of a content, which is a string or has text blocks. */
export const wordsOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : objectsOf(content)
        .flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []))
        .join("\n")

/** A sub-agent's task and kind, from the call that started it. */
export const orderOf = (input: unknown): { title?: string; role?: string } => {
  const { description, subagent_type } = fieldsOf(input)
  return known({ title: nameIn(description), role: nameIn(subagent_type) })
}

/** The calls of these tools in a content that have an id. */
export const callsOf = (content: unknown, tools: readonly string[]): { callId: string; input: unknown }[] =>
  objectsOf(content).flatMap(({ type, name, id, input }) => {
    const callId = textOf(id)
    return type === "tool_use" && callId && tools.includes(textOf(name) ?? "") ? [{ callId, input }] : []
  })

/** Whether a content calls one of these tools, with an id or without. */
export const usesTool = (content: unknown, tools: readonly string[]): boolean =>
  objectsOf(content).some(({ type, name }) => type === "tool_use" && tools.includes(textOf(name) ?? ""))

/** The results in a content, each with the id of its call. */
export const resultsOf = (content: unknown): { callId: string; block: Fields }[] =>
  objectsOf(content).flatMap((block) => {
    const callId = textOf(block.tool_use_id)
    return block.type === "tool_result" && callId ? [{ callId, block }] : []
  })

/** Tasks listed separately from the calls, as a `TaskList` would. Parallel updates lose `blocks`; only `blockedBy` is kept. */
export const taskList = (found: readonly Fields[], at?: unknown): ToolCall =>
  observed({ tool: "TaskList", input: {}, result: { tasks: found.map(({ blocks: _, ...rest }) => rest) }, at })

/** Reads the messages of one stream and remembers which calls of list tools were made, and which calls are open. */
export const createBlocks = (
  tools: ListTools,
  asking: AskingTools,
  { calls = [], work: shape }: { calls?: readonly SeenId[] | undefined; work?: BlockWork | undefined } = {},
) => {
  const made = createSeenCalls(calls)
  const open = createOpenCalls()
  const work = createWork(shape?.tools)
  /** The background command whose output a call requests, by call id. */
  const asks = new Map<string, string>()

  const began = (agent: string, call: { callId: string | undefined; tool: string; input: unknown; at?: unknown }) => {
    const run = shape?.runRequestedBy(call.input)
    if (run !== undefined && call.callId !== undefined) asks.set(call.callId, run)
    return work.began(agent, call)
  }

  const ended = (agent: string, callId: string, block: Fields, data: Fields | undefined, at: unknown): Signal[] => {
    if (!shape) return []
    const text = wordsOf(block.content)
    const run = asks.get(callId)
    asks.delete(callId)
    const printed = run === undefined ? undefined : shape.runResultIn(text)
    const about = printed && run !== undefined ? work.heardOf(agent, run, printed, at) : []
    const background = shape.backgroundOf(data, text)
    if (background !== undefined) work.wentOn(callId, background)
    const result = background === undefined ? shape.resultOf(block, data, text) : ({ isRunning: true } as const)
    return [...about, ...work.ended(agent, callId, result, at)]
  }

  const called = ({ id, name, input }: Fields, { agent, at, isCopied = false }: Speaker): Signal[] => {
    const given = textOf(name) ?? ""
    const list = listTool(tools, given)
    const callId = textOf(id)
    const asked = questionByCall(asking, given, input)
    const question = callId === undefined ? [] : open.made(agent, callId, { at, asks: asked })
    if (!list)
      return [
        ...worked(agent, { tool: given, input, at }),
        ...began(agent, { callId, tool: given, input, at }),
        ...question,
      ]
    if (list.isShared && isCopied) return []
    const whose = list.isShared ? "main" : agent
    // A result cannot be matched to a call without an id, so the call itself counts as accepted.
    if (callId === undefined) return [snapshot(whose, list.dialect, { tool: list.tool, input, at })]
    if (!made.isNew(callId, input)) return []
    return [seenCall(whose, list.dialect, { tool: list.tool, input, callId, at })]
  }

  return {
    /** The last calls of list tools, oldest first. */
    made: made.last,

    /** Reads the text and calls of an assistant's message. Calls of list tools are not activity. */
    spoken: (content: unknown, speaker: Speaker): Signal[] =>
      objectsOf(content).flatMap((block) => {
        if (block.type === "tool_use") return called(block, speaker)
        const words = block.type === "text" ? message(speaker.agent, block.text) : []
        return words.length > 0 ? [activity(speaker.agent, "text", speaker), ...words] : []
      }),

    /**
     * Reads the results on a user line. The structured data belongs to a single call; if a line has several results,
     * their texts are used.
     */
    answered: (content: unknown, structured: unknown, { agent, at, isCopied = false }: Speaker): Signal[] => {
      const results = resultsOf(content)
      const data = results.length === 1 && isRecord(structured) ? structured : undefined
      return results.flatMap(({ callId, block }): Signal[] => {
        const text = wordsOf(block.content)
        if (made.has(callId)) {
          open.settled(callId)
          return [{ type: "result", callId, ok: !isRefused(block, data, text), result: data ?? text }]
        }
        const done = isInterruption(text)
          ? [failedTurn(agent, interrupted, { at })]
          : open.answered(agent, callId, { at })
        // The call may be missing if reading began later, but a whole list is useful even without its call.
        const found = objectsOf(data?.tasks).filter(({ subject }) => typeof subject === "string")
        const list = found.length === 0 || isCopied ? [] : [snapshot("main", tasks.dialect, taskList(found, at))]
        return [...list, ...ended(agent, callId, block, data, at), ...done]
      })
    },

    /** Reads the client's notes about background commands, which are written as user messages. */
    noted(content: unknown, { agent, at }: Speaker): Signal[] {
      const note = shape?.runEndIn(wordsOf(content))
      return note ? work.heardOf(agent, note.run, note.result, at) : []
    },

    /** Call this when the person has sent a prompt or the turn is over: open calls will get no result. */
    forget: open.forget,
  }
}

/** The list tool of that name: one of the agent's, or ours. */
const listTool = (tools: ListTools, name: string): (OwnTool & { isShared?: true }) | undefined => {
  const native = Object.hasOwn(tools, name) ? tools[name] : undefined
  return native ? { ...native, tool: name } : ownTool(name)
}

/** Whether a result's text is a refusal. The client does not mark an unknown task or a hook's veto as an error. */
export const isRefusal = (text: string): boolean =>
  /^(?:<tool_use_error>|Task not found|Task\w+ hook feedback:)/.test(text)

const isRefused = (block: Fields, data: Fields | undefined, text: string): boolean =>
  block.is_error === true || data?.success === false || isRefusal(text)

/** Reads a user line without results: a prompt, an interruption, or a text by the client itself. */
export const prompted = (line: Fields, { agent, at }: Speaker): Signal[] => {
  const content = contentOf(line)
  const isOwn = line.isMeta === true || line.isSynthetic === true || line.isCompactSummary === true
  if (isOwn || resultsOf(content).length > 0) return []
  const words = wordsOf(content)
  if (words === "") return []
  if (isInterruption(words)) return [failedTurn(agent, interrupted, { at })]
  // Most slash commands are about the client itself, but some begin work.
  const isCommand = /^<(?:local-command|command|bash)-/.test(words)
  return [...asked(agent, words), ...(isCommand ? [] : [activity(agent, "prompt", { at })])]
}

const isInterruption = (words: string): boolean => words.startsWith("[Request interrupted by user")

/**
 * Whether the result of the call that started a sub-agent means its end. For one in the background it only means the
 * start.
 */
export const isFinal = (structured: unknown): boolean => {
  const { status } = fieldsOf(structured)
  return status === undefined || status === "completed"
}
