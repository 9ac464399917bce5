/** The agent: a conversation loop that asks a model, runs its calls, follows its plan, and decides when to stop. */
import type { LanguageModel } from "ai"
import type { Contradiction } from "../guidance/contradicted.ts"
import { createReminders } from "../guidance/index.ts"
import type { HostOptions, Overrides } from "../host/options.ts"
import { HeadwayError, type Problem } from "../plan/index.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { Pause } from "./ask.ts"
import { type Asker, type Asking, oneAtATime, type Permitted } from "./asking.ts"
import { createCompaction } from "./compaction.ts"
import type { Spoken, Transcript } from "./conversation.ts"
import type { AgentEvent, Emit, Ending } from "./event.ts"
import { createPlanMode, type PlanMode, planModeOfAnother } from "./plan-mode.ts"
import { emitChanges } from "./plan-news.ts"
import type { AgentTool, Registry } from "./registry.ts"
import { createCallRunner } from "./run-call.ts"
import type { PushWording } from "./stopping.ts"
import { type RunBelow, runSubAgent } from "./sub-agent.ts"
import { type AgentSystem, systemText } from "./system-text.ts"
import { createTalk, loadKept, type Talk, wasInPlanMode } from "./talk.ts"
import { createToolbox } from "./toolbox.ts"
import { createFileMemory, defaultLimits, type Limits, type Permission } from "./tools/index.ts"
import { createTurn } from "./turn.ts"
import { work } from "./work.ts"
import { type FolderFault, holdFolder } from "./working-folder.ts"

/** The list tools and their guidance: the same options as for every host. */
export type AgentOptions = Omit<HostOptions, "subagent" | "system" | "overrides"> & {
  model: LanguageModel
  /** The plan of this agent. Closed by the caller that opened it. */
  tracker: Tracker
  /** Resumes an earlier conversation. */
  transcript: Transcript
  cwd: string
  /** Your own wording instead of ours. */
  overrides?: AgentOverrides | undefined
  /** Your own system prompt, instead of the agent's; the guidance about the list is added after it. */
  system?: AgentSystem | undefined
  /** Where a plan is written in plan mode. */
  planFile: string
  /**
   * Asks the person before something is read, written or run. One question at a time, whichever agent asks. The texts
   * are safe to show and complete: show `detail` whole, because the answer is for all of it.
   */
  permit: (permission: Permission, by: Asker) => Promise<Permitted>
  /** Asks the person a question with yes or no. */
  confirm: (question: string, detail: string | undefined, by: Asker) => Promise<boolean>
  /** How much the model can hold, in tokens. @default 200,000 */
  contextWindow?: number
  /** Turns for one prompt; a model that never stops is stopped. @default 200 */
  mostTurns?: number
  /** Tools of the host, in addition to those of the agent or, with the same name, instead of them. */
  tools?: readonly AgentTool[]
  /** `todo.enabled`: the list can be switched off. @default true */
  offersList?: boolean
  /** The host has its own tool to hand control back (O17). @default false */
  includesYield?: boolean
  limits?: Partial<Limits>
  /** Names of variables with keys, such as `GEMINI_API_KEY`, that commands may see. @default none */
  allowedVariables?: readonly string[]
  /** The bash that runs commands, in full: a name is looked up on the PATH, where a project may have put its own. @default "bash" */
  shell?: string
  now?: () => Date
  newId?: () => string
  onEvent?: (event: AgentEvent) => void
  /**
   * The todos marked done although the last check failed: the agent is told once, when everything is done. @default
   * none
   */
  contradictions?: (() => readonly Contradiction[]) | undefined
  /** Waits before a failed answer is asked for again. */
  pause?: Pause
}

export type AgentOverrides = Overrides & {
  /** Decides when a model is sent back to work that it left. */
  push?: PushWording | undefined
}

export interface Agent {
  /** Works on a prompt until it is done, interrupted, or cannot continue. One prompt at a time. */
  run(prompt: string, signal: AbortSignal): Promise<{ ending: Ending; text: string }>
  /**
   * Replaces the conversation with a summary. Returns false if there is nothing to summarise, or it failed or was
   * interrupted.
   */
  compact(signal: AbortSignal): Promise<boolean>
  readonly planMode: PlanMode
  readonly tools: Registry
  readonly tracker: Tracker
  readonly spoken: readonly Spoken[]
  /** Stops reporting the plan; reports how much of the conversation could not be saved, if any. */
  close(): void
}

export const openAgent = (options: AgentOptions): Promise<Agent> =>
  openAt(options, { name: "main", depth: 0, asking: oneAtATime(options), folderFault: holdFolder(options.cwd) })

/** The place of an agent among the others: the main one, or one that works for another. */
type Place = { name: string; depth: number; asking: Asking; folderFault: FolderFault; planMode?: PlanMode }

const openAt = async (options: AgentOptions, place: Place): Promise<Agent> => {
  const { model, tracker, transcript, cwd, now = () => new Date(), mostTurns = 200 } = options
  const { newId = () => crypto.randomUUID(), contextWindow = 200_000, pause } = options
  const { name, depth, asking, folderFault } = place
  const isSubAgent = depth > 0
  const stands = { agentId: name, isSubAgent, depth }
  const emit = emitAs(options, { name, depth })
  const by = (signal: AbortSignal): Asker => ({ agent: name, depth, signal })

  const kept = await loadKept(transcript)
  const onChange = (isPlanMode: boolean): void => {
    emit({ type: "mode-changed", isPlanMode })
    void talk.say({ type: "mode", isPlanMode })
  }
  const planMode = place.planMode ?? createPlanMode({ file: options.planFile, isOn: wasInPlanMode(kept), onChange })
  const { system, ...tools } = options
  const { registry, toolset } = createToolbox({
    ...tools,
    depth,
    planMode,
    folderFault,
    confirm: (question, detail, signal) => asking.confirm(question, detail, by(signal)),
    work: runSubAgent({
      tracker,
      transcript,
      newId,
      run: openBelow(options, { depth, asking, folderFault, planMode }),
    }),
  })
  const onProblem = (problem: Problem): void => {
    emit({ type: "notice-given", message: problem.message })
    options.onProblem?.(problem)
  }
  const reminders = createReminders({ ...toolset.reminders, agent: name, now, newId, onProblem })
  const talk = createTalk({ kept, transcript, tracker, reminders, isSubAgent, emit })
  // A list from before is paused until it is resumed.
  if (tracker.plan.todos.length > 0) await tracker.restore("resume")

  const asked = { model, talk, tools: registry.offered, emit, ...(pause ? { pause } : {}) }
  const parts = {
    ...{ tracker, talk, planMode, agent: name, registry, mostTurns, emit, wording: options.overrides?.push },
    // A sub-agent reports to its parent, who may still act on it.
    contradictions: isSubAgent ? undefined : options.contradictions,
    compaction: createCompaction({ ...asked, tracker, contextWindow }),
    takeTurn: createTurn({
      ...asked,
      system: () => systemText({ place: { ...stands, cwd }, today: now(), sections: toolset.sections, system }),
    }),
    runCall: createCallRunner({
      ...{ registry, planMode, cwd, emit, allowedVariables: options.allowedVariables, shell: options.shell },
      place: { ...stands, tracker },
      permit: (permission, signal) => asking.permit(permission, by(signal)),
      limits: { ...defaultLimits, ...options.limits },
      files: createFileMemory(),
    }),
  }
  const alone = oneByOne()
  return {
    run: (prompt, signal) => alone(() => work(worded(prompt), signal, parts)),
    compact: (signal) => alone(() => parts.compaction.compact(signal).catch(unlessInterrupted(signal))),
    planMode,
    tools: registry,
    tracker,
    spoken: talk.spoken,
    close: closing(emitChanges(tracker, emit), talk, emit),
  }
}

/** Reports once which lines could not be saved in the end. */
const closing = (stopTelling: () => void, talk: Talk, emit: Emit): (() => void) => {
  let isClosed = false
  return () => {
    stopTelling()
    const { unkept } = talk
    if (!isClosed && unkept > 0)
      emit({
        type: "notice-given",
        message: `The last ${unkept === 1 ? "line" : `${unkept} lines`} of the conversation could not be saved: a resumed session will not have them.`,
      })
    isClosed = true
  }
}

/** No model accepts an empty message. */
const worded = (prompt: string): string => {
  if (prompt.trim() === "") throw new HeadwayError("no-prompt", "There is nothing to work on: the prompt is empty.")
  return prompt
}

/** An error in the host's own listener must not lose a line of the conversation. */
const emitAs =
  ({ onEvent }: AgentOptions, { name, depth }: Pick<Place, "name" | "depth">): Emit =>
  (event) => {
    try {
      onEvent?.({ agent: name, depth, ...event } as AgentEvent)
    } catch {}
  }

/** Runs an agent that works for this one: same person, folder and plan mode; its own plan, conversation and files. */
const openBelow =
  (
    options: AgentOptions,
    { depth: above, planMode, ...shared }: Omit<Place, "name"> & { planMode: PlanMode },
  ): RunBelow =>
  async ({ name, ...parts }, { prompt, description, todo, signal }) => {
    const depth = above + 1
    const emit = emitAs(options, { name, depth })
    const agent = await openAt(
      { ...options, ...parts },
      { ...shared, name, depth, planMode: planModeOfAnother(planMode) },
    )
    emit({ type: "agent-started", description, ...(todo === undefined ? {} : { todo }) })
    try {
      const done = await agent.run(prompt, signal)
      emit({ type: "agent-ended", ...done })
      return done
    } finally {
      agent.close()
    }
  }

/** Two prompts at once would mix in one conversation. */
const oneByOne = () => {
  let isBusy = false
  return async <Result>(action: () => Promise<Result>): Promise<Result> => {
    if (isBusy)
      throw new HeadwayError("agent-busy", "The agent is working. Interrupt it first, or wait until it is done.")
    isBusy = true
    try {
      return await action()
    } finally {
      isBusy = false
    }
  }
}

const unlessInterrupted =
  (signal: AbortSignal) =>
  (cause: unknown): false => {
    if (signal.aborted) return false
    throw cause
  }
