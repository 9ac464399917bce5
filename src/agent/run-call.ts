/** One call: looked up, held against plan mode, allowed by the person, run. Whatever goes wrong becomes its result. */
import { sanitise } from "../plan/index.ts"
import type { Call } from "./ask.ts"
import type { Permitted } from "./asking.ts"
import type { CallResult } from "./conversation.ts"
import type { Emit } from "./event.ts"
import type { PlanMode } from "./plan-mode.ts"
import type { AgentTool, CallContext, Registry } from "./registry.ts"
import { sendableName } from "./sendable.ts"
import type { FileMemory, Limits, Permission, ToolResult } from "./tools/index.ts"

export type CallRunnerOptions = {
  registry: Registry
  planMode: PlanMode
  permit: (permission: Permission, signal: AbortSignal) => Promise<Permitted>
  cwd: string
  limits: Limits
  files: FileMemory
  emit: Emit
}

export type CallRunner = (call: Call & { isCut: boolean }, signal: AbortSignal) => Promise<CallResult>

/** Never rejects: a call without a result would make the conversation unusable. */
export const createCallRunner = (options: CallRunnerOptions): CallRunner => {
  const { registry, cwd, limits, files, emit } = options
  return async ({ id, tool: called, input, isCut }, signal) => {
    const tool = registry.find(called)
    const isSilent = tool?.isSilent ?? false
    const onProgress = (text: string): void => emit({ type: "tool-progressed", id, text })
    const context: CallContext = { cwd, signal, limits, files, callId: id, onProgress }
    emit({ type: "tool-called", id, tool: called, input, isSilent })
    const { text, isError = false, display } = await answerTo({ called, tool, input, isCut }, context, options)
    emit({ type: "tool-ended", id, tool: called, text, isError, isSilent, ...(display ? { display } : {}) })
    // Nobody sees a silent tool fail, and what it meant to show is missing (O12).
    if (isSilent && isError) emit({ type: "notice-given", message: `A ${called} call failed: ${firstLine(text)}` })
    return { toolCallId: id, toolName: sendableName(called), text, isError }
  }
}

type Called = { called: string; tool: AgentTool | undefined; input: unknown; isCut: boolean }

const answerTo = async (
  { called, tool, input, isCut }: Called,
  context: CallContext,
  { registry, planMode, permit, emit }: CallRunnerOptions,
): Promise<ToolResult> => {
  const { signal, cwd } = context
  if (signal.aborted) return refused("Interrupted by the user before it began.")
  if (!tool) return refused(`There is no tool "${called}". The tools are: ${registry.names().join(", ")}.`)
  // Half a file or half a list is worse than none.
  if (isCut) return refused("Your answer was cut off in the middle of this call, so it was not made. Make it smaller.")
  try {
    const refusal = await planMode.refusal(tool, input, cwd)
    if (refusal !== undefined) return refused(refusal)
    const permission = (await planMode.isFree(tool, input, cwd))
      ? undefined
      : await tool.needsPermission(input, context)
    if (permission) {
      const permitted = await permit(permission, signal)
      emit({ type: "permission-asked", permission, allowed: permitted === true })
      if (permitted !== true) return refused(sayNotAllowed(permission, permitted))
    }
    return await tool.run(input, context)
  } catch (cause) {
    if (signal.aborted) return refused("Interrupted by the user.")
    return refused(`${called} failed: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

const refused = (text: string): ToolResult => ({ text, isError: true })

const sayNotAllowed = ({ question }: Permission, permitted: Permitted): string =>
  typeof permitted === "object"
    ? `Not allowed: ${question} ${permitted.why}`
    : `The user did not allow this: ${question} Do not try it another way; ask.`

const firstLine = (text: string): string => sanitise(text.split("\n")[0] ?? "").slice(0, 300)
