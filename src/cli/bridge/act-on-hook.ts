/** A hook that has something to do: opens the plan, lets the bridge act, and keeps what is to be remembered. */
import { act, recordEvent } from "../../bridges/hooks/act.ts"
import type { HookAgent, HookAnswer, HookEvent } from "../../bridges/hooks/hook.ts"
import { openOwedNotices } from "../../bridges/hooks/owed-notice.ts"
import { mayHaveAnother } from "../../bridges/hooks/quick.ts"
import type { HookState } from "../../bridges/hooks/state.ts"
import type { Profile } from "../../guidance/reminders/index.ts"
import type { Store } from "../../stores/store.ts"
import { openTracker } from "../../tracker/open-tracker.ts"
import { openTracker as openSilently } from "../../tracker/tracker.ts"
import type { Context } from "../command.ts"
import { homeOf, storeOf } from "../place.ts"
import { projectNameIn, reporter } from "../plans.ts"

export type HookRun = {
  agent: HookAgent
  event: HookEvent
  state: HookState
  profile: Profile
  holds: boolean
}

export type HookDone = {
  answer: HookAnswer
  state: HookState
  /** The plan's session. */
  session: string
  hasPlan: boolean
  /** To be called when the answer was printed. */
  settle: () => void
  /** Where the log of the plan stood when everything in it had been said. */
  position?: string | undefined
}

/** Records an event that was put aside, and tells the agent nothing. */
export const recordQuietly = async (
  context: Context,
  { agent, event, state }: Pick<HookRun, "agent" | "event" | "state">,
): Promise<HookState> => {
  const { store, key, opened } = await whereItBelongs(context, { agent, event, state })
  const { now } = context.io
  const tracker = await openSilently({ store, ...key, opened, now, onProblem: reporter(context) })
  try {
    return (await recordEvent({ agent, event, state, tracker })).state
  } finally {
    await tracker.close()
  }
}

export const actOnHook = async (
  context: Context,
  { agent, event, state, profile, holds }: HookRun,
): Promise<HookDone> => {
  const { store, key, opened } = await whereItBelongs(context, { agent, event, state })
  const { session, agent: name } = key
  // What a person changed in a shared list is for the agent whose list it is: a sub-agent would take it along to its end.
  const open = name === event.agent ? openTracker : openSilently
  const owed = openOwedNotices(homeOf(context), key, context.io.now)
  const tracker = await context.opened.plan(
    open({
      store,
      ...key,
      opened,
      now: context.io.now,
      onTelling: owed.owe,
      onProblem: reporter(context),
    }),
  )
  const isNothing = tracker.ledger.entries === 0 && event.moment !== "tool"
  const done = isNothing
    ? { answer: {}, state }
    : await act({
        agent,
        event,
        state,
        tracker,
        profile,
        holds,
        owed: owed.takeOver,
        now: context.io.now,
        onProblem: reporter(context),
      })
  // Asked for before the last look: what a person writes after it moves the position, and is told by the next hook.
  const position = await store.position({ session, agent: event.agent })
  await tracker.refresh()
  const isAllSaid = tracker.ledger.untold.size === 0
  const { settle } = owed
  return { ...done, session, hasPlan: position !== undefined, settle, ...(isAllSaid ? { position } : {}) }
}

/** The plan an event is about, and what is written down when it begins. */
const whereItBelongs = async (
  context: Context,
  { agent, event, state }: Pick<HookRun, "agent" | "event" | "state">,
) => {
  const store = await storeForHook(context)
  const project = projectNameIn(context)
  const session = await sessionOf(store, { agent, event, state, project })
  const isShared = event.tool !== undefined && (agent.sharedTools ?? []).includes(event.tool.name)
  const name = isShared ? "main" : event.agent
  const parent = name === "main" ? {} : { parent: { agent: "main" } }
  return { store, key: { session, agent: name }, opened: { agentType: agent.agentType, project, ...parent } }
}

/** What only a person reads is left out. */
export const storeForHook = (context: Context): Promise<Store> => storeOf(context, { isQuiet: true })

/**
 * The agent's own session. Where its client of our tool never says one, the newest plan of its kind in the project: but only
 * for a session that uses the tool or comes back, as an old plan does not concern a new session.
 */
const sessionOf = async (
  store: Store,
  { agent, event, state, project }: Pick<HookRun, "agent" | "event" | "state"> & { project: string },
): Promise<string> => {
  if (state.plan !== undefined) return state.plan
  if (!agent.hasNamelessClient || !mayHaveAnother(event)) return event.session
  if ((await store.list({ session: event.session, limit: 1 })).plans.length > 0) return event.session
  const { plans } = await store.list({ project })
  return plans.find((plan) => plan.agentType === agent.agentType && !plan.isFinished)?.session ?? event.session
}
