/** The plans of one client: that of the session it names, or one of its own until its session is known. */
import type { Caller } from "../../../bridges/calls/caller.ts"
import type { McpOptions } from "../../../bridges/mcp.ts"
import type { Tracker } from "../../../tracker/tracker.ts"
import { type ClientNotes, isKnownAgent } from "./client-notes.ts"
import type { OpenPlans } from "./open-plans.ts"
import type { UnnamedClient } from "./unnamed-client.ts"

export type ClientPlans = {
  [Name in "planFor" | "planNow" | "onCalled" | "onClose"]: NonNullable<McpOptions[Name]>
}

export type ClientPlansOptions = {
  /** The name that the server was started with. */
  agent: string
  /** The session that the person named for all clients. */
  named: string | undefined
  /** The session of the one plan of all clients, if they share one. */
  shared: (() => Promise<string>) | undefined
  /** The session a client names, unless its plan is that of another agent or project. */
  sessionOf: (caller: Caller) => Promise<string | undefined>
  plans: OpenPlans
  notes: ClientNotes
  /** The same client, where it names no session. */
  unnamed: UnnamedClient
}

export const createClientPlans = (options: ClientPlansOptions): ClientPlans => {
  const { agent, named, shared, sessionOf, plans, notes, unnamed } = options
  const agentIn = ({ agent: given }: Pick<Caller, "agent">): string => agentNameIn(given, agent)

  const openShared = async (caller: Caller, findShared: () => Promise<string>): Promise<Tracker> => {
    const session = named ?? (await findShared())
    await notes.noteCaller(session, caller)
    return plans.open({ session, agent })
  }

  const openUnnamed: ClientPlans["planFor"] = async (caller, call) => {
    await notes.tidy()
    const { session, isNew, ...whose } = await unnamed.keyFor(caller, call)
    if (!isNew) await notes.noteCaller(session, caller)
    return plans.open({ session, agent: agentIn(whose) }, caller.agentType, isNew)
  }

  const planFor: ClientPlans["planFor"] = async (caller, call) => {
    if (shared) return openShared(caller, shared)
    const { agentType = "", isFromStart } = caller
    // `/clear` and `/resume` switch to another session, which a call without a note of its hook belongs to as well.
    const goneOnTo = isFromStart ? unnamed.current(agentType) : undefined
    const session = named ?? (await sessionOf(inSession(caller, goneOnTo)))
    if (session === undefined) return openUnnamed(caller, call)
    await notes.noteCaller(session, caller)
    // A sub-agent's list is its own: it would write over that of its parent.
    return plans.open({ session, agent: agentIn(caller) }, caller.agentType)
  }

  return {
    planFor,
    async planNow(caller) {
      if (shared || named !== undefined) return planFor(caller)
      const { agentType = "", isFromStart } = caller
      const isNamed = caller.session !== undefined && !isFromStart
      const session = await sessionOf(inSession(caller, isNamed ? undefined : unnamed.current(agentType)))
      if (session !== undefined) return plans.open({ session, agent: agentIn(caller) }, agentType)
      // A known agent may have changed its session since the last call; for any other client, its connection is its session.
      const own = isKnownAgent(agentType) ? undefined : unnamed.own()
      return own === undefined ? undefined : plans.open({ session: own, agent }, agentType, true)
    },
    onCalled: unnamed.called,
    onClose: unnamed.close,
  }
}

/** The main agent has the name that this server was started with. */
export const agentNameIn = (given: string | undefined, agent: string): string =>
  given === undefined || given === main ? agent : given

const main = "main"

const inSession = (caller: Caller, session: string | undefined): Caller =>
  session === undefined ? caller : { ...caller, session }
