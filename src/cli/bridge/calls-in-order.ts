/**
 * The order of an agent's list calls, as the file of its session has it: hooks that run side by side come in any order, and those that
 * were killed do not come at all.
 */
import { importedUntil } from "../../board/follow-session.ts"
import { callIdOf } from "../../bridges/calls/call-id.ts"
import type { InSession, SeenCall } from "../../bridges/hooks/act.ts"
import type { ToolCall } from "../../dialects/dialect.ts"
import type { Ledger } from "../../plan/log/ledger.ts"
import { type ListCall, type ListCalls, listCallsIn } from "../../sessions/lookup/list-calls.ts"

/** Undefined where the file does not have the call. */
export const inSession = async (
  file: { path: string; agentType: string },
  { call, modelId, dialect }: SeenCall,
  ledger: Ledger,
): Promise<InSession | undefined> => {
  const found = await listCallsIn(file.path, {
    agentType: file.agentType,
    callId: modelId,
    tools: dialect.toolNames,
  })
  if (!found) return undefined
  const { calls, place } = found
  const { at } = calls[place] ?? {}
  const timed = at === undefined ? call : { ...call, at }
  // Where the file has other ids than the hooks, it cannot be told which of its calls are recorded.
  if (call.callId !== callIdOf(modelId, call.input)) return { at, standing: timed, missed: [] }
  const recorded = readRecorded(ledger)
  const standing = (one: ToolCall, at: number): ToolCall | undefined => {
    const later = calls.slice(at + 1).filter(recorded.has)
    if (later.length === 0) return one
    return dialect.wholeList ? undefined : dialect.standing ? dialect.standing(one, later) : one
  }
  const missed = dialect.standing ? missedBefore(found, recorded) : []
  const results = found.resultsOf(missed.map(({ one }) => one))
  return {
    at,
    standing: standing(timed, place),
    missed: missed.flatMap(({ one, at }) => {
      const answered = results.get(one.callId)
      return (answered && standing({ ...one, ...answered, observed: true, callId: idOf(one) }, at)) ?? []
    }),
  }
}

const idOf = ({ callId, input }: ListCall): string => callIdOf(callId, input)

type Recorded = {
  /** Whether the plan has what the call says: from its hook, or from a list that was imported later. */
  has(call: ListCall): boolean
  /** Whether its own hook was here. */
  isByHook(call: ListCall): boolean
  /** Whether a call with its id was recorded, which may have been written down differently. */
  mayBe(call: ListCall): boolean
}

const readRecorded = (ledger: Ledger): Recorded => {
  const { calls } = ledger
  const until = importedUntil(ledger)
  const isByHook = (call: ListCall): boolean => calls.has(idOf(call))
  return {
    isByHook,
    has: (call) => isByHook(call) || (call.at !== undefined && call.at <= until),
    mayBe: ({ callId }) => [...calls].some((id) => id === callId || id.startsWith(`${callId} `)),
  }
}

/**
 * The calls whose hooks did not come, although that of an earlier call did. What was called before the first of those was copied from
 * another session, or was called before the agent was connected.
 */
const missedBefore = ({ calls, place }: ListCalls, recorded: Recorded): { one: ListCall; at: number }[] => {
  const first = calls.findIndex(recorded.isByHook)
  if (first < 0) return []
  return calls.slice(0, place).flatMap((one, at) => {
    const isMissed = at > first && one.at !== undefined && !recorded.has(one) && !recorded.mayBe(one)
    return isMissed ? [{ one, at }] : []
  })
}
