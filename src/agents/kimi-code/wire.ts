/**
 * Kimi Code's session files, `~/.kimi-code/sessions/<workspace>/<session>/agents/<agent>/wire.jsonl`: one file per
 * agent.
 */
import { isRecord } from "../../plan/log/shape.ts"
import {
  activity,
  asked,
  type Fields,
  failedTurn,
  fieldsOf,
  interrupted,
  jsonLines,
  known,
  listOf,
  nameIn,
  seenCall,
  snapshot,
  subAgentNamed,
  textOf,
  waits,
} from "../../streams/line.ts"
import type { Signal, Stream, StreamReader, WaitsFor, Wants } from "../../streams/stream.ts"
import { createWork } from "../../streams/work.ts"
import { commonTools } from "../common-tools.ts"
import { ownReplyNeedles, ownToolNeedles } from "../own-tool.ts"
import { permissionFor, questionByCall, questionFrom } from "../questions.ts"
import { askingTools, listTool, nativeTool } from "./_tools.ts"
import { kimiResult } from "./_work.ts"

export const kimiSession = {
  id: "kimi-session",
  agentType: "kimi-code",
  title: "Kimi Code session file",
  recognises: ({ type, time, agentId, protocol_version, kind }) =>
    (type === "metadata" && typeof protocol_version === "string") ||
    (typeof type === "string" && typeof time === "number" && (typeof agentId === "string" || kind === "event")),
  // Calls, which have the tool's name; results, which have only text or an error flag; stored lists; the first line,
  // about the
  // agent; prompts, and how many of them are taken back; the starts of sub-agents.
  needles: [
    ...["TodoLi", "odo li", '"todo"', 'Error":t', "le.bind", "n.promp", "xt.undo", "agent.sp"],
    ownToolNeedles.claude,
    ...ownReplyNeedles,
  ],
  promptNeedles: ["turn.p", "turn.st"],
  tellsWork: true,
  open: (from?: unknown, wants?: Wants) => openWire(from as Partial<SavedState> | undefined, wants),
} as const satisfies Stream

type SavedState = {
  /** Calls of list tools without a result, by id. */
  open: [callId: string, tool: string][]
  /** The list calls of each turn that the person may still take back, the newest last. */
  turns: string[][]
}

/** The most turns remembered that the person may still take back. */
const mostTurns = 200

const openWire = (
  { open: calls = [], turns: before = [[]] }: Partial<SavedState> = {},
  wants?: Wants,
): StreamReader => {
  const open = new Map(calls)
  const work = createWork(wants?.work ? commonTools : undefined)
  let turns = before

  const called = ({ toolCallId, name, args: input }: Fields, agent: string, at: unknown): Signal[] => {
    const list = listTool(textOf(name))
    const callId = textOf(toolCallId)
    if (!list)
      return [
        activity(agent, "tool", { tool: name, at }),
        ...work.began(agent, { callId, tool: textOf(name) ?? "", input, at }),
      ]
    if (callId === undefined) return []
    open.set(callId, list.tool)
    turns.at(-1)?.push(callId)
    return [seenCall(agent, list.dialect, { tool: list.tool, input, callId, at })]
  }

  const answered = ({ toolCallId, result }: Fields, agent: string, at: unknown): Signal[] => {
    const callId = textOf(toolCallId) ?? ""
    const { output, isError } = fieldsOf(result)
    if (!open.delete(callId))
      return work.isWanted ? work.ended(agent, callId, kimiResult(wordsOf(output) ?? "", isError === true), at) : []
    return [{ type: "result", callId, ok: isError !== true, ...known({ result: wordsOf(output) }) }]
  }

  /**
   * A stored list without an open call, such as one imported from another program. Otherwise the call itself has the
   * list.
   */
  const stored = ({ key, value: todos }: Fields, agent: string, at: unknown): Signal[] =>
    key !== "todo" || !Array.isArray(todos) || [...open.values()].includes(nativeTool)
      ? []
      : [snapshot(agent, "kimi", { tool: nativeTool, input: { todos }, at })]

  const undone = ({ count }: Fields): Signal[] => {
    const kept = Math.max(0, turns.length - (typeof count === "number" ? count : 1))
    const callIds = turns.slice(kept).flat()
    turns = [...turns.slice(0, kept), []]
    return callIds.length > 0 ? [{ type: "rewound", callIds }] : []
  }

  const happened = (event: Fields, agent: string, at: unknown): Signal[] => {
    if (event.type === "tool.call") return called(event, agent, at)
    if (event.type === "tool.result") return answered(event, agent, at)
    return event.type === "content.part" ? [activity(agent, "text", { at })] : []
  }

  const begun = (line: Fields, agent: string): Signal[] => {
    turns = [...turns.slice(1 - mostTurns), []]
    return [...typedIn(line, agent), activity(agent, "prompt", { at: line.time })]
  }

  const reader = jsonLines((line): Signal[] => {
    const { type, time: at } = line
    const agent = agentOf(line.agentId)
    if (type === "context.append_loop_event") return happened(fieldsOf(line.event), agent, at)
    if (type === "tools.update_store") return stored(line, agent, at)
    if (type === "turn.prompt") return begun(line, agent)
    if (type === "turn.steer") return typedIn(line, agent)
    if (type === "context.undo") return undone(line)
    if (type === "profile.bind") return [sessionOf(line, agent)]
    if (type === "interaction.request") return [waits(agent, wantedBy(line), { at })]
    if (type === "interaction.resolved") return [activity(agent, "tool", { at })]
    return type === "turn.ended" ? [ending(line, agent)] : aboutChild(line)
  })
  return { ...reader, snapshot: (): SavedState => ({ open: [...open], turns }) }
}

const agentOf = (id: unknown): string => textOf(id) ?? "main"

/** What the person typed; in a sub-agent's file, its task, which its parent wrote. */
const typedIn = ({ origin, input }: Fields, agent: string): Signal[] => {
  const { kind, name } = fieldsOf(origin)
  const isOrder = agent !== "main" && kind === "system_trigger" && name === "subagent"
  return kind === "user" || isOrder ? asked(agent, wordsOf(input)) : []
}

/** What the client asks the person. It is recorded when it is shown. */
const wantedBy = ({ kind, request }: Fields): WaitsFor | undefined => {
  const given = fieldsOf(request)
  if (kind === "question") return questionFrom(given)
  if (kind !== "approval") return undefined
  // `kind` describes how the content is shown, not what is asked.
  const { kind: _, ...shown } = fieldsOf(given.display)
  const tool = textOf(given.toolName)
  return questionByCall(askingTools, tool ?? "", shown) ?? permissionFor(tool, shown)
}

const sessionOf = (line: Fields, agent: string): Signal => {
  const { modelAlias, environmentDisclosure, activeToolNames, profileName } = line
  return {
    type: "session",
    ...(agent === "main" ? {} : { agent }),
    ...known({
      project: textOf(fieldsOf(environmentDisclosure).cwd),
      model: textOf(modelAlias),
      tools: Array.isArray(activeToolNames) ? activeToolNames.flatMap((name) => textOf(name) ?? []) : undefined,
      role: agent === "main" ? undefined : nameIn(profileName),
    }),
  }
}

/** Signals from the lines about a sub-agent in the file of the agent that started it. */
const aboutChild = (line: Fields): Signal[] => {
  const { type, subagentId, time: at } = line
  const agent = textOf(subagentId)
  if (agent === undefined) return []
  if (type === "subagent.spawned") return [childOf(line, subAgentNamed(agent))]
  const hasEnded = type === "subagent.completed" || type === "subagent.failed" || type === "subagent.cancelled"
  return hasEnded ? [activity(subAgentNamed(agent), "ended", { at, error: textOf(line.error) })] : []
}

const childOf = (line: Fields, agent: string): Signal => ({
  type: "session",
  agent,
  parent: { agent: agentOf(line.parentAgentId), ...known({ callId: textOf(line.parentToolCallId) }) },
  ...known({ title: nameIn(line.description), role: nameIn(line.subagentName) }),
})

const ending = ({ reason, error, time: at }: Fields, agent: string): Signal => {
  if (reason === "completed") return activity(agent, "turn-ended", { at })
  if (reason === "cancelled") return failedTurn(agent, interrupted, { at })
  return failedTurn(agent, isRecord(error) ? (textOf(error.message) ?? reason) : (textOf(error) ?? reason), { at })
}

/** The text of a result, which is a string or a list of parts. */
const wordsOf = (output: unknown): string | undefined =>
  textOf(output) ??
  textOf(
    listOf(output)
      .flatMap((part) => textOf(fieldsOf(part).text) ?? [])
      .join("\n"),
  )
