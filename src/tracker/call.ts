/** A call of a list tool between decoding and reply: the entry to write, and the reply for the model. */
import type { Decoded, Dialect, Outcome, Reply, ToolCall } from "../dialects/dialect.ts"
import {
  type Actor,
  type Fold,
  firstError,
  idsForAgent,
  isoTime,
  keptForOthers,
  ledgerFor,
  type Plan,
  type Problem,
  quoted,
  refusedClaims,
  replyForModel,
  settleClaims,
  settleOf,
  todoById,
  workingPlan,
} from "../plan/index.ts"
import type { EntryPart } from "./new-entry.ts"

/** The decoded call and its entry; without an entry there is nothing to write. */
export const readCall = (
  call: ToolCall,
  dialect: Dialect,
  { plan, ledger }: Pick<Fold, "plan" | "ledger">,
  agent: string,
): { decoded: Decoded; part: EntryPart | undefined } => {
  const isRepeated = call.callId !== undefined && ledger.calls.has(call.callId)
  const now = ledgerFor(ledger, call.client)
  const madeAt = isoTime(call.at)
  const known = ledgerFor(ledger, call.client, madeAt)
  const decoded = isRepeated ? { events: [], problems: [] } : dialect.decode(call, plan, known)
  const { events, problems, reads } = decoded
  // A call without effect is recorded too: repeating it later must not apply it then.
  const isKept = call.callId !== undefined && !isRepeated && !reads && !firstError(problems) && ledger.opened
  if (events.length === 0 && !isKept) return { decoded, part: undefined }
  const via = {
    dialect: dialect.id,
    tool: call.tool,
    ...(call.callId === undefined ? {} : { callId: call.callId }),
    ...(madeAt === undefined || known.untold.size === now.untold.size ? {} : { madeAt }),
  }
  const by = callerOf(call, agent)
  const claims = (decoded.saysWholeList ?? dialect.wholeList) ? settleClaims(events, ledger, by) : {}
  return {
    decoded,
    part: { by, via, events, settle: { ...(events.length > 0 ? settleOf(dialect.rules) : {}), ...claims } },
  }
}

/** Who made a call; `agent` is whose plan it is. */
const callerOf = ({ agent: id, client }: ToolCall, agent: string): Actor => ({
  kind: "agent",
  id: id ?? agent,
  ...(client === undefined ? {} : { client }),
})

/** The reply for the model, after the call was written. */
export const answerCall = <Data>(
  dialect: Dialect<Data>,
  outcome: Omit<Outcome, "problems" | "after">,
  { plan: after, ledger }: Pick<Fold, "plan" | "ledger">,
  { agent, more = [] }: { agent: string; more?: readonly Problem[] },
): { reply: Reply<Data>; problems: Problem[] } => {
  const { call, decoded, events: happened } = outcome
  const { events: asked, problems: met } = decoded
  const todoOf = (id: string) => todoById(after, id)
  const kept = keptForOthers({ asked, happened, by: callerOf(call, agent) }, ledger, namesIn(after, call))
  const problems = [...met, ...refusedClaims(asked, ledger, todoOf), ...kept, ...more]
  const whole: Outcome = { ...outcome, after, problems }
  // Few dialects use it, and it is slow for a large plan.
  if (ledger.behind.size > 0)
    Object.defineProperty(whole, "working", { enumerable: true, get: () => workingPlan(after, ledger) })
  return { reply: replyForModel(dialect.reply(whole)), problems }
}

/** A todo by its id and text. A call that was only observed comes from an agent that may have its own ids. */
const namesIn =
  (plan: Plan, { observed }: ToolCall) =>
  (id: string): string | undefined => {
    const content = todoById(plan, id)?.content
    if (content === undefined) return undefined
    const known = observed ? idsForAgent(plan.todos)(id) : id
    return known === undefined ? quoted(content) : `${known} ${quoted(content)}`
  }
