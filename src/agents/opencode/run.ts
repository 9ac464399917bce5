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

/** For opencode and for what was made from it. */
export const runStream = ({ command, ...stream }: Printed): Stream => ({
  ...stream,
  title: `${command} run --format json`,
  printedBy: { command, words: [["run"], ["--format json"]] },
  // `todowrite` and our own tool, `parentSessionId` (a sub-agent was started), and `step_start`, which the stream begins with.
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

/** Kilo measures each step, and says who has allowed a call. */
export const isKiloLine = ({ type, part }: Fields): boolean => {
  const { metrics, state } = fieldsOf(part)
  return type === "step_finish" ? isRecord(metrics) : isRecord(fieldsOf(fieldsOf(state).metadata).approval)
}

/** `working` are the agents whose turn has begun and not ended. */
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
  // A call of a tool that does not exist shows as the tool "invalid", as completed.
  if (part.tool === "invalid" && todoTools.includes(String(fieldsOf(state.input).tool))) return []
  return [
    ...childOf(part, state, context),
    ...worked(agent, { tool: part.tool, input: textOf(state.title) ?? state.input, at }),
    ...partWork(part, agent, context.work, at),
  ]
}

/** A turn has many steps; what was asked is in no line. */
const beginTurn = ({ agent, working }: Context, at: unknown): Signal[] => {
  working.add(agent)
  return [activity(agent, "prompt", { at })]
}

/** A sub-agent works in its own session, which is not on this stream. */
const childOf = (part: Fields, state: Fields, { agent, session, seen }: Context): Signal[] => {
  const metadata = fieldsOf(state.metadata)
  const child = part.tool === "task" ? (textOf(metadata.sessionId) ?? textOf(metadata.sessionID)) : undefined
  if (child === undefined || seen.has(child)) return []
  seen.add(child)
  const parent = { agent, ...known({ session, callId: textOf(part.callID) }) }
  return [{ type: "session", ...known({ session }), agent: subAgentNamed(child), parent, ...orderOf(state.input) }]
}
