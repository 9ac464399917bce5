/** Handles a hook event: opens the plan, runs the hook engine, and saves its state. */
import { act, type HookWork, recordEvent } from "../../bridges/hooks/act.ts"
import type { HookAgent, HookAnswer, HookEvent } from "../../bridges/hooks/hook.ts"
import { openOwedNotices } from "../../bridges/hooks/owed-notice.ts"
import type { HookState } from "../../bridges/hooks/state.ts"
import type { Profile } from "../../guidance/reminders/index.ts"
import { ledgerFor } from "../../plan/log/told.ts"
import type { Store } from "../../stores/store.ts"
import { openTracker } from "../../tracker/open-tracker.ts"
import { openTracker as openSilently, type Tracker } from "../../tracker/tracker.ts"
import { projectNameIn, reporter } from "../choose/plans.ts"
import type { Context } from "../command.ts"
import { homeOf, storeOf } from "../place/place.ts"
import { beginFromSession } from "./plans/begun-plan.ts"

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
  hasPlan: boolean
  /** Must be called after the reply was printed. */
  settle: () => void
  /** The position of the log when everything in it had been reported. */
  position?: string | undefined
}

/** Records an event that was put aside, and tells the agent nothing. */
export const recordQuietly = async (
  context: Context,
  { agent, event, state }: Pick<HookRun, "agent" | "event" | "state">,
): Promise<HookState> => {
  const { store, key, opened } = await whereItBelongs(context, { agent, event })
  const { now } = context.io
  const tracker = await openSilently({ store, ...key, opened, now, onProblem: reporter(context) })
  try {
    const addMissed = missedIn(context, { store, tracker, agent, opened })
    const work = { agent, event, state, tracker, inSession: orderIn(context, { agent, event, tracker }), addMissed }
    return (await recordEvent(work)).state
  } finally {
    await tracker.close()
  }
}

export const actOnHook = async (
  context: Context,
  { agent, event, state, profile, holds }: HookRun,
): Promise<HookDone> => {
  const { store, key, opened } = await whereItBelongs(context, { agent, event })
  const { session, agent: name } = key
  const { moment, restored } = event
  // A person's change to a shared list is reported to its main agent: with a sub-agent the message would be lost when
  // it ends.
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
  if (moment === "start" && restored === "resume") await begin(context, { store, tracker, agent, opened })
  const isNothing = tracker.ledger.entries === 0 && moment !== "tool"
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
        catchUp: agent.isListInFiles ? () => catchUpNow(context, tracker) : undefined,
        contradictions: contradictionsOf(agent, event, profile),
        inSession: orderIn(context, { agent, event, tracker }),
        addMissed: missedIn(context, { store, tracker, agent, opened }),
        now: context.io.now,
        onProblem: reporter(context),
      })
  // Taken before the last refresh: what a person writes after it changes the position, and the next hook reports it.
  const position = await store.position({ session, agent: event.agent })
  await tracker.refresh()
  const isAllSaid = ledgerFor(tracker.ledger, undefined).untold.size === 0 && !owed.isOwedByOthers()
  const { settle } = owed
  return { ...done, hasPlan: position !== undefined, settle, ...(isAllSaid ? { position } : {}) }
}

type Begun = { store: Store; tracker: Tracker; agent: HookAgent; opened: { project: string } }

const begin = (context: Context, { store, tracker, agent, opened }: Begun): Promise<void> => {
  const { agentType } = agent
  return beginFromSession({ store, tracker, agentType, project: opened.project, home: homeOf(context), io: context.io })
}

/** Read only for a call about what the plan does not have. A plan that the agent began before it was connected begins here. */
const missedIn = (context: Context, begun: Begun) => async (): Promise<void> => {
  await begin(context, begun)
  await (await import("./list-in-files.ts")).addMissedInFiles(context, begun.tracker)
}

/**
 * Read only for calls of list tools. A whole list depends on neither time nor order, unless the agent was told something since, or another
 * list may have been recorded while its hook ran.
 */
const orderIn = (
  { io }: Context,
  { agent: { agentType }, event: { transcript }, tracker }: Pick<HookRun, "agent" | "event"> & { tracker: Tracker },
): HookWork["inSession"] =>
  transcript === undefined
    ? undefined
    : async (seen) => {
        const { worked, toldLately } = tracker.ledger
        const isAlone = worked === undefined || Math.abs(io.now().getTime() - Date.parse(worked)) > longestHook
        if (seen.dialect.wholeList && isAlone && toldLately.size === 0) return undefined
        const { inSession } = await import("./calls-in-order.ts")
        return inSession({ path: transcript, agentType }, seen, tracker.ledger)
      }

/** No client waits longer for a hook. In milliseconds. */
const longestHook = 10 * 60_000

/** Loaded on demand: when the agent would be sent back to work. */
const catchUpNow = async (context: Context, tracker: Tracker): Promise<void> =>
  (await import("./list-in-files.ts")).followListInFiles(context, tracker)

/** Read on demand: when everything is marked done and the agent stops. */
const contradictionsOf = ({ agentType }: HookAgent, { transcript }: HookEvent, profile: Profile) =>
  transcript === undefined || profile === "off"
    ? undefined
    : async () => (await import("./contradictions.ts")).contradictionsIn(transcript, agentType)

/** The plan an event is about, and what is written down when it begins. */
const whereItBelongs = async (context: Context, { agent, event }: Pick<HookRun, "agent" | "event">) => {
  const store = await storeForHook(context)
  const project = projectNameIn(context)
  const isShared = event.tool !== undefined && (agent.sharedTools ?? []).includes(event.tool.name)
  const name = isShared ? "main" : event.agent
  const parent = name === "main" ? {} : { parent: { agent: "main" } }
  return {
    store,
    key: { session: event.session, agent: name },
    opened: { agentType: agent.agentType, project, ...parent },
  }
}

/** What only a person reads is left out. */
export const storeForHook = (context: Context): Promise<Store> => storeOf(context, { isQuiet: true })
