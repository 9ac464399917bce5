/** Decides which parts of a late call of Claude Code's Task tools still apply, if later calls were recorded before it. */
import { readObject, readTarget } from "./_by-id.ts"
import { createdId } from "./_claude-task-create.ts"
import type { ToolCall } from "./dialect.ts"

export const standingTask = (call: ToolCall, later: readonly ToolCall[]): ToolCall | undefined => {
  const isUpdate = call.tool === "TaskUpdate"
  // What a list shows is older than all later changes.
  if (!isUpdate && call.tool !== "TaskCreate") return undefined
  const input = readObject(call.input)
  const task = isUpdate ? input && readTarget(input) : createdId(call)
  const updates = later.flatMap((one) => {
    const update = one.tool === "TaskUpdate" ? readObject(one.input) : undefined
    return update && readTarget(update) === task ? [update] : []
  })
  if (updates.some(({ status }) => status === "deleted")) return undefined
  if (!isUpdate || !input) return call
  const replaced = new Set(updates.flatMap((update) => fields.filter((field) => update[field] !== undefined)))
  return { ...call, input: Object.fromEntries(Object.entries(input).filter(([field]) => !replaced.has(field))) }
}

/** Those that a call replaces; what others name is added to what is there. */
const fields = ["status", "subject", "description", "activeForm", "owner"]
