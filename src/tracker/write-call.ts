/** One call of a list tool from beginning to end: it is applied, and its agent gets the reply with all that it should know. */
import type { Dialect, ToolCall } from "../dialects/dialect.ts"
import type { FailedCall } from "../guidance/failed-call.ts"
import { firstError, type Problem, warning } from "../plan/index.ts"
import { applyCall, applyGatedCall } from "./apply-call.ts"
import { answerCall } from "./call.ts"
import type { PlanLog } from "./log.ts"
import { tellAgent } from "./tell-agent.ts"
import type { TrackerOptions, WriteOptions } from "./tracker.ts"
import { handedOut, type Written } from "./written.ts"

export type WriteCallOptions = Pick<TrackerOptions, "editNotice" | "onTelling"> &
  WriteOptions & {
    isPersistent: boolean
    onProblem: (problem: Problem) => void
    /** How the call failed, if it did: its progress is missing then. */
    onOutcome: (failed: FailedCall | undefined) => void
  }

export const writeCall = async <Data>(
  log: PlanLog,
  call: ToolCall,
  dialect: Dialect<Data>,
  options: WriteCallOptions,
): Promise<Written<Data>> => {
  const { gate, reachesAgent = true, onProblem, onOutcome } = options
  const { before, decoded, refused, happened } = await (gate && !call.observed
    ? applyGatedCall(log, call, dialect, { gate, onProblem })
    : applyCall(log, call, dialect))
  // Parts of the call without effect are among its problems and are not changes.
  const events = happened.filter(({ type }) => type !== "todo-refused")
  const isHeld = events.length > 0 && log.unwritten > 0
  const outcome = { call, decoded, before, events, isPersistent: options.isPersistent && !isHeld }
  const renumbered = log.renumbered.toTell(call, decoded, log.fold)
  const { reply, problems: met } = answerCall(dialect, outcome, log.fold, {
    agent: log.key.agent,
    more: [...(isHeld ? [keptInMemory] : []), ...renumbered],
  })
  const problems = [...refused, ...met]
  // A call with changes refused by a gate is not a failed call: the rest was applied.
  const error = firstError(met)
  const { tool, calledAs = tool } = call
  onOutcome(error && { tool: calledAs, message: reply.text })
  if (error) onProblem(warning("call-refused", `A ${calledAs} call failed: ${error.message}`))
  const notice = reachesAgent ? await tellAgent(log, options, call.client) : undefined
  // Added by Headway, because most dialects have no wording for it.
  const refusals = refused.map(({ message }) => message)
  const text = [...refusals, reply.text, ...(notice === undefined ? [] : [notice])].join("\n\n")
  const ok = !firstError(problems)
  const written = { ok, ...reply, text, ...(notice === undefined ? {} : { notice }), problems }
  return handedOut(written, { events, plan: log.fold.plan })
}

const keptInMemory = warning(
  "kept-in-memory",
  "The disk is full, so this change is only in memory for now; it is written as soon as there is room.",
)
