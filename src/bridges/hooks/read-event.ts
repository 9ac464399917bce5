/** Reads the event an agent pipes into its hook, in the shape most agents have taken over from each other. */
import { isAbsolute } from "node:path"
import { isDeeper, parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { subAgentNamed } from "../../streams/sub-agent-name.ts"
import type { HookAgent, HookEvent, Moment } from "./hook.ts"
import { isOwnTool } from "./own-tool.ts"

/** The event in a text that was piped in; undefined when it is not ours, or nothing that could be one. */
export const readHookEvent = (agent: HookAgent, text: string): HookEvent | undefined => {
  const given = parsed(text)
  const name = textOf(given?.hook_event_name)
  const session = (agent.rootField && idOf(given?.[agent.rootField])) || idOf(given?.session_id)
  const speaker = speakerOf(given?.agent_id)
  if (!given || name === undefined || session === undefined || speaker === undefined) return undefined
  const moment = Object.hasOwn(agent.moments, name) ? agent.moments[name] : undefined
  if (!moment || agent.isPassedOver?.(given)) return undefined
  const cwd = folderOf(given.cwd)
  const prompt = wordsOf(given[agent.promptField ?? "prompt"])
  const tool = toolOf(agent, given)
  const hasTranscript = moment === "stop" || (tool !== undefined && isListCall(agent, moment, tool.name))
  const transcript = hasTranscript ? fileOf(agent, speaker, folderOf(given.transcript_path)) : undefined
  const [taskId, subject] = moment === "done" ? [idOf(given.task_id), textOf(given.task_subject)] : []
  const { source } = given
  return {
    moment,
    name,
    session,
    agent: speaker,
    ...(cwd === undefined ? {} : { cwd }),
    ...(source === "compact" ? { restored: source } : {}),
    // A fork begins with the conversation it was made from.
    ...(source === "resume" || source === "fork" ? { restored: "resume" } : {}),
    ...(prompt === undefined ? {} : { prompt }),
    ...(tool ? { tool } : {}),
    ...(transcript === undefined ? {} : { transcript }),
    ...(taskId === undefined ? {} : { task: { id: taskId, subject: subject ?? "" } }),
    isGuardActive: (given.stop_hook_active ?? given.stopHookActive) === true,
    isWaiting: isWaiting(given),
    isPlanMode: given.permission_mode === "plan",
    ...(moment === "state" ? { given } : {}),
  }
}

/** The same event, where what the agent said last has to be looked for. */
export const withLastWords = async (agent: HookAgent, event: HookEvent, text: string): Promise<HookEvent> => {
  if (!agent.lastWords || event.moment !== "stop" || event.agent !== "main" || event.isWaiting) return event
  return { ...event, isWaiting: isQuestion(await agent.lastWords(parsed(text) ?? {})) }
}

type Fields = Record<string, unknown>

/** Far deeper than any event: reading such a text would take minutes and gigabytes. */
const mostDepth = 10_000

const parsed = (text: string): Fields | undefined => {
  // A short one can do no harm; hooks run on every step of an agent.
  const isTooDeep = text.length > 10 * mostDepth && isDeeper(text, mostDepth)
  const value = isTooDeep ? undefined : parseJson(text)
  return isRecord(value) ? value : undefined
}

/** A prompt is a text, or parts of which some are text. */
const wordsOf = (value: unknown): string | undefined => {
  if (!Array.isArray(value)) return textOf(value)
  return textOf(value.flatMap((part: unknown) => (isRecord(part) ? (textOf(part.text) ?? []) : [])).join("\n"))
}

/** A call of its own list tool that has been made, or one of ours that is about to be. */
const isListCall = ({ listTools }: HookAgent, moment: Moment, tool: string): boolean =>
  (moment === "tool" && Object.hasOwn(listTools, tool)) || (moment === "call" && isOwnTool(tool))

/** The file that an agent's calls are in. A name that is none of a file leads nowhere. */
const fileOf = ({ subAgentFile }: HookAgent, agent: string, session: string | undefined): string | undefined =>
  session === undefined || agent === "main" || !subAgentFile || !/^[\w-]+$/.test(agent)
    ? session
    : subAgentFile(session, agent)

const toolOf = (agent: HookAgent, given: Fields): HookEvent["tool"] => {
  const { tool_name, tool_input, tool_response, tool_use_id, tool_call_id } = given
  const name = idOf(tool_name)
  const callId = idOf(tool_use_id)
  const modelId = idOf(tool_call_id)
  if (name === undefined) return undefined
  const result = agent.resultOf ? agent.resultOf(given) : tool_response
  return {
    name,
    input: tool_input,
    ...(result === undefined ? {} : { result }),
    ...(callId === undefined ? {} : { callId }),
    ...(modelId === undefined ? {} : { modelId }),
    ...(Object.hasOwn(agent.listTools, name) && agent.isRefused?.(given) ? { isRefused: true } : {}),
  }
}

/** A final message that ends with a question waits for the person; running jobs are waited for. */
const isWaiting = (given: Fields): boolean => {
  const { last_assistant_message, lastAssistantMessage, prompt_response } = given
  const { background_tasks: tasks = given.backgroundTasks } = given
  const words = textOf(last_assistant_message) ?? textOf(lastAssistantMessage) ?? textOf(prompt_response)
  return isQuestion(words) || (Array.isArray(tasks) && tasks.some(isRunning))
}

const isQuestion = (words = ""): boolean => /[?？]["'”’)*_`\s]*$/.test(words.slice(-200))

/** Some agents list jobs that have ended too. */
const isRunning = (task: unknown): boolean =>
  !isRecord(task) || !/^(?:completed|failed|cancelled|canceled|stopped|killed)$/.test(String(task.status))

/** Longer ones are not names: they become names of files, and are compared and kept again and again. */
const longestId = 1000

const idOf = (value: unknown): string | undefined => {
  const id = textOf(value)
  return id === undefined || id.length > longestId ? undefined : id
}

/** The main agent has no id; one that cannot be read is still a sub-agent's, and then it is not known whose event it is. */
const speakerOf = (value: unknown): string | undefined => {
  if (value === undefined || value === null || value === "") return "main"
  const id = idOf(value)
  return id === undefined ? undefined : subAgentNamed(id)
}

/** What no system takes for a path, or what is not named in full, is left out. */
const folderOf = (value: unknown): string | undefined => {
  const path = textOf(value)
  return path !== undefined && path.length <= 4096 && !path.includes("\0") && isAbsolute(path) ? path : undefined
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)
