/** Handles an agent's hook: records its list, restores it, passes on edits, and decides about stopping. */

import type { Dialect, ToolCall } from "../../dialects/dialect.ts"
import { dialects } from "../../dialects/index.ts"
import { type MayStop, mayStop } from "../../guidance/continuation.ts"
import { type Contradiction, contradictedKey, contradictedText } from "../../guidance/contradicted.ts"
import { createReminders } from "../../guidance/remind.ts"
import type { Profile } from "../../guidance/reminders/index.ts"
import { ledgerFor, type Problem, textForModel } from "../../plan/index.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import { callIdOf } from "../calls/call-id.ts"
import type { HookAgent, HookAnswer, HookEvent } from "./hook.ts"
import type { OwedNotices } from "./owed-notice.ts"
import { isOwnTool } from "./own-tool.ts"
import { afterTool, isListTool, isPush, noPushes } from "./quick.ts"
import type { HookState } from "./state.ts"

export type HookWork = {
  agent: HookAgent
  event: HookEvent
  state: HookState
  /** The plan of the agent the event is about. */
  tracker: Tracker
  profile: Profile
  /** Whether an agent with work left may be held back at all. */
  holds: boolean
  /** Notices that killed hooks did not deliver, which now count as told. */
  owed: OwedNotices["takeOver"]
  /** Updates the plan from the session's own files. Called before an agent is sent back whose calls do not tell all. */
  catchUp?: (() => Promise<void>) | undefined
  /** Adds the todos of calls that were missed, from the session's own files. */
  addMissed?: (() => Promise<void>) | undefined
  /** The todos marked done although the last check failed, requested when the agent stops. */
  contradictions?: (() => Promise<Contradiction[]>) | undefined
  /** What the session's file says about a call of a list tool. */
  inSession?: ((seen: SeenCall) => Promise<InSession | undefined>) | undefined
  now: () => Date
  onProblem: (problem: Problem) => void
}

/** A call that a hook has seen. `modelId` is its id in the session's file. */
export type SeenCall = { call: ToolCall; modelId: string; dialect: Dialect }

export type InSession = {
  /** When the call was made. */
  at: string | undefined
  /** What of it stands, as later calls may be recorded already; undefined if nothing does. */
  standing: ToolCall | undefined
  /** The calls before it whose hooks did not come. */
  missed: readonly ToolCall[]
}

export const act = async (work: HookWork): Promise<{ answer: HookAnswer; state: HookState }> => {
  const { moment } = work.event
  if (moment === "stop") return stopping(work)
  const { state, edits } = await recordEvent(work)
  const { untold } = ledgerFor(work.tracker.ledger, undefined)
  const isTold = (entry: string, to = Number.POSITIVE_INFINITY): boolean =>
    !untold.has(entry) || (untold.get(entry)?.told ?? 0) >= to
  const texts = [...work.owed(isTold), ...(edits === undefined ? [] : [edits])]
  return dueReminders({ ...work, state }, texts.length > 0 ? texts.join("\n\n") : undefined)
}

/** Records what happened: a list call, a prompt, a compaction. */
export const recordEvent = async (
  work: Pick<HookWork, "agent" | "event" | "state" | "tracker" | "inSession" | "addMissed">,
): Promise<{ state: HookState; edits: string | undefined }> => {
  const { agent, event, state, tracker } = work
  const { moment, tool, restored, prompt } = event
  if (moment === "start") {
    await tracker.restore(restored ?? "start")
    const turns = restored === "compact" ? compacted(state) : state.turns
    return { state: { ...state, turns }, edits: await tracker.tellAgent() }
  }
  if (moment === "prompt") {
    const continuation = isPush(prompt, state) ? state.continuation : noPushes
    return { state: { ...state, continuation }, edits: await tracker.tellAgent() }
  }
  if (!tool) return { state, edits: undefined }
  if (tool.isRefused) {
    // The agent's list is as it was, so the call counts like one of any other tool.
    return { state: { ...state, turns: afterTool(state.turns, agent, "") }, edits: await tracker.tellAgent() }
  }
  const turns = afterTool(state.turns, agent, tool.name)
  const dialect = isListTool(agent, tool.name) ? findDialect(agent.listTools[tool.name]) : undefined
  if (!dialect) {
    const used = isOwnTool(tool.name) ? { listTool: tool.name } : {}
    return { state: { ...state, ...used, turns }, edits: await tracker.tellAgent() }
  }
  const { name, callId, modelId = callId, ...rest } = tool
  const call = {
    tool: name,
    observed: true,
    ...rest,
    ...(callId === undefined ? {} : { callId: callIdOf(callId, tool.input) }),
  }
  const { notice, problems } = await recordCall(work, { call, modelId, dialect })
  const texts = [notice ?? refusalIn(problems, "removed-by-person"), refusalIn(problems, "claimed")]
  const edits = texts.filter((text) => text !== undefined).join("\n\n")
  return {
    state: { ...state, listTool: name, turns },
    edits: edits === "" ? undefined : edits,
  }
}

/** Records a call, after those before it that were missed, as far as no later call is recorded. */
const recordCall = async (
  { tracker, inSession, addMissed }: Pick<HookWork, "tracker" | "inSession" | "addMissed">,
  { call, modelId, dialect }: Omit<SeenCall, "modelId"> & { modelId: string | undefined },
): Promise<{ notice?: string | undefined; problems: readonly Problem[] }> => {
  const found = modelId === undefined ? undefined : await inSession?.({ call, modelId, dialect })
  const { standing, missed = [], at } = found ?? { standing: call }
  // The agent is told with the call that it has made now.
  for (const earlier of missed) await tracker.write(earlier, dialect, { reachesAgent: false })
  if (!standing) {
    await tracker.mirror({ callId: call.callId ?? "", at })
    return { notice: await tracker.tellAgent(), problems: [] }
  }
  // A hook is missed when it is killed, or when the agent was connected during its session.
  if (!dialect.wholeList && dialect.decode(standing, tracker.plan, tracker.ledger).missed) await addMissed?.()
  return tracker.write(standing, dialect)
}

/** What the agent should do about a change that the plan did not take over. */
const advice = {
  "removed-by-person": "Remove it from your list, unless you are asked to do it.",
  claimed: "Leave it to the agent that has taken it.",
}

/**
 * An agent that adds a removed todo again, or changes one that another agent holds, is told each time, because its own tool
 * accepted it silently.
 */
const refusalIn = (problems: readonly Problem[], reason: keyof typeof advice): string | undefined => {
  const refused = problems.filter(({ code }) => code === reason).map(({ message }) => message)
  const [shown, more] = [refused.slice(0, mostRefusals), refused.length - mostRefusals]
  if (shown.length === 0) return undefined
  const others = more > 0 ? [`… and ${more} more.`] : []
  return textForModel([...shown, ...others, advice[reason]].join("\n"))
}

const mostRefusals = 5

const compacted = ({ turns }: HookState): HookState["turns"] => {
  const reminders = createReminders({ tools: {}, state: turns })
  reminders.saw({ role: "compaction" })
  return reminders.state
}

/** Of several tools for one list those that change it, whichever was called last. */
const changingTools = (agent: HookAgent, called: string): string | string[] => {
  const { listTools } = agent
  const dialect = isListTool(agent, called) ? findDialect(listTools[called]) : undefined
  const changing = (dialect?.tools ?? []).filter(
    ({ isReadOnly, name }) => !isReadOnly && Object.hasOwn(listTools, name),
  )
  return changing.length > 1 ? changing.map(({ name }) => name) : called
}

/** What is due now, as one text. */
const dueReminders = async (
  work: HookWork,
  edits: string | undefined,
): Promise<{ answer: HookAnswer; state: HookState }> => {
  const { agent, event, state, tracker, profile, now, onProblem } = work
  const { restored } = event
  const reminders = createReminders({
    tools: { list: state.listTool === undefined ? agent.ownTool : changingTools(agent, state.listTool) },
    profile,
    state: state.turns,
    now,
    onProblem,
  })
  const due = await reminders.due({
    plan: tracker.plan,
    ledger: tracker.ledger,
    edits,
    restored,
    ...(event.isPlanMode ? { planMode: {} } : {}),
  })
  const texts = due.map(({ text }) => text)
  const turns = reminders.state
  return {
    answer: texts.length > 0 ? { context: texts.join("\n\n") } : {},
    state: { ...state, turns, checked: turns.work },
  }
}

const stopping = async ({
  event,
  state,
  tracker,
  holds,
  catchUp,
  contradictions,
  now,
}: HookWork): Promise<{ answer: HookAnswer; state: HookState }> => {
  // A sub-agent reports to its parent; the list does not hold it.
  if (!holds || event.agent !== "main") return { answer: {}, state }
  const decide = (): MayStop =>
    mayStop({
      plan: tracker.plan,
      ledger: tracker.ledger,
      state: state.continuation,
      work: state.turns.work,
      isQuestionOpen: event.isWaiting,
      isGuardActive: event.isGuardActive,
      isPlanMode: event.isPlanMode,
      now: now(),
    })
  let verdict = decide()
  if (!verdict.stop && catchUp) {
    await catchUp()
    verdict = decide()
  }
  if (!verdict.stop) {
    const { text } = verdict
    return { answer: { holds: text }, state: { ...state, continuation: verdict.state, held: text } }
  }
  const contradicted = verdict.reason === "all-done" ? await contradiction({ event, state, contradictions }) : undefined
  if (contradicted) return contradicted
  // Says nothing where the agent was not asked to go on before: then stopping is ordinary.
  const gaveUp = ["no-progress", "enough", "host-guard"].includes(verdict.reason) && verdict.why !== undefined
  return {
    answer: gaveUp ? { message: `Headway: ${verdict.why}` } : {},
    state: { ...state, continuation: verdict.state },
  }
}

/** Reported once, when everything is marked done but the agent's last check failed; then it may stop. */
const contradiction = async ({
  event,
  state,
  contradictions,
}: Pick<HookWork, "event" | "state" | "contradictions">): Promise<
  { answer: HookAnswer; state: HookState } | undefined
> => {
  if (!contradictions || event.isGuardActive || event.isWaiting || event.isPlanMode) return undefined
  const found = await contradictions()
  const key = contradictedKey(found)
  if (found.length === 0 || state.contradicted === key) return undefined
  const text = contradictedText(found)
  return { answer: { holds: text }, state: { ...state, held: text, contradicted: key } }
}

const findDialect = (id: string | undefined) =>
  id !== undefined && Object.hasOwn(dialects, id) ? dialects[id as keyof typeof dialects] : undefined
