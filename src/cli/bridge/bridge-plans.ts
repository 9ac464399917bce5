/** Which plan a client of a bridge writes to: its session's, one of its own until that is known, or one all clients of a project share. */

import { randomBytes } from "node:crypto"
import { agentNamed } from "../../agents/index.ts"
import { keyOf } from "../../board/joined-session.ts"
import { projectName, projectOf } from "../../board/project.ts"
import { createRecent } from "../../board/recent.ts"
import type { Caller } from "../../bridges/caller.ts"
import { findClientProcess } from "../../bridges/client-process.ts"
import { forgetCallNotes, takeCallNote } from "../../bridges/hooks/call-notes.ts"
import { forgetClients } from "../../bridges/hooks/client-notes.ts"
import type { McpOptions } from "../../bridges/mcp.ts"
import type { CallFinder } from "../../sessions/find-call.ts"
import type { PlanKey, PlanSummary, Store } from "../../stores/store.ts"
import { joinPlan } from "../../tracker/copy-plan.ts"
import { openTracker } from "../../tracker/open-tracker.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import type { Context } from "../command.ts"
import type { Io } from "../io.ts"
import { homeOf, storeOf, withoutUntrusted } from "../place.ts"
import { namedAgent, namedSession, projectNameIn, reporter } from "../plans.ts"
import { beginFromSession } from "./begun-plan.ts"
import { noteCalling } from "./note-calling.ts"
import { createUnnamedClient } from "./unnamed-client.ts"

export type BridgePlans = {
  whose(callId: string): Pick<Caller, "session" | "agent"> | undefined
  /** The plans of one client. */
  connect(): ClientPlans
  /** One of this project's, or one that a client here writes to. */
  planAt(key: PlanKey): Promise<Tracker | undefined>
  /** This project's, newest first. */
  plans(): Promise<PlanSummary[]>
  close(): Promise<void>
}

export type ClientPlans = Required<Pick<McpOptions, "planFor" | "onCalled" | "onClose">>

export type BridgeOptions = {
  isShared: boolean
  /** Whether the client has started this process. */
  isChild: boolean
}

export const openBridgePlans = (given: Context, { isShared, isChild }: BridgeOptions): BridgePlans => {
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

  const openPlan = (from: Store, key: PlanKey, agentType?: string): Promise<Tracker> => {
    const parent = key.agent === agent ? {} : { parent: { agent } }
    const opened = { project, ...(agentType === undefined ? {} : { agentType }), ...parent }
    return openTracker({ store: from, ...key, opened, now: io.now, onProblem: reporter(context) })
  }

  /** A session that is older than its plan has a list in its model's sight already. */
  const begin = async (from: Store, key: PlanKey, agentType?: string): Promise<Tracker> => {
    const tracker = await openPlan(from, key, agentType)
    await beginFromSession({ store: from, tracker, agentType, project, io })
    return tracker
  }

  const trackerOf = async (key: PlanKey, agentType?: string, isNew = false): Promise<Tracker> => {
    const id = keyOf(key)
    // Waited for before looking, or two that ask at once would each open the plan.
    const from = await store()
    const tracker = open.get(id) ?? (isNew ? openPlan : begin)(from, key, agentType)
    open.set(id, tracker)
    // One that could not be opened may be tried again.
    tracker.catch(() => open.delete(id))
    return tracker
  }

  /** The name is taken by no other process, even by one that begins at the same time. */
  const newSession = (): string => `${name}-${randomBytes(4).toString("hex")}`

  const sharedSession = async (): Promise<string> => {
    const found = (await plans()).find((plan) => plan.agent === agent && isSharedName(plan.session))
    if (found) return found.session
    const taken = new Set((await (await store()).list()).plans.map(({ session }) => session))
    let number = 1
    const next = (): string => (number === 1 ? `${name}-shared` : `${name}-shared-${number}`)
    while (taken.has(next())) number += 1
    return next()
  }

  /** Looked up once: a plan that is finished while clients run stays theirs. */
  let shared: Promise<string> | undefined

  const findShared = (): Promise<string> => {
    shared ??= sharedSession()
    shared.catch(() => {
      shared = undefined
    })
    return shared
  }

  const isOwn = async (session: string, agentType: string): Promise<boolean> => {
    const { plans: kept } = await (await store()).list({ session })
    return kept.every((plan) => plan.project === project && (plan.parent || plan.agentType === agentType))
  }

  const join = async (from: string, to: string): Promise<void> => {
    const key = { session: from, agent }
    const tracker = await open.get(keyOf(key))
    open.delete(keyOf(key))
    await tracker?.close()
    await joinPlan({
      store: await store(),
      from: key,
      to: { session: to, agent },
      now: io.now,
      onProblem: reporter(context),
    })
    // One that was open has to read what came.
    await (await open.get(keyOf({ session: to, agent })))?.refresh()
  }

  const client = isChild ? findClientProcess() : undefined
  const finders = new Map<string, Promise<CallFinder | undefined>>()
  const finderOf = (agentType: string): Promise<CallFinder | undefined> => {
    const finder = finders.get(agentType) ?? openFinder(agentType, io)
    finders.set(agentType, finder)
    return finder
  }

  let isTidied = false
  const tidy = (): void => {
    if (isTidied) return
    isTidied = true
    forgetCallNotes(homeOf(context), new Date(io.now().getTime() - aDay))
    forgetClients(homeOf(context))
  }

  const whose: BridgePlans["whose"] = (callId) => {
    const home = homeOf(context)
    tidy()
    return takeCallNote(home, callId)
  }

  const noted = createRecent<string, true>(mostOpen)
  const noteCaller = (session: string, { agentType }: Caller): void => {
    if (agentType === undefined || noted.get(session)) return
    noted.set(session, true)
    noteCalling({ home: homeOf(context), session, agentType, through: "server", now: io.now() })
  }

  const connect = (): ClientPlans => {
    const unnamed = createUnnamedClient({
      home: homeOf(context),
      // Its name becomes a part of file names, so it is one of ours.
      clientOf: (agentType) => (client && agentNamed(agentType)?.id === agentType ? { agentType, client } : undefined),
      finderOf,
      newSession,
      isOwn,
      join,
      now: io.now,
    })
    return {
      async planFor(caller, call) {
        const { agentType } = caller
        if (isShared) {
          const session = named ?? (await findShared())
          noteCaller(session, caller)
          return trackerOf({ session, agent })
        }
        if (named !== undefined || caller.session !== undefined) {
          const session = named ?? caller.session ?? ""
          noteCaller(session, caller)
          // A sub-agent's list is its own: it would write over that of its parent.
          return trackerOf({ session, agent: agentIn(caller) }, agentType)
        }
        tidy()
        const { session, isNew, ...whose } = await unnamed.keyFor(caller, call)
        noteCaller(session, caller)
        return trackerOf({ session, agent: agentIn(whose) }, agentType, isNew)
      },
      onCalled: unnamed.called,
      onClose: unnamed.close,
    }
  }

  const agentIn = ({ agent: given = main }: Pick<Caller, "agent">): string => (given === main ? agent : given)

  return {
    whose,
    connect,
    async planAt(key) {
      // What is not listed is not read either: another project's plans are none of this client's.
      const id = keyOf(key)
      if (!open.get(id) && !(await plans()).some((plan) => keyOf(plan) === id)) return undefined
      // Opened only to be looked at, and not kept. One that clients write with is closed when others need its place.
      const tracker = await openPlan(await store(), key)
      return tracker.ledger.entries > 0 ? tracker : undefined
    },
    plans,
    async close() {
      for (const finder of finders.values()) (await finder.catch(() => undefined))?.close()
      await Promise.all(open.values().map(async (tracker) => (await tracker).close()))
    },
  }
}

/** Plans open at once; one that was closed is opened again when it is asked for. */
const mostOpen = 64

const main = "main"

const aDay = 24 * 60 * 60 * 1000

const isSharedName = (session: string): boolean => /-shared(?:-\d+)?$/.test(session)

const openFinder = async (agentType: string, { env, home, cwd }: Io): Promise<CallFinder | undefined> => {
  const source = await agentNamed(agentType)?.sessions?.()
  if (!source) return undefined
  const { createCallFinder } = await import("../../sessions/find-call.ts")
  return createCallFinder({ source, env, home, folder: cwd })
}
