/** The shape most agents gave their hooks: the fields of an event, and the answer that carries a text to the model. */
import type { HookAgent, HookAnswer, HookEvent } from "./hook.ts"

/** The event in a text somebody piped in; undefined when it is none of ours, or nothing that could be one. */
export const readHookEvent = (agent: HookAgent, text: string): HookEvent | undefined => {
  const given = parsed(text)
  const name = textOf(given?.hook_event_name)
  const session = textOf(given?.session_id)
  if (!given || name === undefined || session === undefined || !Object.hasOwn(agent.moments, name)) return undefined
  const moment = agent.moments[name]
  if (!moment) return undefined
  const cwd = textOf(given.cwd)
  const prompt = textOf(given.prompt)
  const tool = toolOf(given)
  const { source } = given
  return {
    moment,
    name,
    session,
    agent: textOf(given.agent_id) ?? "main",
    ...(cwd === undefined ? {} : { cwd }),
    ...(source === "compact" || source === "resume" ? { restored: source } : {}),
    ...(prompt === undefined ? {} : { prompt }),
    ...(tool ? { tool } : {}),
    isGuardActive: given.stop_hook_active === true,
    isWaiting: isWaiting(given),
    isPlanMode: given.permission_mode === "plan",
  }
}

/** The answer as Claude Code introduced it: a text beside the event's name, or a decision with its reason. */
export const answerWith =
  (decision: "block" | "deny") =>
  ({ name, moment }: Pick<HookEvent, "name" | "moment">, { context, holds, message }: HookAnswer): unknown => {
    const beside = message === undefined ? {} : { systemMessage: message }
    if (moment === "stop" && holds !== undefined) return { decision, reason: holds, ...beside }
    if (context === undefined) return message === undefined ? undefined : beside
    return { hookSpecificOutput: { hookEventName: name, additionalContext: context }, ...beside }
  }

type Fields = Record<string, unknown>

const parsed = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const toolOf = ({ tool_name, tool_input, tool_response, tool_use_id }: Fields): HookEvent["tool"] => {
  const name = textOf(tool_name)
  const callId = textOf(tool_use_id)
  if (name === undefined) return undefined
  return {
    name,
    input: tool_input,
    ...(tool_response === undefined ? {} : { result: tool_response }),
    ...(callId === undefined ? {} : { callId }),
  }
}

/** A last word that ends with a question waits for the person; jobs left running are waited for. */
const isWaiting = ({ last_assistant_message, prompt_response, background_tasks }: Fields): boolean => {
  const words = textOf(last_assistant_message) ?? textOf(prompt_response) ?? ""
  return (
    /[?？]["'”’)*_`\s]*$/.test(words.slice(-200)) || (Array.isArray(background_tasks) && background_tasks.length > 0)
  )
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)
