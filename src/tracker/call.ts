/** A call of a list tool between its reading and its reply: what is to be written, and what the model is told about it. */
import type { Decoded, Dialect, Outcome, Reply, ToolCall } from "../dialects/dialect.ts"
import {
  type Actor,
  type Fold,
  firstError,
  type Problem,
  refusedClaims,
  replyForModel,
  settleOf,
  todoById,
  workingPlan,
} from "../plan/index.ts"
import type { EntryPart } from "./log.ts"

/** The call as its dialect understands it, and the entry it makes; without one there is nothing to write. */
export const readCall = (
  call: ToolCall,
  dialect: Dialect,
  { plan, ledger }: Pick<Fold, "plan" | "ledger">,
  agent: string,
): { decoded: Decoded; part: EntryPart | undefined } => {
  const isRepeated = call.callId !== undefined && ledger.calls.has(call.callId)
  const decoded = isRepeated ? { events: [], problems: [] } : dialect.decode(call, plan, ledger)
  const { events, problems, reads } = decoded
  // A call that found nothing to change is done, too: it must not be done later, when it would find something.
  const isKept = call.callId !== undefined && !isRepeated && !reads && !firstError(problems) && ledger.opened
  if (events.length === 0 && !isKept) return { decoded, part: undefined }
  const via = { dialect: dialect.id, tool: call.tool, ...(call.callId === undefined ? {} : { callId: call.callId }) }
  const by: Actor = { kind: "agent", id: call.agent ?? agent }
  return { decoded, part: { by, via, events, settle: events.length > 0 ? settleOf(dialect.rules) : {} } }
}

/** What the model is told about a call, after it was written. */
export const answerCall = <Data>(
  dialect: Dialect<Data>,
  outcome: Omit<Outcome, "problems" | "after">,
  { plan: after, ledger }: Pick<Fold, "plan" | "ledger">,
  more: readonly Problem[] = [],
): { reply: Reply<Data>; problems: Problem[] } => {
  const { events, problems: met } = outcome.decoded
  const problems = [...met, ...refusedClaims(events, ledger, (id) => todoById(after, id)), ...more]
  const whole = {
    ...outcome,
    after,
    problems,
    // Few dialects look at it, and a large plan takes its time.
    get working() {
      return workingPlan(after, ledger)
    },
  }
  return { reply: replyForModel(dialect.reply(whole)), problems }
}
