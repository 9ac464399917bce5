/** Tells the launcher when it may stay silent for a session; updated by every hook that Node runs. */
import { allowSilence, forgetKept, keptFilesOf } from "../../home/notes/aside.ts"
import type { PlanKey } from "../../plan/event.ts"
import type { HookAgent } from "./hook.ts"
import { silentCalls } from "./quick.ts"
import type { HookState } from "./state.ts"

/** Enough have gathered then, whether or not anything is due. */
const mostAside = 50

export type SilenceOptions = {
  agent: HookAgent
  /** Session and agent as the event names them, and the plan they stand for. */
  event: PlanKey
  plan: PlanKey
  state: HookState
  /** The plan's position when everything in it had been said; undefined where there is no plan. */
  position: string | undefined
  /** Asks for the position again. */
  positionNow: () => Promise<string | undefined>
  /** The file of the plan's journal; without one, Node has to look each time. */
  journal: string | undefined
}

export const updateSilence = async (home: string, options: SilenceOptions): Promise<void> => {
  const { agent, event, plan, state, position, positionNow, journal } = options
  const [moment] = Object.entries(agent.moments).find(([, one]) => one === "tool") ?? []
  const isAllSaid = position === undefined || position === state.position
  const most = position === undefined ? mostAside : silentCalls(agent, state, mostAside)
  if (journal === undefined || moment === undefined || !isAllSaid || most === 0)
    return forgetKept(keptFilesOf(home, event))
  const tools = Object.keys(agent.listTools)
  allowSilence(home, event, { most, journal, hasPlan: position !== undefined, plan, moment, tools })
  // Another process may have written the plan, and ended a silence that had not begun yet.
  if ((await positionNow()) !== position) forgetKept(keptFilesOf(home, event))
}
