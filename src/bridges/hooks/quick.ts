/** Decides without reading the plan whether a hook has nothing to do, because hooks run at every step of an agent. */

import { defaultPace } from "../../guidance/reminders/index.ts"
import { counted, reminderGiven, type TurnCounters, timesGiven, workSinceTouched } from "../../guidance/turns.ts"
import type { HookAgent, HookEvent } from "./hook.ts"
import { isOwnTool } from "./own-tool.ts"
import type { HookState } from "./state.ts"

export const isListTool = (agent: HookAgent, name: string): boolean => Object.hasOwn(agent.listTools, name)

/** The turn for a tool call: hooks see calls, not answers, so every call counts as a turn. */
export const afterTool = (turns: TurnCounters, agent: HookAgent, name: string): TurnCounters => {
  const list = [...Object.keys(agent.listTools), ...(isOwnTool(name) ? [name] : [])]
  return counted(turns, { role: "assistant", tools: [name] }, { tools: { list } })
}

/**
 * The state to keep when there is nothing to do; undefined when the plan has to be looked at. `position` is that of the
 * plan in its store, undefined where there is no plan.
 */
export const quietState = (
  agent: HookAgent,
  event: HookEvent,
  state: HookState,
  position: string | undefined,
): HookState | undefined => {
  const { moment, tool, restored, prompt } = event
  if (moment === "tool" && tool && (isListTool(agent, tool.name) || isOwnTool(tool.name))) return undefined
  // Without a plan there is nothing to count, restore or continue; only a resumed session may have a list.
  if (position === undefined) return moment === "start" && restored === "resume" ? undefined : state
  if (moment === "start") return restored === undefined ? state : undefined
  if (moment === "stop" && agent.isNeverHeld) return state
  if (moment === "stop" || position !== state.position) return undefined
  if (moment === "prompt") return isPush(prompt, state) ? state : { ...state, continuation: noPushes }
  const turns = tool ? afterTool(state.turns, agent, tool.name) : state.turns
  return mayBeDue(turns, state.checked) ? undefined : { ...state, turns }
}

/** The text that held the agent back may return as a prompt; an empty prompt is not the person's either. */
export const isPush = (prompt: string | undefined, { held }: HookState): boolean =>
  prompt === undefined || (held !== undefined && prompt.includes(held.slice(0, 200)))

export const noPushes: HookState["continuation"] = { v: 1, pushes: 0, pushesInAll: 0 }

/** How many calls of other tools than a list's can follow before a reminder may be due, and no more than `most`. */
export const silentCalls = (agent: HookAgent, state: HookState, most: number): number => {
  let { turns } = state
  for (let calls = 0; calls < most; calls += 1) {
    turns = afterTool(turns, agent, "")
    if (mayBeDue(turns, state.checked)) return calls
  }
  return most
}

/** Reading costs more than counting: after a read without result, the next one is some turns later. */
const turnsBetweenLooks = 5

const mayBeDue = (turns: TurnCounters, checked: number): boolean => {
  const type = "stale_todo"
  const sinceSaid = turns.work - (reminderGiven(turns, type)?.work ?? Number.NEGATIVE_INFINITY)
  return (
    workSinceTouched(turns) >= defaultPace.staleAfter &&
    sinceSaid >= defaultPace.staleAfter &&
    timesGiven(turns, type) < defaultPace.mostStale &&
    turns.work - checked >= turnsBetweenLooks
  )
}
