/**
 * Processes the events that the launcher put aside, as if Node had received them at the time. Readers and hooks do this
 * first.
 */
import { agentNamed } from "../../agents/index.ts"
import type { HookAgent, HookEvent } from "../../bridges/hooks/hook.ts"
import { isOwnTool } from "../../bridges/hooks/own-tool.ts"
import { afterTool, isListTool } from "../../bridges/hooks/quick.ts"
import { readHookEvent } from "../../bridges/hooks/read-event.ts"
import { updateSilence } from "../../bridges/hooks/silence.ts"
import { type HookState, readHookState, saveHookState } from "../../bridges/hooks/state.ts"
import {
  type AsideEvent,
  eventsAside,
  forgetOld,
  isAbandoned,
  plansAside,
  removeAside,
} from "../../home/notes/aside.ts"
import { planFileName } from "../../home/paths/file-names.ts"
import type { PlanKey } from "../../plan/event.ts"
import type { Context } from "../command.ts"
import { homeOf, journalOf } from "../place/place.ts"
import { contextOfAside, positionOfPlan } from "./hook-place.ts"
import { inTurn } from "./hook-turn.ts"

/** For a reader: everything that was put aside, of all plans. */
export const takeInAll = async (context: Context): Promise<void> => {
  const home = homeOf(context)
  for (const plan of plansAside(home)) {
    try {
      await inTurn(home, plan, async () => {
        const last = await takeIn(context, plan)
        if (last) await leaveWord(last.context, last.agent, last.event)
      })
    } catch {
      // It stays for the next command.
    }
  }
}

/** Tells the launcher when it may stay silent. */
export const leaveWord = async (context: Context, agent: HookAgent, event: HookEvent): Promise<void> => {
  const home = homeOf(context)
  const state = readHookState(home, event)
  const plan = { session: event.session, agent: event.agent }
  const position = await positionOfPlan(context, event)
  const positionNow = () => positionOfPlan(context, event)
  const journal = journalOf(context, plan)
  await updateSilence(home, { agent, event, plan, state, position, positionNow, journal })
  if (event.moment === "start") forgetOld(home, new Date(Date.now() - aWeek))
}

/** In milliseconds, by the clock of the disk. */
const aWeek = 7 * 24 * 60 * 60_000

type Taken = { agent: HookAgent; event: HookEvent; context: Context }

/**
 * What was put aside for one plan. Killed at any moment it is done again, and counts once: a list call by its id, all others by
 * the state, which names those it counts until their files are gone. Returns the last event.
 */
export const takeIn = async (given: Context, plan: string): Promise<Taken | undefined> => {
  const home = homeOf(given)
  const found = eventsAside(home, plan)
  const whole = found.filter(({ content }) => content !== undefined)
  const states = new Map<string, { key: PlanKey; state: HookState }>()
  let last: Taken | undefined
  for (const aside of whole) {
    const read = await readAside(given, aside)
    if (!read) continue
    const { agent, event, context } = read
    last = read
    const name = planFileName(event)
    const { state } = states.get(name) ?? { state: readHookState(home, event) }
    if (state.taken?.includes(aside.id)) continue
    const next = await counted({ agent, event, context, state, id: aside.id })
    states.set(name, { key: event, state: next })
  }
  const taken = whole.map(({ id }) => id)
  for (const { key, state } of states.values()) saveHookState(home, key, { ...state, taken })
  for (const aside of [...whole, ...found.filter((one) => isAbandoned(one, given.io.now()))]) removeAside(aside)
  return last
}

const readAside = async (given: Context, { content, at }: AsideEvent): Promise<Taken | undefined> => {
  const agent = content && (await agentNamed(content.agent)?.hooks?.())
  const event = agent && readHookEvent(agent, content.text)
  try {
    if (!event) return undefined
    const context = await contextOfAside(given, { agent, event }, { cwd: content.cwd, now: () => at })
    return { agent, event, context }
  } catch {
    // No plan can be kept for the folder it was called in. It counts for nothing, and must not keep those after it out.
    return undefined
  }
}

/** The state after one more event. The agent is told nothing: a person's changes are left to the next hook. */
const counted = async ({
  agent,
  event,
  context,
  state,
  id,
}: Taken & { state: HookState; id: string }): Promise<HookState> => {
  const { tool } = event
  if (event.moment !== "tool" || !tool) return state
  if (isListTool(agent, tool.name) || isOwnTool(tool.name)) {
    const { recordQuietly } = await import("./act-on-hook.ts")
    return recordQuietly(context, { agent, event: { ...event, tool: { callId: id, ...tool } }, state })
  }
  const position = await positionOfPlan(context, event)
  return position === undefined ? state : { ...state, turns: afterTool(state.turns, agent, tool.name) }
}
