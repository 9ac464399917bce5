/**
 * The plan a client writes to: its session's, a separate one until the session is known, or one shared by all clients
 * of a project.
 */
import { randomBytes } from "node:crypto"
import { agentNamed } from "../../../agents/index.ts"
import { keyOf } from "../../../board/joined-session.ts"
import { projectName, projectOf } from "../../../board/project.ts"
import { createRecent } from "../../../board/recent.ts"
import type { Caller } from "../../../bridges/calls/caller.ts"
import { takeCallNote } from "../../../bridges/hooks/call-notes.ts"
import type { CallFinder } from "../../../sessions/lookup/find-call.ts"
import type { PlanKey, PlanSummary } from "../../../stores/store.ts"
import type { Gate } from "../../../tracker/gate.ts"
import type { Tracker } from "../../../tracker/tracker.ts"
import { namedAgent, namedSession } from "../../choose/plans.ts"
import type { Context } from "../../command.ts"
import { homeOf, withoutUntrusted } from "../../place/place.ts"
import { createClientNotes } from "./client-notes.ts"
import { agentNameIn, type ClientPlans, createClientPlans } from "./client-plans.ts"
import { joinUnnamed, openFinder } from "./join-unnamed.ts"
import { createOpenPlans } from "./open-plans.ts"
import { mostKept, openPlaceOfPlans } from "./place-of-plans.ts"
import { findsSharedSession } from "./shared-session.ts"
import { createUnnamedClient, type UnnamedClientOptions } from "./unnamed-client.ts"

export type BridgePlans = {
  whose(callId: string): Pick<Caller, "session" | "agent" | "folder"> | undefined
  /** The plans of one client. */
  connect(): ClientPlans
  /** One of this project's, or one that a client here writes to. */
  planAt(key: PlanKey): Promise<Tracker | undefined>
  /** This project's, newest first. */
  plans(): Promise<readonly PlanSummary[]>
  close(): Promise<void>
}

export type BridgeOptions = {
  isShared: boolean
  /** Whether the client has started this process. */
  isChild: boolean
  /** The gate that may keep a todo open. */
  gate?: Gate | undefined
}

export const openBridgePlans = (given: Context, { isShared, isChild, gate }: BridgeOptions): BridgePlans => {
  const context = withoutUntrusted(given)
  const { io } = context
  const home = homeOf(context)
  const name = projectName(projectOf(io.cwd))
  const agent = namedAgent(context)
  const named = namedSession(context)
  const place = openPlaceOfPlans(context)
  const open = createOpenPlans(context, { place, agent, gate })
  const notes = createClientNotes(context, { place, agent, isChild })
  const shared = isShared ? findsSharedSession({ place, agent, name }) : undefined

  /** Sessions that were found to be a client's own, so that not every call lists their plans. */
  const ownSessions = createRecent<string, true>(mostKept)
  const sessionOf = async ({ session, agentType }: Caller): Promise<string | undefined> => {
    if (session === undefined) return undefined
    const id = keyOf({ session, agent: agentType ?? "" })
    const isTheirs = () => place.isProjectsPlan({ session, agentType, mayBePersons: true })
    if (!ownSessions.get(id) && !(await isTheirs())) return undefined
    ownSessions.set(id, true)
    return session
  }

  const join: UnnamedClientOptions["join"] = async (session, to, agentType) => {
    const from = { session, agent }
    await open.closeOne(from)
    const target = { session: to.session, agent: agentNameIn(to.agent, agent) }
    // If this process is killed from here on, another one completes the join: a hook may have named the owner, and no
    // session file does.
    await notes.keepUnnamed(session, agentType, { calls: [], owner: target })
    const isDone = await joinUnnamed(context, { store: await place.store(), from, to: target, agentType })
    // As long as the note is there, a command after this process removes the plan that could not be removed now.
    if (isDone) await notes.forgetUnnamed(session, agentType)
    await open.refresh(target)
  }

  const finders = new Map<string, Promise<CallFinder | undefined>>()
  const finderOf = (agentType: string): Promise<CallFinder | undefined> => {
    const finder = finders.get(agentType) ?? openFinder(agentType, io, io.cwd)
    finders.set(agentType, finder)
    return finder
  }

  return {
    whose(callId) {
      void notes.tidy()
      return takeCallNote(home, callId)
    },
    connect() {
      const unnamed = createUnnamedClient({
        home,
        clientOf: notes.clientOf,
        finderOf,
        asksFilesFirst: (agentType) => agentNamed(agentType)?.client?.isKnownByFiles === true,
        // No other process uses this name, not even one that is started at the same time.
        newSession: () => `${name}-${randomBytes(4).toString("hex")}`,
        isOwn: (session, agentType) => place.isProjectsPlan({ session, agentType }),
        keepCalls: (session, agentType, calls) =>
          notes.keepUnnamed(session, agentType, {
            calls: calls.map((call) => ({ ...call, at: call.at.toISOString() })),
          }),
        join,
        now: io.now,
      })
      return createClientPlans({ agent, named, shared, sessionOf, plans: open, notes, unnamed })
    },
    async planAt(key) {
      // Plans that are not listed cannot be read either: other projects' plans are off limits for this client.
      const known = open.storeOf(key)
      const listed = known ? undefined : (await place.plans()).find((plan) => keyOf(plan) === keyOf(key))
      if (!known && !listed) return undefined
      // Opened read-only, and not kept. One that clients write with is closed when others need its place.
      const tracker = await open.read(open.storeOf(key) ?? (await place.storeFor(key, listed?.agentType)), key)
      return tracker.ledger.entries > 0 ? tracker : undefined
    },
    plans: place.plans,
    async close() {
      for (const finder of finders.values()) (await finder.catch(() => undefined))?.close()
      await open.close()
    },
  }
}
