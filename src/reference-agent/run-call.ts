/** Runs one call: lookup, plan mode check, permission, execution. Any failure becomes its result. */
import { isDeepStrictEqual } from "node:util"
import { messageOf } from "../plan/headway-error.ts"
import { sanitise } from "../plan/index.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { Call } from "./ask-model.ts"
import { type Permitted, visiblePermission } from "./ask-person.ts"
import type { CallResult } from "./conversation.ts"
import type { Emit } from "./event.ts"
import type { PlanMode } from "./plan-mode.ts"
import type { AgentTool, CallContext, Registry } from "./registry.ts"
import { rendererOf } from "./render-call.ts"
import { sendableName } from "./sendable.ts"
import type { FileMemory, Limits, Permission, ToolResult } from "./tools/index.ts"

export type CallRunnerOptions = {
  registry: Registry
  planMode: PlanMode
  /** Gets a permission in which everything is visible. */
  permit: (permission: Permission, signal: AbortSignal) => Promise<Permitted>
  cwd: string
  allowedVariables?: readonly string[] | undefined
  shell?: string | undefined
  limits: Limits
  files: FileMemory
  /** The agent that makes the calls, and owns the plan. */
  place: Pick<CallContext, "agentId" | "isSubAgent" | "depth"> & { tracker: Pick<Tracker, "plan"> }
  emit: Emit
}

export type CallRunner = (call: Call & { isCut: boolean }, signal: AbortSignal) => Promise<CallResult>

/** Never rejects, because a call without a result would make the conversation unusable. */
export const createCallRunner = (options: CallRunnerOptions): CallRunner => {
  const { registry, emit } = options
  return async ({ id, tool: called, input: given, isCut }, signal) => {
    const input = frozen(given)
    const tool = registry.find(called)
    const render = rendererOf(tool)
    const { context, end } = contextFor({ callId: id, signal, progress: render.progress }, options)
    emit({ type: "tool-called", id, tool: called, input, ...render.use(input) })
    const answer = await answerTo({ called, tool, input, isCut }, context, options)
    end()
    const { text, isError = false, isRejected, isHeldBack } = answer
    const more = { ...(isRejected ? { isRejected } : {}), ...(isHeldBack ? { isHeldBack } : {}) }
    emit({ type: "tool-ended", id, tool: called, text, isError, ...more, ...render.end(input, answer) })
    // The failure of a silent tool would be invisible (behaviour O12).
    if (tool?.isSilent && isError && !isHeldBack) emit({ type: "notice-given", message: sayFailed(called, text) })
    return { toolCallId: id, toolName: sendableName(called), text, isError }
  }
}

type CallOptions = { callId: string; signal: AbortSignal; progress: (text: string) => string | undefined }

/** The context of a running call. */
const contextFor = (
  { callId, signal, progress }: CallOptions,
  { cwd, limits, files, place, emit, allowedVariables = [], shell }: CallRunnerOptions,
): { context: CallContext; end: () => void } => {
  const { tracker, ...where } = place
  let hasMessage = false
  const setSpinnerMessage = (message: string | undefined): void => {
    const isSaid = message !== undefined && message !== ""
    if (isSaid || hasMessage) emit({ type: "spinner-changed", ...(isSaid ? { message } : {}) })
    hasMessage = isSaid
  }
  const context: CallContext = {
    ...{ cwd, signal, limits, files, allowedVariables, shell, callId, ...where, setSpinnerMessage },
    get plan() {
      return tracker.plan
    },
    notify: (message) => emit({ type: "notice-given", message }),
    onProgress: (given) => {
      const text = progress(given)
      if (text !== undefined) emit({ type: "tool-progressed", id: callId, text })
    },
  }
  return { context, end: () => setSpinnerMessage(undefined) }
}

/** `isRejected` means that the person or plan mode refused the call, so that it was not run. */
type Answered = ToolResult & { isRejected?: true }

type Called = { called: string; tool: AgentTool | undefined; input: unknown; isCut: boolean }

const answerTo = async (
  { called, tool, input, isCut }: Called,
  context: CallContext,
  options: CallRunnerOptions,
): Promise<Answered> => {
  const { registry, planMode } = options
  const { signal, cwd } = context
  if (signal.aborted) return refused("Interrupted by the user before it began.")
  if (!tool) return refused(`There is no tool "${called}". The tools are: ${registry.names().join(", ")}.`)
  // An incomplete file or list would be worse than none.
  if (isCut) return refused("Your answer was cut off in the middle of this call, so it was not made. Make it smaller.")
  try {
    const held = await planMode.refusal(tool, input, cwd)
    if (held !== undefined) return { ...refused(held), isRejected: true, isHeldBack: true }
    const free = await planMode.freePlace(tool, input, cwd)
    const asked = free === undefined ? await allowed(tool, input, context, options) : { permitted: free }
    if ("refusal" in asked) return { ...refused(asked.refusal), isRejected: true }
    return await tool.run(input, Object.assign(context, asked))
  } catch (cause) {
    if (signal.aborted) return refused("Interrupted by the user.")
    return refused(`${called} failed: ${messageOf(cause)}`)
  }
}

/** How often the person is asked about a call whose effect changes while the question is open. */
const mostAsked = 3

type Allowed = Pick<CallContext, "permitted"> | { refusal: string }

/**
 * Returns what was permitted, or why a call may not run. An answer is only valid for what the person saw: if a link or
 * a file has changed in the meantime so that the effect would differ, the person is asked again.
 */
const allowed = async (
  tool: AgentTool,
  input: unknown,
  context: CallContext,
  { permit, emit }: CallRunnerOptions,
): Promise<Allowed> => {
  let permission = await tool.needsPermission(input, context)
  for (let asked = 0; permission !== undefined; asked += 1) {
    const visible = visiblePermission(permission)
    if (asked === mostAsked)
      return { refusal: `The effect of this call changed while the user was asked: ${visible.question}` }
    const permitted = await permit(visible, context.signal)
    emit({ type: "permission-asked", permission: visible, allowed: permitted === true })
    if (permitted !== true) return { refusal: sayNotAllowed(visible, permitted) }
    const now = await tool.needsPermission(input, context)
    if (isDeepStrictEqual(now, permission)) return { permitted: permission.target }
    permission = now
  }
  return {}
}

/**
 * A copy that a host's listener cannot change, so that exactly what the person was asked about runs. Input that is
 * nested too deeply to be copied becomes undefined.
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

/** The notice of a failure, with the first informative line. Skips a heading above the errors. */
const sayFailed = (called: string, text: string): string => {
  const lines = text.split("\n").flatMap((line) => sanitise(line).replace(/^- /, "") || [])
  const first = lines.find((line) => !line.endsWith(":")) ?? lines[0]
  return first === undefined ? `A ${called} call failed.` : `A ${called} call failed: ${first.slice(0, 300)}`
}
