/** Tasks that Claude Code's tools show, without those that other calls changed while they were read: its tools run at the same time. */
import { emptyLedger, type Ledger, nativeIdOf, type Plan, type Stamp } from "../plan/index.ts"
import { readObject, readTarget, todoByModelId } from "./_by-id.ts"
import { createdId, words } from "./_claude-task-create.ts"
import type { ToolCall } from "./dialect.ts"
import { readItem } from "./reading/items.ts"

/** Whether what a call showed of a task is at least as new as what the plan says of it. */
export const isCurrent = (call: ToolCall, plan: Plan, ledger: Ledger = emptyLedger) => {
  const changed = new Set([...(call.beside ?? []).flatMap(taskOf), ...removedSince(call.at, ledger)])
  return (task: unknown): boolean => {
    const { id } = readItem(task, words, []) ?? {}
    if (id === undefined) return true
    const { added, set = {} } = ledger.todos.get(todoByModelId(plan, id)?.id ?? "") ?? {}
    return !changed.has(id) && ![added, ...Object.values(set)].some((stamp) => isSince(call.at, stamp))
  }
}

/** The number of the task that a call created or changed. */
const taskOf = (call: ToolCall): readonly string[] => {
  const id = call.tool === "TaskCreate" ? createdId(call) : readTarget(readObject(call.input) ?? {})
  return id === undefined ? [] : [id]
}

const removedSince = (madeAt: string | undefined, { removed }: Ledger): string[] =>
  [...removed.values()].flatMap((one) => (isSince(madeAt, one) ? (nativeIdOf(one.todo) ?? []) : []))

/** What a person set needs no time: reading a list changes nothing of it. */
const isSince = (madeAt: string | undefined, stamp: Stamp | undefined): boolean =>
  madeAt !== undefined && stamp !== undefined && stamp.by.kind === "agent" && stamp.at >= madeAt
