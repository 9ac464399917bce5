/** Codex's session files (`~/.codex/sessions/…/rollout-*.jsonl`): the plan only as raw calls of `update_plan` and their results. */

import { isoTime } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import {
  activity,
  asked,
  type Fields,
  failedTurn,
  fieldsOf,
  gistOf,
  interrupted,
  jsonLines,
  known,
  listOf,
  nameIn,
  seenCall,
  subAgentNamed,
  textOf,
} from "../../streams/line.ts"
import { createOpenCalls } from "../../streams/open-calls.ts"
import type { SessionSignal, Signal, Stream, Wants } from "../../streams/stream.ts"
import { createWork } from "../../streams/work.ts"
import { type OwnTool, ownTool, ownToolOf } from "../own-tool.ts"
import { questionByCall } from "../questions.ts"
import { answerText, isAccepted } from "./_answer.ts"
import { askingTools } from "./_asking-tools.ts"
import { listCallsIn, onlyInProgram } from "./_program.ts"
import { codexTools, commandsIn, itemSignals, programResultOf, resultOf } from "./_work.ts"

const lineTypes = ["session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state"]

export const codexRollout = {
  id: "codex-rollout",
  agentType: "openai-codex",
  title: "Codex session file",
  mayBeCompressed: true,
  recognises: ({ type, payload, timestamp }) =>
    lineTypes.includes(String(type)) && payload !== undefined && timestamp !== undefined,
  // `session_meta`, `turn_context`, `update_plan` and `mcp__headway` (a call, or a program with one), every
  // `…call_output`
  // (which alone shows that a call was refused) and `thread_rolled_back`. All needles begin with the underscore, which
  // is
  // rare in prose and code.
  needles: ['_meta"', "_conte", "_plan", "__head", "_outpu", "_rolle"],
  quickNeedles: () => ({ all: ["_rolle", "__head"], last: ["_plan"] }),
  // `thread_name_updated`
  titleNeedles: ["_name_u"],
  tellsWork: true,
  open: (from?: unknown, wants?: Wants) => {
    const { plans = [], ...before } = (from ?? {}) as Partial<SavedState>
    const state: State = {
      agent: "main",
      turns: [[]],
      ...before,
      plans: new Map(plans),
      open: createOpenCalls(),
      work: createWork(wants?.work ? codexTools : undefined),
      asks: new Map(),
      programs: new Map(),
    }
    const reader = jsonLines((line) => readLine(line, state))
    return {
      read(line) {
        // Outputs make up most of a file, and few belong to a plan. Without an open plan call, they need not be parsed.
        const head = state.plans.size === 0 && !state.work.isWanted ? line.slice(0, 300) : ""
        return head.includes('call_output"') ? readOutput(head, state) : reader.read(line)
      },
      snapshot: (): SavedState => {
        const { open: _, work: __, asks: ___, programs: ____, ...kept } = state
        return { ...kept, plans: [...state.plans], turns: [state.turns.flat()] }
      },
    }
  },
} satisfies Stream

type State = {
  agent: string
  session?: string | undefined
  model?: string | undefined
  turn?: string | undefined
  /** Plan calls without an output, with the ids given to their calls here, because a program may contain several. */
  plans: Map<string, string[]>
  /** The ids of plan calls in each turn. */
  turns: string[][]
  /** The first error of the turn. Older versions report the end of a failed turn like any other. */
  error?: string | undefined
  open: ReturnType<typeof createOpenCalls>
  work: ReturnType<typeof createWork>
  /** The background command that a call continues, by call id. */
  asks: Map<string, string>
  /** The commands of each program without a result. Empty for a program whose commands are recorded as items. */
  programs: Map<string, readonly string[]>
}

type SavedState = Omit<State, "plans" | "open" | "work" | "asks" | "programs"> & { plans: [string, string[]][] }

/** Reads only the time and the call id of an output, from the beginning of its line. */
const readOutput = (head: string, { agent, open }: State): Signal[] => {
  const [, at] = /^\{"timestamp":"([^"]+)"/.exec(head) ?? []
  const [, callId] = /"call_id":"([^"]+)"/.exec(head) ?? []
  return callId === undefined ? [] : open.answered(agent, callId, { at })
}

const readLine = ({ type, payload, timestamp }: Fields, state: State): Signal[] => {
  const fields = fieldsOf(payload)
  if (type === "session_meta") return readMeta(fields, state)
  if (type === "turn_context") return readTurn(fields, state)
  if (type === "response_item") return readItem(fields, timestamp, state)
  if (type === "event_msg") return readEvent(fields, timestamp, state)
  return []
}

/** A forked file repeats the header of its original session. The first header is its own. */
const readMeta = (meta: Fields, state: State): Signal[] => {
  if (state.session !== undefined) return []
  const id = textOf(meta.id)
  const spawn = fieldsOf(fieldsOf(fieldsOf(meta.source).subagent).thread_spawn)
  const parent = textOf(meta.parent_thread_id) ?? textOf(spawn.parent_thread_id)
  const about = known({
    project: textOf(meta.cwd),
    branch: nameIn(fieldsOf(meta.git).branch),
    version: textOf(meta.cli_version),
    forkedFrom: forkIn(meta),
    // `codex exec`.
    isOneShot: meta.source === "exec" || meta.originator === "codex_exec" ? true : undefined,
  })
  if (parent === undefined || id === undefined) {
    state.session = id
    return [{ type: "session", ...known({ session: id }), ...about }]
  }
  const session = textOf(meta.session_id) ?? parent
  state.session = session
  state.agent = subAgentNamed(id)
  const owner = { agent: parent === session ? "main" : parent, session }
  const role = roleOf(meta.agent_nickname ?? spawn.agent_nickname, meta.agent_role ?? spawn.agent_role)
  return [{ type: "session", session, agent: state.agent, ...about, ...known({ role }), parent: owner }]
}

/** A sub-agent has a nickname, and may have a kind. */
const roleOf = (nickname: unknown, kind: unknown): string | undefined => {
  const [name, role] = [nameIn(nickname), nameIn(kind)]
  return name !== undefined && role !== undefined ? `${name}, ${role}` : (name ?? role)
}

/** In versions that store the history in pages, a fork only refers to the original's history. */
const forkIn = (meta: Fields): SessionSignal["forkedFrom"] => {
  const session = textOf(meta.forked_from_id)
  return session === undefined ? undefined : { session, ...known({ at: isoTime(meta.timestamp) }) }
}

const readTurn = (context: Fields, state: State): Signal[] => {
  const turn = textOf(context.turn_id)
  if (turn === undefined || turn !== state.turn) state.turns.push([])
  state.turn = turn
  const model = textOf(context.model)
  if (model === undefined || model === state.model) return []
  state.model = model
  return [{ type: "session", ...known({ session: state.session }), agent: state.agent, model }]
}

const readItem = (item: Fields, at: unknown, state: State): Signal[] => {
  const { agent, session } = state
  const callId = textOf(item.call_id)
  const name = textOf(item.name)?.replace(/^functions\./, "")
  const list = item.type === "function_call" ? listTool(item, name) : undefined
  const question = callId !== undefined && isCall(item.type) ? askedIn(item, name, callId, at, state) : []
  if (list && callId !== undefined) {
    expectAnswer(state, callId, [callId])
    return [seenCall(agent, list.dialect, { tool: list.tool, input: item.arguments, callId, at, session })]
  }
  const program = item.type === "custom_tool_call" ? textOf(item.input) : undefined
  if (program !== undefined && callId !== undefined && name === "exec") {
    const plans = readProgram(program, callId, at, state)
    const works = plans.length === 0 || /\btools\.(?!update_plan\b|mcp__headway)\w/.test(program)
    if (state.work.isWanted) state.programs.set(callId, commandsIn(program))
    return [...(works ? [activity(agent, "tool", { tool: name, at })] : []), ...plans]
  }
  if (item.type === "function_call_output" || item.type === "custom_tool_call_output")
    return readAnswer(item, at, state)
  if (item.type === "message" && item.role === "user")
    return isPersons(item) ? asked(agent, answerText(item.content)) : []
  if (item.type === "message" && item.role === "assistant") return [activity(agent, "text", { at })]
  if (!isCall(item.type)) return []
  const on = gistOf(inputOf(item.arguments))
  return [
    activity(agent, "tool", { tool: name ?? item.type, on, at }),
    ...beganWork(item, name, at, state),
    ...question,
  ]
}

/** A patch is plain text; other arguments are JSON in a string. The service's own shell uses another field. */
const beganWork = (item: Fields, name: string | undefined, at: unknown, { agent, work, asks }: State): Signal[] => {
  if (!work.isWanted) return []
  const callId = textOf(item.call_id)
  const given = item.type === "custom_tool_call" ? { input: item.input } : inputOf(item.arguments ?? item.action)
  const run = fieldsOf(given).session_id
  if (callId !== undefined && name === "write_stdin" && run !== undefined) asks.set(callId, String(run))
  const tool = name ?? String(item.type).replace(/_call$/, "")
  return work.began(agent, { callId, tool, input: given, at })
}

/** The commands of a program that were not recorded as items. The program's output is the output of all of them. */
const programWork = (
  commands: readonly string[],
  callId: string,
  text: string,
  at: unknown,
  state: State,
): Signal[] => {
  const { agent, work } = state
  return commands.flatMap((cmd, index) => {
    const id = index === 0 ? callId : `${callId}/${index + 1}`
    const result = commands.length === 1 ? programResultOf(text) : { output: resultOf(text).result.output ?? "" }
    return [
      ...work.began(agent, { callId: id, tool: "exec_command", input: { cmd }, at }),
      ...work.ended(agent, id, result, at),
    ]
  })
}

/** Reads items, with which later versions record work in addition to calls, including the work of programs. */
const itemWorkIn = ({ item }: Fields, at: unknown, { agent, work, programs }: State): Signal[] => {
  if (!work.isWanted) return []
  const told = itemSignals(fieldsOf(item), agent, true, at)
  if (told.length > 0) for (const callId of programs.keys()) programs.set(callId, [])
  return told
}

const endedWork = (item: Fields, callId: string, at: unknown, state: State): Signal[] => {
  const { agent, work, asks, programs } = state
  if (!work.isWanted) return []
  const commands = programs.get(callId)
  if (commands) {
    programs.delete(callId)
    return programWork(commands, callId, answerText(item.output), at, state)
  }
  const { result, run } = resultOf(answerText(item.output))
  const asked = asks.get(callId)
  asks.delete(callId)
  if (asked !== undefined) return work.heardOf(agent, asked, result, at)
  if (run !== undefined) work.wentOn(callId, run, result.output)
  return work.ended(agent, callId, result, at)
}

const isCall = (type: unknown): boolean => typeof type === "string" && type.endsWith("_call")

/** Arguments are JSON in a string. */
const inputOf = (given: unknown): unknown => (typeof given === "string" ? parseJson(given) : given)

/** Reports a call whose result is on a separate line, with its question to the person, if it has one. */
const askedIn = (item: Fields, name: string | undefined, callId: string, at: unknown, state: State): Signal[] => {
  const asks = name === undefined ? undefined : questionByCall(askingTools, name, inputOf(item.arguments))
  return state.open.made(state.agent, callId, { at, asks })
}

/** Whether a user message is the person's. The client writes many itself; later versions mark the difference. */
const isPersons = ({ internal_chat_message_metadata_passthrough: about }: Fields): boolean => {
  const kinds = listOf(fieldsOf(about).content_item_kinds).flatMap((kind) => textOf(kind) ?? [])
  return kinds.length === 0 || kinds.some((kind) => kind.startsWith("user."))
}

/** The plan tool, or one of ours: by a single name, or by a name and a separate server. */
const listTool = ({ namespace }: Fields, name: string | undefined): OwnTool | undefined => {
  if (name === "update_plan") return { dialect: "codex", tool: name }
  return ownTool(name) ?? ownToolOf(textOf(namespace)?.replace(/^mcp__/, ""), name)
}

const expectAnswer = (state: State, callId: string, ids: string[]): void => {
  state.plans.set(callId, ids)
  state.turns.at(-1)?.push(...ids)
}

const readProgram = (program: string, callId: string, at: unknown, state: State): Signal[] => {
  const signals: Signal[] = []
  const ids: string[] = []
  for (const made of listCallsIn(program)) {
    if (!made) {
      signals.push(onlyInProgram)
      continue
    }
    const id = ids.length === 0 ? callId : `${callId}/${ids.length + 1}`
    ids.push(id)
    const call = { tool: made.tool, input: made.input, callId: id, at, session: state.session }
    signals.push(seenCall(state.agent, made.dialect, call))
  }
  if (ids.length > 0) expectAnswer(state, callId, ids)
  return signals
}

const readAnswer = (item: Fields, at: unknown, state: State): Signal[] => {
  const callId = textOf(item.call_id) ?? ""
  const ids = state.plans.get(callId)
  if (!ids) return [...endedWork(item, callId, at, state), ...state.open.answered(state.agent, callId, { at })]
  state.plans.delete(callId)
  state.open.settled(callId)
  const result = answerText(item.output)
  const ok = isAccepted(item.output, result)
  return ids.map((id): Signal => ({ type: "result", callId: id, ok, result }))
}

const renamed = ({ thread_name: name }: Fields, { agent, session }: State): Signal[] => {
  const title = nameIn(name)
  return title === undefined ? [] : [{ type: "session", ...known({ session }), agent, title }]
}

const readEvent = (event: Fields, at: unknown, state: State): Signal[] => {
  const { type } = event
  if (type === "thread_name_updated") return renamed(event, state)
  if (type === "item_completed") return itemWorkIn(event, at, state)
  if (type === "error") state.error ??= textOf(event.message)
  const edge = readEdge(event, at, state)
  if (edge) {
    state.error = undefined
    state.open.forget(state.agent)
    return [edge]
  }
  if (type !== "thread_rolled_back" || typeof event.num_turns !== "number" || !(event.num_turns >= 1)) return []
  const callIds = state.turns.splice(-event.num_turns).flat()
  if (state.turns.length === 0) state.turns.push([])
  return [{ type: "rewound", callIds }]
}

/** Reads the beginning or end of a turn. */
const readEdge = ({ type, reason, error }: Fields, at: unknown, state: State): Signal | undefined => {
  const { agent } = state
  if (type === "task_started" || type === "turn_started") return activity(agent, "prompt", { at })
  if (type === "task_complete" || type === "turn_complete") {
    const why = messageIn(error) ?? state.error
    return why === undefined ? activity(agent, "turn-ended", { at }) : failedTurn(agent, why, { at })
  }
  if (type !== "turn_aborted") return undefined
  const isStopped = reason === undefined || stops.includes(reason)
  return failedTurn(agent, isStopped ? interrupted : `The turn was aborted: ${String(reason)}.`, { at })
}

/** The service's own message, from its response, which the client records unchanged as JSON in a string. */
const messageIn = (error: unknown): string | undefined => {
  const text = textOf(fieldsOf(error).message)
  const parsed = text?.startsWith("{") ? fieldsOf(parseJson(text)) : {}
  return textOf(fieldsOf(parsed.error).message) ?? textOf(parsed.message) ?? text
}

/** The reasons of a turn's end that mean that the person stopped it. */
const stops: readonly unknown[] = ["interrupted", "replaced", "review_ended"]
