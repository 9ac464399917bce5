/** The session of a command: the one a person names, otherwise this project's newest, of any agent. */
import type { Joined, JoinedSession } from "../../board/joined-session.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import type { DiscoveredSession } from "../../sessions/discover.ts"
import type { PlanKey } from "../../stores/store.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import type { Context } from "../command.ts"
import { say } from "../output/say.ts"
import { type rootOption, storeOf } from "../place/place.ts"
import { contextOfSession } from "../place/session-place.ts"
import type { Option } from "../words/option.ts"
import { namedAgent, namedSession, openKeptPlan } from "./plans.ts"

/** For commands that can start a session with a given id. */
export const newOption = {
  type: "boolean",
  about: "take --session as it is typed, and begin that session if there is none",
} as const satisfies Option

export type TargetContext = Context<{ root: typeof rootOption; new: typeof newOption }>

/** An agent of a session, with its kept plan, its session in the agent's files, both, or neither. */
export type Target = {
  key: PlanKey
  kept?: Tracker | undefined
  seen?: DiscoveredSession | undefined
  /** The context in which its plan is kept, where that is another one than the person's. */
  at?: TargetContext | undefined
}

export type TargetOptions = {
  /** The command can start a missing session. @default false */
  mayBegin?: boolean
  /** Reports the chosen session, if none was named. @default on standard error */
  notify?: (text: string) => void
}

/**
 * Undefined if no session is named and this project has none. Throws if a name matches several sessions, or none. With
 * `--new` the name is used as it is.
 */
export const findTarget = async (
  context: TargetContext,
  { mayBegin = false, notify = (text) => say(context.io, text) }: TargetOptions = {},
): Promise<Target | undefined> => {
  const session = namedSession(context)
  if (session !== undefined) {
    const key = { session, agent: namedAgent(context) }
    const kept = await openKeptPlan(context, key)
    if (context.values.new) return { key, kept }
    // A kept plan named by its id, as programs do, needs no scan of all sessions.
    if (kept) return targetOfPlan(context, kept)
  }
  const { chooseNamed, chooseNewest } = await import("./chosen-session.ts")
  const chosen = await (session === undefined
    ? chooseNewest(context, notify)
    : chooseNamed(context, { session, mayBegin }))
  return chosen && targetOf(context, chosen)
}

/** The same for a session that was chosen from a listing. */
export const targetOf = (
  context: TargetContext,
  { key, plan, seen, session: joined }: Pick<Target, "key"> & Partial<Joined>,
): Promise<Target> =>
  targetAt(context, { key, seen, joined }, async () => (plan ? openKeptPlan(context, key) : undefined))

/** The same for the plan with a given id as for one that is found by its title. */
const targetOfPlan = async (context: TargetContext, kept: Tracker): Promise<Target> => {
  const { joinedPlan } = await import("./sessions-here.ts")
  const { seen, session: joined } = (await joinedPlan(context, kept)) ?? {}
  return targetAt(context, { key: kept.key, seen, joined }, async () => kept)
}

/** A plan that is kept in the session's own project comes before one that is kept here. */
const targetAt = async (
  context: TargetContext,
  { key, seen, joined }: Pick<Target, "key" | "seen"> & { joined: JoinedSession | undefined },
  openHere: () => Promise<Tracker | undefined>,
): Promise<Target> => {
  const { agentType, project } = joined ?? {}
  const at = await contextOfSession(context, { session: key.session, agentType, project })
  const there = at && (await openKeptPlan(at, key))
  if (there) return { key, seen, kept: there, at }
  const kept = await openHere()
  return kept ? { key, seen, kept } : { key, seen, at }
}

/** The id of the session a person names. No plan of it is opened. */
export const namedSessionId = async (
  context: TargetContext,
  { mayBegin = false }: Pick<TargetOptions, "mayBegin"> = {},
): Promise<string | undefined> => {
  const session = namedSession(context)
  if (session === undefined || context.values.new) return session
  const { plans } = await (await storeOf(context)).list({ session })
  if (plans.length > 0) return session
  const { chooseNamed } = await import("./chosen-session.ts")
  return (await chooseNamed(context, { session, mayBegin })).key.session
}

/** The words of a command that takes a session in them, in place of `--session`. */
export const withSessionWord = <Here extends Context>(context: Here): Here => {
  const session = context.words.join(" ")
  if (session === "") return context
  if (context.values.session)
    throw new HeadwayError("usage", `The session is named twice: "${session}" and --session. Leave out one of them.`)
  return { ...context, values: { ...context.values, session } }
}
