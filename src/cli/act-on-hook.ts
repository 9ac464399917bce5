/** A hook that has something to do: opens the plan, lets the bridge act, and keeps what is to be remembered. */
import { mayHaveAnother } from "../bridges/hooks/_quick.ts"
import type { HookState } from "../bridges/hooks/_state.ts"
import { act } from "../bridges/hooks/act.ts"
import type { HookAgent, HookAnswer, HookEvent } from "../bridges/hooks/hook.ts"
import type { Profile } from "../guidance/reminders/index.ts"
import type { Store } from "../stores/store.ts"
import { openTracker } from "../tracker/open-tracker.ts"
import { openTracker as openSilently } from "../tracker/tracker.ts"
import type { Context } from "./command.ts"
import { storeOf } from "./place.ts"
import { projectNameIn, reporter } from "./plans.ts"

export type HookRun = {
  agent: HookAgent
  event: HookEvent
  state: HookState
  profile: Profile
  holds: boolean
  /** How long the journal of the agent's plan is, in the session that keeps it; undefined where there is none. */
  sizeIn: (session: string) => number | undefined
}

/** `isKept` says whether there is a plan, and with it something to remember. */
export type HookDone = { answer: HookAnswer; state: HookState; isKept: boolean }

export const actOnHook = async (
  context: Context,
  { agent, event, state, profile, holds, sizeIn }: HookRun,
): Promise<HookDone> => {
  const store = await storeOf(context, { isQuiet: true })
  const project = projectNameIn(context)
  const session = await sessionOf(store, { agent, event, state, project })
  const isShared = event.tool !== undefined && (agent.sharedTools ?? []).includes(event.tool.name)
  const name = isShared ? "main" : event.agent
  const parent = name === "main" ? {} : { parent: { agent: "main" } }
  // What a person changed in a shared list is for the agent whose list it is: a sub-agent would take it along to its end.
  const open = name === event.agent ? openTracker : openSilently
  const tracker = await open({
    store,
    session,
    agent: name,
    opened: { agentType: agent.agentType, project, ...parent },
    now: context.io.now,
    onProblem: reporter(context),
  })
  const isNothing = tracker.ledger.entries === 0 && event.moment !== "tool"
  const done = isNothing
    ? { answer: {}, state }
    : await act({ agent, event, state, tracker, profile, holds, now: context.io.now, onProblem: reporter(context) })
  // Measured before the last look: what a person writes after it makes the journal longer, and is told by the next hook.
  const size = sizeIn(session)
  await tracker.refresh()
  const isAllSaid = tracker.ledger.untold.size === 0
  await tracker.close()
  await store.close()
  const { size: _, ...kept } = done.state
  const plan = session === event.session ? {} : { plan: session }
  const said = isAllSaid && size !== undefined ? { size } : {}
  return { answer: done.answer, state: { ...kept, ...plan, ...said }, isKept: size !== undefined }
}

/**
 * The agent's own session. Where its client of our tool never says one, the newest plan of its kind in the project: but only
 * for a session that uses the tool or comes back, as an old plan is no business of a new session.
 */
const sessionOf = async (
  store: Store,
  { agent, event, state, project }: Pick<HookRun, "agent" | "event" | "state"> & { project: string },
): Promise<string> => {
  if (state.plan !== undefined) return state.plan
  if (!agent.hasNamelessClient || !mayHaveAnother(event)) return event.session
  const { plans } = await store.list()
  if (plans.some(({ session }) => session === event.session)) return event.session
  const own = plans.filter((plan) => plan.project === project && plan.agentType === agent.agentType && !plan.isFinished)
  return own.sort((one, other) => (one.updated < other.updated ? 1 : -1))[0]?.session ?? event.session
}
