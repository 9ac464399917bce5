/** The agent: a conversation that asks a model, runs what it calls, keeps its plan in sight, and knows when to stop. */
import type { LanguageModel, ModelMessage } from "ai"
import type { Dialect, PromptLevel } from "../dialects/dialect.ts"
import {
  beforeTurn,
  type ContinuationState,
  createReminders,
  mayStop,
  noPushes,
  type Profile,
  type Reminders,
} from "../guidance/index.ts"
import type { Tracker } from "../tracker.ts"
import { type Answer, ask, type Call } from "./ask.ts"
import { isFull, summarise } from "./compaction.ts"
import { messagesOf, readSpoken, resultsOf, type Spoken, type Transcript, turnMessageOf } from "./conversation.ts"
import type { AgentEvent, Ending } from "./event.ts"
import { createPlanMode, exitPlanMode, type PlanMode } from "./plan-mode.ts"
import { type AgentTool, agentTool, createRegistry, type Registry } from "./registry.ts"
import { createSubAgentTool, deepest, type SubAgentWork, subAgentTool } from "./sub-agent.ts"
import { systemText } from "./system-text.ts"
import { createTodoTools, offersTodos } from "./todo-tools.ts"
import { runQueue } from "./tool-queue.ts"
import { createFileMemory, defaultLimits, type Limits, tools as machineTools, type Permission } from "./tools/index.ts"

export type AgentOptions = {
  model: LanguageModel
  /** The plan of this agent. */
  tracker: Tracker
  transcript: Transcript
  cwd: string
  dialect: Dialect
  /** How much is said of the list. @default "quiet" */
  level?: PromptLevel
  /** When the model is reminded of it. @default "quiet" */
  profile?: Profile
  /** Where a plan is written in plan mode. */
  planFile: string
  /** Asks the person before something is read, written or run. */
  permit: (permission: Permission) => Promise<boolean>
  /** Asks the person a question with yes or no. */
  confirm: (question: string, detail?: string) => Promise<boolean>
  /** How much the model can hold, in tokens. @default 200,000 */
  contextWindow?: number
  /** Turns for one prompt; a model that never stops is stopped. @default 200 */
  mostTurns?: number
  /** Tools of the host, beside those of the agent. */
  tools?: readonly AgentTool[]
  /** `todo.enabled`: the list can be switched off. @default true */
  offersList?: boolean
  /** The host has a tool of its own to hand control back (O17). @default false */
  includesYield?: boolean
  limits?: Partial<Limits>
  now?: () => Date
  newId?: () => string
  onEvent?: (event: AgentEvent) => void
  /** Waits before a failed answer is asked for again. */
  pause?: (tried: number, signal: AbortSignal) => Promise<void>
}

export interface Agent {
  /** Works on what a person said until it is done, interrupted, or cannot go on. */
  run(prompt: string, signal: AbortSignal): Promise<{ ending: Ending; text: string }>
  /** Replaces the conversation by a summary. False when there is nothing to summarise, or it failed. */
  compact(signal: AbortSignal): Promise<boolean>
  readonly planMode: PlanMode
  readonly tools: Registry
  readonly tracker: Tracker
  readonly spoken: readonly Spoken[]
}

export const openAgent = (options: AgentOptions): Promise<Agent> => openAt(options, { name: "main", depth: 0 })

type Place = { name: string; depth: number }

const openAt = async (options: AgentOptions, { name, depth }: Place): Promise<Agent> => {
  const { model, tracker, transcript, cwd, dialect, level = "quiet", profile = "quiet" } = options
  const { contextWindow = 200_000, mostTurns = 200, now = () => new Date() } = options
  const emit = (event: EventPart): void => options.onEvent?.({ agent: name, depth, ...event } as AgentEvent)
  const isSubAgent = depth > 0
  const files = createFileMemory()
  const limits = { ...defaultLimits, ...options.limits }

  const planMode = createPlanMode({
    file: options.planFile,
    ask: options.confirm,
    onChange: (isPlanMode) => emit({ type: "mode-changed", isPlanMode }),
  })
  const host = { isEnabled: options.offersList ?? true, isSubAgent, includesYield: options.includesYield ?? false }
  const todoTools = offersTodos(dialect, host) ? createTodoTools({ dialect, level, tracker }) : []
  const registry = createRegistry([
    ...Object.values(machineTools).map(agentTool),
    ...todoTools,
    ...(isSubAgent ? [] : planMode.tools),
    ...(depth < deepest ? [createSubAgentTool((work) => runSubAgent(work))] : []),
    ...(options.tools ?? []),
  ])
  const listTools = todoTools.filter((tool) => !tool.isReadOnly()).map((tool) => tool.name)
  const guided = {
    list: listTools,
    reading: todoTools.filter((tool) => tool.isReadOnly()).map((tool) => tool.name),
    subagent: depth < deepest ? subAgentTool : undefined,
  }

  const kept = readSpoken(await transcript.load())
  const spoken: Spoken[] = [...kept]
  const reminders: Reminders = createReminders({
    tools: guided,
    profile,
    now,
    ...(options.newId ? { newId: options.newId } : {}),
    onProblem: ({ message }) => emit({ type: "notice-given", message }),
  })
  for (const one of kept) if (one.type !== "reminder") reminders.saw(turnMessageOf(one))

  /** What has to be said of the list before the next turn: the model lost sight of it. */
  let restored: "compact" | "resume" | undefined = kept.length > 0 ? "resume" : undefined
  let continuation: ContinuationState = noPushes
  let filled = 0

  const speak = async (one: Spoken): Promise<void> => {
    await transcript.append(one)
    spoken.push(one)
    // Reminders count themselves when they are due.
    if (one.type !== "reminder") reminders.saw(turnMessageOf(one))
  }

  const remind = async (): Promise<void> => {
    if (restored) await tracker.restore(restored)
    const due = await reminders.due(
      await beforeTurn(tracker, {
        restored,
        ...(planMode.isOn ? { planMode: { file: planMode.file, exitTool: exitPlanMode } } : {}),
      }),
    )
    restored = undefined
    for (const { attachment, message } of due) {
      emit({ type: "reminder-said", attachment, text: message.content })
      await speak({ type: "reminder", attachment, text: message.content })
    }
  }

  const compact = async (signal: AbortSignal): Promise<boolean> => {
    const messages = messagesOf(spoken)
    if (messages.length < 2) return false
    const done = await summarise(model, messages, registry.offered(), signal)
    if ("failure" in done) {
      emit({ type: "notice-given", message: `The conversation could not be summarised: ${done.failure}` })
      return false
    }
    await speak({ type: "compaction", summary: done.summary })
    emit({ type: "compacted", summary: done.summary })
    filled = 0
    restored = "compact"
    return true
  }

  const runSubAgent = async ({ prompt, description, todo, signal }: SubAgentWork) => {
    const id = (options.newId ?? (() => crypto.randomUUID()))().slice(0, 8)
    const child = await tracker.child(id, { agentType: "headway-agent", ...(todo === undefined ? {} : { todo }) })
    emit({ type: "notice-given", message: `${id} begins: ${description}` })
    const memory: Spoken[] = []
    const sub = await openAt(
      {
        ...options,
        tracker: child,
        transcript: { load: async () => [], append: async (one) => void memory.push(one) },
      },
      { name: id, depth: depth + 1 },
    )
    return sub.run(prompt, signal)
  }

  const runCall = async ({ id, tool: called, input }: Call, signal: AbortSignal) => {
    const tool = registry.find(called)
    const context = { cwd, signal, limits, files, callId: id, onProgress: progress(id) }
    const refuse = (text: string) => ({ text, isError: true })
    const decide = async () => {
      if (!tool) return refuse(`There is no tool "${called}". The tools are: ${registry.names().join(", ")}.`)
      const refusal = planMode.refusal(tool, input, cwd)
      if (refusal !== undefined) return refuse(refusal)
      const permission = await tool.needsPermission(input, context)
      if (permission) {
        const allowed = await options.permit(permission)
        emit({ type: "permission-asked", permission, allowed })
        if (!allowed)
          return refuse(`The user did not allow this: ${permission.question} Do not try it another way; ask.`)
      }
      return tool.run(input, context)
    }
    emit({ type: "tool-called", id, tool: called, input })
    const result = signal.aborted ? refuse("Interrupted by the user before it began.") : await decide()
    emit({
      type: "tool-ended",
      id,
      tool: called,
      text: result.text,
      isError: result.isError ?? false,
      ...("display" in result && result.display !== undefined ? { display: result.display } : {}),
    })
    return { toolCallId: id, toolName: called, text: result.text, isError: result.isError ?? false }
  }

  const progress =
    (id: string) =>
    (text: string): void =>
      emit({ type: "tool-progressed", id, text })

  const turn = async (signal: AbortSignal): Promise<Answer | { failure: string }> => {
    emit({ type: "turn-started" })
    const messages: ModelMessage[] = messagesOf(spoken)
    const answer = await ask({
      model,
      system: systemText({
        cwd,
        platform: process.platform,
        today: now().toISOString().slice(0, 10),
        list: listTools,
        subagent: guided.subagent,
        level,
        isSubAgent,
      }),
      messages,
      tools: registry.offered(),
      signal,
      onText: (text) => emit({ type: "text-said", text }),
      onThought: (text) => emit({ type: "thought-said", text }),
      onFailure: (message, willRetry) => emit({ type: "turn-failed", message, willRetry }),
      ...(options.pause ? { pause: options.pause } : {}),
    })
    if ("failure" in answer) return answer
    filled = answer.usage.input + answer.usage.output
    emit({ type: "turn-ended", usage: answer.usage })
    if (answer.text !== "" || answer.calls.length > 0) await speak({ type: "assistant", message: answer.message })
    return answer
  }

  const runCalls = async (calls: readonly Call[], signal: AbortSignal): Promise<void> => {
    const before = tracker.plan.revision
    const results = await runQueue(
      calls.map((call) => ({
        isConcurrencySafe: registry.find(call.tool)?.isConcurrencySafe() ?? true,
        run: () => runCall(call, signal),
      })),
    )
    await speak({ type: "results", message: resultsOf(results) })
    if (tracker.plan.revision !== before) emit({ type: "plan-changed", plan: tracker.plan })
  }

  /** What to say to an agent that wants to stop with work left; undefined when it may. */
  const push = (text: string): string | undefined => {
    const verdict = mayStop({
      plan: tracker.plan,
      ledger: tracker.ledger,
      state: continuation,
      work: reminders.state.work,
      isQuestionOpen: /\?["'”’)*_`\s]*$/.test(text),
      isPlanMode: planMode.isOn,
    })
    continuation = verdict.state
    if (!verdict.stop) return verdict.text
    if (verdict.why !== undefined) emit({ type: "notice-given", message: verdict.why })
    return undefined
  }

  const run: Agent["run"] = async (prompt, signal) => {
    continuation = noPushes
    await speak({ type: "user", text: prompt })
    let last = ""
    try {
      for (let turns = 0; turns < mostTurns; turns += 1) {
        if (isFull(filled, contextWindow)) await compact(signal)
        await remind()
        const answer = await turn(signal)
        if ("failure" in answer) {
          emit({
            type: "notice-given",
            message: `${answer.failure} The plan and the conversation are kept; you can go on later.`,
          })
          return { ending: "failed", text: last }
        }
        last = answer.text || last
        if (answer.cut === "refusal") emit({ type: "notice-given", message: "The model declined to answer." })
        if (answer.calls.length > 0) {
          await runCalls(answer.calls, signal)
          if (signal.aborted) return { ending: "interrupted", text: last }
          continue
        }
        const more = answer.cut === "refusal" ? undefined : push(answer.text)
        if (more === undefined) return { ending: "done", text: last }
        await speak({ type: "user", text: more })
      }
    } catch (cause) {
      if (signal.aborted) return { ending: "interrupted", text: last }
      throw cause
    }
    emit({ type: "notice-given", message: `Stopped after ${mostTurns} turns. Say "go on" to let it continue.` })
    return { ending: "too-many-turns", text: last }
  }

  return { run, compact, planMode, tools: registry, tracker, spoken }
}

type EventPart = AgentEvent extends infer Event
  ? Event extends AgentEvent
    ? Omit<Event, "agent" | "depth">
    : never
  : never
