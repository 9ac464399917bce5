/** The agent: a conversation loop that asks a model, runs its calls, follows its plan, and decides when to stop. */
import type { LanguageModel } from "ai"
import type { Contradiction } from "../guidance/contradicted.ts"
import { createReminders } from "../guidance/index.ts"
import type { HostOptions, Overrides } from "../host/options.ts"
import { HeadwayError, type Problem } from "../plan/index.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { Pause } from "./ask-model.ts"
import { type Asker, type Asking, oneAtATime, type Permitted } from "./ask-person.ts"
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

/** The options of the list tools and their guidance are those of every host. */
export type AgentOptions = Omit<HostOptions, "subagent" | "system" | "overrides"> & {
  model: LanguageModel
  /** The plan of this agent. The caller that opened it also closes it. */
  tracker: Tracker
  /** Resumes an earlier conversation. */
  transcript: Transcript
  cwd: string
  /** Your own texts instead of ours. */
  overrides?: AgentOverrides | undefined
  /** Your own system prompt, instead of the agent's; the guidance about the list is added after it. */
  system?: AgentSystem | undefined
  /** The file in which the agent writes its plan in plan mode. */
  planFile: string
  /**
   * Asks the person before the agent reads, writes or runs something. Called for one question at a time, whichever
   * agent asks. The texts are safe to show and complete. Show all of `detail`, because the answer applies to all of it.
   */
  permit: (permission: Permission, by: Asker) => Promise<Permitted>
  /** Asks the person a yes-or-no question. */
  confirm: (question: string, detail: string | undefined, by: Asker) => Promise<boolean>
  /** The model's context size in tokens. @default 200,000 */
  contextWindow?: number
  /** The most turns for one prompt, so that a model that never stops is stopped. @default 200 */
  mostTurns?: number
  /** Tools of the host, in addition to those of the agent or, with the same name, instead of them. */
  tools?: readonly AgentTool[]
  /** Whether the agent has the list, as in the setting `todo.enabled`. @default true */
  offersList?: boolean
  /** Whether the host has its own tool to hand control back (behaviour O17). @default false */
  includesYield?: boolean
  limits?: Partial<Limits>
  /** Environment variables with keys, such as `GEMINI_API_KEY`, that commands may see. @default none */
  allowedVariables?: readonly string[]
  /**
   * The path of the bash that runs commands. Give it in full: a name is looked up on the PATH, where a project may have
   * put its own. @default "bash"
   */
  shell?: string
  now?: () => Date
  newId?: () => string
  onEvent?: (event: AgentEvent) => void
  /**
   * Returns the todos marked done although the last check failed. The agent is told once, when everything is done.
   * @default none
   */
  contradictions?: (() => readonly Contradiction[]) | undefined
  /** Waits before a failed request is repeated. */
  pause?: Pause
}

export type AgentOverrides = Overrides & {
  /** The text for a model that stops with unfinished work. */
  push?: PushWording | undefined
}

export interface Agent {
  /** Works on a prompt until it is done, is interrupted, or cannot continue. Handles one prompt at a time. */
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
  /** Stops reporting the plan, and reports how much of the conversation could not be saved, if any. */
  close(): void
}

export const openAgent = (options: AgentOptions): Promise<Agent> =>
  openAt(options, { name: "main", depth: 0, asking: oneAtATime(options), folderFault: holdFolder(options.cwd) })

/** The place of an agent among the others: the main agent, or a sub-agent. */
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
  // A list of an earlier session is paused until it is resumed.
  if (tracker.plan.todos.length > 0) await tracker.restore("resume")

  const asked = { model, talk, tools: registry.offered, emit, ...(pause ? { pause } : {}) }
  const parts = {
    ...{ tracker, talk, planMode, agent: name, registry, mostTurns, emit, wording: options.overrides?.push },
    // A sub-agent reports to its parent, which may still fix failures.
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

/** Reports once how many lines finally could not be saved. */
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

/** Replaces an empty prompt, because no model accepts an empty message. */
const worded = (prompt: string): string => {
  if (prompt.trim() === "") throw new HeadwayError("no-prompt", "There is nothing to work on: the prompt is empty.")
  return prompt
}

/** Calls the host's listener. An error in it must not lose a line of the conversation. */
const emitAs =
  ({ onEvent }: AgentOptions, { name, depth }: Pick<Place, "name" | "depth">): Emit =>
  (event) => {
    try {
      onEvent?.({ agent: name, depth, ...event } as AgentEvent)
    } catch {}
  }

/** Runs a sub-agent, with the same person, folder and plan mode, but its own plan, conversation and files. */
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

/** Runs prompts one after the other, because two at once would mix in one conversation. */
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
