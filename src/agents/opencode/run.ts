/** opencode's `opencode run --format json`: finished parts of the conversation, each call together with its outcome. */
import { isRecord } from "../../plan/log/shape.ts"
import {
  activity,
  agentsBySession,
  type Fields,
  failedTurn,
  fieldsOf,
  jsonLines,
  known,
  message,
  subAgentNamed,
  textOf,
  worked,
} from "../../streams/line.ts"
import type { Signal, Stream, Wants } from "../../streams/stream.ts"
import { createWork } from "../../streams/work.ts"
import { orderOf } from "../blocks.ts"
import { ownToolNeedles } from "../own-tool.ts"
import { reasonOf } from "./_error.ts"
import { listCall } from "./_todos.ts"
import { opencodeTools, partWork } from "./_work.ts"

const todoTools = ["todowrite", "todoread"]

type Printed = Pick<Stream, "id" | "agentType" | "recognises"> & { command: string }

/** The stream of opencode or one of its forks. */
export const runStream = ({ command, ...stream }: Printed): Stream => ({
  ...stream,
  title: `${command} run --format json`,
  printedBy: { command, words: [["run"], ["--format json"]] },
  // `todowrite`, our own tool, `parentSessionId` (a sub-agent was started), and `step_start`, the first line.
  needles: ["todow", ownToolNeedles.underscore, "Sessio", "_start"],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => {
    const work = createWork(wants?.work ? opencodeTools : undefined)
    const agentOf = agentsBySession()
    const seen = new Set<string>()
    const working = new Set<string>()
    return jsonLines((line) => {
      const session = textOf(line.sessionID)
      const agent = agentOf(session)
      const signals: Signal[] = []
      if (session !== undefined && !seen.has(session)) {
        seen.add(session)
        signals.push({ type: "session", session, ...(agent === "main" ? {} : { agent }) })
      }
      return [...signals, ...readPart(line, fieldsOf(line.part), { agent, session, seen, working, work })]
    })
  },
})

export const opencodeRun = runStream({
  id: "opencode-run",
  agentType: "opencode",
  command: "opencode",
  recognises: (line) => isRunLine(line) && !isKiloLine(line),
})

export const isRunLine = ({ type, sessionID, part }: Fields): boolean =>
  typeof type === "string" && typeof sessionID === "string" && (isRecord(part) || type === "error")

/** Kilo's lines contain measurements of each step, and the permission of each call. */
export const isKiloLine = ({ type, part }: Fields): boolean => {
  const { metrics, state } = fieldsOf(part)
  return type === "step_finish" ? isRecord(metrics) : isRecord(fieldsOf(fieldsOf(state).metadata).approval)
}

/** `working` are the agents with an unfinished turn. */
type Context = {
  agent: string
  session: string | undefined
  seen: Set<string>
  working: Set<string>
  work: ReturnType<typeof createWork>
}

const readPart = (line: Fields, part: Fields, context: Context): Signal[] => {
  const { agent, working } = context
  const at = line.timestamp
  if (line.type === "step_start") return working.has(agent) ? [] : beginTurn(context, at)
  if (line.type === "reasoning") return [activity(agent, "text", { at })]
  if (line.type === "text") return [activity(agent, "text", { at }), ...message(agent, part.text)]
  if (line.type === "step_finish" && part.reason === "stop") {
    working.delete(agent)
    return [activity(agent, "turn-ended", { at })]
  }
  if (line.type === "error") {
    working.delete(agent)
    const reason = reasonOf(fieldsOf(line.error))
    return [...message(agent, reason), failedTurn(agent, reason, { at })]
  }
  if (line.type !== "tool_use") return []
  const listed = listCall(part, { ...context, at })
  if (listed) return listed
  const state = fieldsOf(part.state)
  // A call of an unknown tool appears as a completed call of the tool "invalid".
  if (part.tool === "invalid" && todoTools.includes(String(fieldsOf(state.input).tool))) return []
  return [
    ...childOf(part, state, context),
    ...worked(agent, { tool: part.tool, input: textOf(state.title) ?? state.input, at }),
    ...partWork(part, agent, context.work, at),
  ]
}

/** Reports the beginning of a turn at its first step. The stream does not contain the prompt. */
const beginTurn = ({ agent, working }: Context, at: unknown): Signal[] => {
  working.add(agent)
  return [activity(agent, "prompt", { at })]
}

/** Reports a sub-agent, which works in its own session and is not on this stream. */
const childOf = (part: Fields, state: Fields, { agent, session, seen }: Context): Signal[] => {
  const metadata = fieldsOf(state.metadata)
  const child = part.tool === "task" ? (textOf(metadata.sessionId) ?? textOf(metadata.sessionID)) : undefined
  if (child === undefined || seen.has(child)) return []
  seen.add(child)
  const parent = { agent, ...known({ session, callId: textOf(part.callID) }) }
  return [{ type: "session", ...known({ session }), agent: subAgentNamed(child), parent, ...orderOf(state.input) }]
}
