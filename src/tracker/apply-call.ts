/** Writes what a call of a list tool asks for, and asks a gate before, where there is one. */
import type { Decoded, Dialect, ToolCall } from "../dialects/dialect.ts"
import type { Plan, PlanEvent, Problem } from "../plan/index.ts"
import { readCall } from "./call.ts"
import { type Gate, throughGate } from "./gate.ts"
import type { PlanLog } from "./log.ts"

export type AppliedCall = {
  /** The plan the call was decoded for. */
  before: Plan
  decoded: Decoded
  /** What a gate refused, in words for the model. */
  refused: Problem[]
  /** The effect of its entry. */
  happened: PlanEvent[]
}

export const applyCall = async (log: PlanLog, call: ToolCall, dialect: Dialect): Promise<AppliedCall> => {
  let before = log.fold.plan
  let decoded: Decoded = { events: [], problems: [] }
  const happened = await log.change(() => {
    before = log.fold.plan
    const read = readNow(log, call, dialect)
    decoded = read.decoded
    return read.part
  }, log.catchUpQuickly)
  return { before, decoded, refused: [], happened }
}

/** A gate takes its time, so it is called once, about the plan as it is. Its results are recorded before the call itself. */
export const applyGatedCall = async (
  log: PlanLog,
  call: ToolCall,
  dialect: Dialect,
  { gate, onProblem }: { gate: Gate; onProblem: (problem: Problem) => void },
): Promise<AppliedCall> => {
  await log.catchUpQuickly()
  const before = log.fold.plan
  const read = readNow(log, call, dialect)
  const gated = await throughGate(gate, read.decoded, { plan: before, entries: log.entries }, onProblem)
  const { decoded, problems: refused, found } = gated
  if (found && found.ran.length > 0) await log.commit({ by: found.by, events: [...found.ran] })
  const happened = read.part ? await log.commit({ ...read.part, events: [...decoded.events] }) : []
  return { before, decoded, refused, happened }
}

const readNow = (log: PlanLog, call: ToolCall, dialect: Dialect): ReturnType<typeof readCall> => {
  const read = readCall(call, dialect, log.fold, log.key.agent)
  const problems = log.renumbered.wrongIn(call, read.decoded, log.fold)
  return problems.length === 0 ? read : { decoded: { events: [], problems }, part: undefined }
}
