/** One call: looked up, held against plan mode, allowed by the person, run. Whatever goes wrong becomes its result. */
import { isDeepStrictEqual } from "node:util"
import { messageOf } from "../plan/headway-error.ts"
import { sanitise } from "../plan/index.ts"
import type { Call } from "./ask.ts"
import { type Permitted, visiblePermission } from "./asking.ts"
import type { CallResult } from "./conversation.ts"
import type { Emit } from "./event.ts"
import type { PlanMode } from "./plan-mode.ts"
import type { AgentTool, CallContext, Registry } from "./registry.ts"
import { sendableName } from "./sendable.ts"
import type { FileMemory, Limits, Permission, ToolResult } from "./tools/index.ts"

export type CallRunnerOptions = {
  registry: Registry
  planMode: PlanMode
  /** Is given a permission that is visible. */
  permit: (permission: Permission, signal: AbortSignal) => Promise<Permitted>
  cwd: string
  allowedVariables?: readonly string[] | undefined
  shell?: string | undefined
  limits: Limits
  files: FileMemory
  emit: Emit
}

export type CallRunner = (call: Call & { isCut: boolean }, signal: AbortSignal) => Promise<CallResult>

/** Never rejects: a call without a result would make the conversation unusable. */
export const createCallRunner = (options: CallRunnerOptions): CallRunner => {
  const { registry, cwd, limits, files, emit, allowedVariables = [], shell } = options
  return async ({ id, tool: called, input: given, isCut }, signal) => {
    const input = frozen(given)
    const tool = registry.find(called)
    const isSilent = tool?.isSilent ?? false
    const onProgress = (text: string): void => emit({ type: "tool-progressed", id, text })
    const context: CallContext = { cwd, signal, limits, files, allowedVariables, shell, callId: id, onProgress }
    emit({ type: "tool-called", id, tool: called, input, isSilent })
    const { text, isError = false, display } = await answerTo({ called, tool, input, isCut }, context, options)
    emit({ type: "tool-ended", id, tool: called, text, isError, isSilent, ...(display ? { display } : {}) })
    // A silent tool fails unseen, and what it meant to show is missing (O12).
    if (isSilent && isError) emit({ type: "notice-given", message: `A ${called} call failed: ${firstLine(text)}` })
    return { toolCallId: id, toolName: sendableName(called), text, isError }
  }
}

type Called = { called: string; tool: AgentTool | undefined; input: unknown; isCut: boolean }

const answerTo = async ({ called, tool, input, isCut }: Called, context: CallContext, options: CallRunnerOptions) => {
  const { registry, planMode } = options
  const { signal, cwd } = context
  if (signal.aborted) return refused("Interrupted by the user before it began.")
  if (!tool) return refused(`There is no tool "${called}". The tools are: ${registry.names().join(", ")}.`)
  // Half a file or half a list is worse than none.
  if (isCut) return refused("Your answer was cut off in the middle of this call, so it was not made. Make it smaller.")
  try {
    const refusal =
      (await planMode.refusal(tool, input, cwd)) ??
      ((await planMode.isFree(tool, input, cwd)) ? undefined : await notAllowed(tool, input, context, options))
    return refusal === undefined ? await tool.run(input, context) : refused(refusal)
  } catch (cause) {
    if (signal.aborted) return refused("Interrupted by the user.")
    return refused(`${called} failed: ${messageOf(cause)}`)
  }
}

/** How often a call is asked about whose effect changes while it is asked about. */
const mostAsked = 3

/**
 * Why a call may not run; undefined when it may. An answer holds for what was shown and nothing else: when a link or a
 * file has changed in the meantime so that something else would happen, that is asked about again.
 */
const notAllowed = async (
  tool: AgentTool,
  input: unknown,
  context: CallContext,
  { permit, emit }: CallRunnerOptions,
): Promise<string | undefined> => {
  let permission = await tool.needsPermission(input, context)
  for (let asked = 0; permission !== undefined; asked += 1) {
    const visible = visiblePermission(permission)
    if (asked === mostAsked) return `What this would do changed while the user was asked: ${visible.question}`
    const permitted = await permit(visible, context.signal)
    emit({ type: "permission-asked", permission: visible, allowed: permitted === true })
    if (permitted !== true) return sayNotAllowed(visible, permitted)
    const now = await tool.needsPermission(input, context)
    if (isDeepStrictEqual(now, permission)) return undefined
    permission = now
  }
  return undefined
}

/**
 * What is asked about is what runs: nothing else that holds the call, such as a listener of the host, can change it.
 * Input that cannot be copied, because it is nested too deeply, is none.
 */
const frozen = (given: unknown): unknown => {
  try {
    const input = structuredClone(given)
    const waiting: unknown[] = [input]
    for (const value of waiting) {
      if (typeof value !== "object" || value === null) continue
      for (const part of Object.values(Object.freeze(value))) waiting.push(part)
    }
    return input
  } catch {
    return undefined
  }
}

const refused = (text: string): ToolResult => ({ text, isError: true })

const sayNotAllowed = ({ question }: Permission, permitted: Permitted): string =>
  typeof permitted === "object"
    ? `Not allowed: ${question} ${permitted.why}`
    : `The user did not allow this: ${question} Do not try it another way; ask.`

const firstLine = (text: string): string => sanitise(text.split("\n")[0] ?? "").slice(0, 300)
