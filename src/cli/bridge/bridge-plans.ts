/** Which plan a client of a bridge writes to: its own session's, the project's, or one all clients of a project share. */

import { keyOf } from "../../board/joined-session.ts"
import { projectName, projectOf } from "../../board/project.ts"
import { createRecent } from "../../board/recent.ts"
import type { Caller } from "../../bridges/caller.ts"
import { forgetCallNotes, takeCallNote } from "../../bridges/hooks/call-notes.ts"
import type { PlanKey, PlanSummary, Store } from "../../stores/store.ts"
import { openTracker } from "../../tracker/open-tracker.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import type { Context } from "../command.ts"
import { homeOf, storeOf, withoutUntrusted } from "../place.ts"
import { namedAgent, namedSession, projectNameIn, reporter } from "../plans.ts"
import { noteCalling } from "./note-calling.ts"

export type BridgePlans = {
  whose(callId: string): Pick<Caller, "session" | "agent"> | undefined
  planFor(caller: Caller): Promise<Tracker>
  /** One of this project's, or one that a client here writes to. */
  planAt(key: PlanKey): Promise<Tracker | undefined>
  /** This project's, newest first. */
  plans(): Promise<PlanSummary[]>
  close(): Promise<void>
}

export const openBridgePlans = (given: Context, { isShared }: { isShared: boolean }): BridgePlans => {
  const context = withoutUntrusted(given)
  const { io } = context
  const project = projectNameIn(context)
  const name = projectName(projectOf(io.cwd))
  const named = namedSession(context)
  const agent = namedAgent(context)
  // Clients may name as many sessions as they like, and only name them.
  const open = createRecent<string, Promise<Tracker>>(mostOpen, (tracker) => {
    tracker.then((one) => one.close()).catch(() => {})
  })
  let opening: Promise<Store> | undefined
  const store = (): Promise<Store> => {
    // Asked again: a pull may have brought plans since.
    opening ??= storeOf(withoutUntrusted(context))
    return opening
  }

  const plans = async (): Promise<PlanSummary[]> => {
    const { plans: own, problems } = await (await store()).list({ project })
    problems.forEach(reporter(context))
    return own
  }

  const begin = (from: Store, key: PlanKey, agentType?: string): Promise<Tracker> => {
    const parent = key.agent === agent ? {} : { parent: { agent } }
    const opened = { project, ...(agentType === undefined ? {} : { agentType }), ...parent }
    return openTracker({ store: from, ...key, opened, now: io.now, onProblem: reporter(context) })
  }

  const trackerOf = async (key: PlanKey, agentType?: string): Promise<Tracker> => {
    const id = keyOf(key)
    // Waited for before looking, or two that ask at once would each open the plan.
    const from = await store()
    const tracker = open.get(id) ?? begin(from, key, agentType)
    open.set(id, tracker)
    // One that could not be opened may be tried again.
    tracker.catch(() => open.delete(id))
    return tracker
  }

  /** A client that does not say its session goes on with what it left unfinished here. */
  const foundOrNew = async (agentType: string | undefined): Promise<string> => {
    const all = await plans()
    const isOurs = (plan: PlanSummary): boolean =>
      plan.agent === agent && (isShared ? isSharedName(plan.session) : isOwn(plan, agentType))
    const found = all.find(isOurs)
    if (found) return found.session
    const taken = new Set((await (await store()).list()).plans.map(({ session }) => session))
    const base = isShared ? `${name}-shared` : name
    let number = 1
    const next = (): string => (isShared && number === 1 ? base : `${base}-${number}`)
    while (taken.has(next())) number += 1
    return next()
  }

  /** Looked up once: a plan that is finished while the client runs stays its plan. */
  const unnamed = createRecent<string | undefined, Promise<string>>(mostOpen)

  const sessionFor = async ({ session, agentType }: Caller): Promise<string> => {
    if (typeof named === "string") return named
    if (!isShared && session !== undefined) return session
    const known = unnamed.get(agentType) ?? foundOrNew(agentType)
    unnamed.set(agentType, known)
    known.catch(() => unnamed.delete(agentType))
    return known
  }

  let isTidied = false
  const whose: BridgePlans["whose"] = (callId) => {
    const home = homeOf(context)
    if (!isTidied) forgetCallNotes(home, new Date(io.now().getTime() - aDay))
    isTidied = true
    return takeCallNote(home, callId)
  }

  const noted = createRecent<string, true>(mostOpen)
  const noteCaller = (session: string, { agentType }: Caller): void => {
    if (agentType === undefined || noted.get(session)) return
    noted.set(session, true)
    noteCalling({ home: homeOf(context), session, agentType, through: "server", now: io.now() })
  }

  return {
    whose,
    planFor: async (caller) => {
      const session = await sessionFor(caller)
      noteCaller(session, caller)
      if (isShared) return trackerOf({ session, agent })
      // A sub-agent's list is its own: it would write over that of its parent.
      return trackerOf({ session, agent: isMain(caller) ? agent : (caller.agent ?? agent) }, caller.agentType)
    },
    async planAt(key) {
      // What is not listed is not read either: another project's plans are none of this client's.
      const id = keyOf(key)
      if (!open.get(id) && !(await plans()).some((plan) => keyOf(plan) === id)) return undefined
      // Opened only to be looked at, and not kept. One that clients write with is closed when others need its place.
      const tracker = await begin(await store(), key)
      return tracker.ledger.entries > 0 ? tracker : undefined
    },
    plans,
    async close() {
      await Promise.all(open.values().map(async (tracker) => (await tracker).close()))
    },
  }
}

/** Plans open at once; one that was closed is opened again when it is asked for. */
const mostOpen = 64

const main = "main"

const aDay = 24 * 60 * 60 * 1000

const isMain = ({ agent = main }: Caller): boolean => agent === main

const isSharedName = (session: string): boolean => /-shared(?:-\d+)?$/.test(session)

const isOwn = ({ agentType, isFinished, session }: PlanSummary, caller: string | undefined): boolean =>
  agentType === caller && !isFinished && !isSharedName(session)
