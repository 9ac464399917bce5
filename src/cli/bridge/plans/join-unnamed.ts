/** Merges the plan of an unidentified client into that of its session, even after our server was killed. */
import { agentNamed } from "../../../agents/index.ts"
import {
  type ClientRecord,
  forgetSession,
  leftServersIn,
  type ServedSession,
  type UnnamedCalls,
} from "../../../home/processes/clients.ts"
import { processesHere } from "../../../home/processes/processes.ts"
import { searchedFileIn } from "../../../sessions/index-file.ts"
import type { CallFinder, ClientCalls } from "../../../sessions/lookup/find-call.ts"
import { createSearched } from "../../../sessions/lookup/searched-files.ts"
import type { PlanKey, PlanSummary, Store } from "../../../stores/store.ts"
import { joinPlan } from "../../../tracker/copy-plan.ts"
import { projectNameIn, reporter } from "../../choose/plans.ts"
import type { Context } from "../../command.ts"
import type { Io } from "../../io.ts"
import { homeOf, placeNameOf, storeOf, withoutUntrusted } from "../../place/place.ts"
import { contextOfSession } from "../../place/session-place.ts"

/** Looks for calls in the files of the agent's sessions; undefined for an agent whose files are not known. */
export const openFinder = async (
  agentType: string,
  { env, home }: Pick<Io, "env" | "home">,
  folder: string,
): Promise<CallFinder | undefined> => {
  const source = await agentNamed(agentType)?.sessions?.()
  if (!source) return undefined
  const { createCallFinder } = await import("../../../sessions/lookup/find-call.ts")
  return createCallFinder({ source, env, home, folder })
}

type PlanOf = {
  session: string
  agentType: string | undefined
  project: string
  /** A plan that a person began, which names no agent, counts as well. @default false */
  mayBePersons?: boolean
}

/** Whether a session belongs to this agent and project, according to its kept plan. */
export const isPlanOf = async (
  store: Store,
  { session, agentType, project, mayBePersons = false }: PlanOf,
): Promise<boolean> => {
  const { plans } = await store.list({ session })
  const isTheirs = (plan: PlanSummary): boolean =>
    plan.parent !== undefined || plan.agentType === agentType || (mayBePersons && plan.agentType === undefined)
  return plans.every((plan) => plan.project === project && isTheirs(plan))
}

/** Into the place where the plan of that session is kept. False where both plans are there afterwards. */
export const joinUnnamed = async (
  context: Context,
  { agentType, ...plans }: { store: Store; from: PlanKey; to: PlanKey; agentType: string },
): Promise<boolean> => {
  const at = await contextOfSession(context, { session: plans.to.session, agentType })
  const into = at ? { into: await storeOf(at) } : {}
  return joinPlan({ ...plans, ...into, now: context.io.now, onProblem: reporter(context) })
}

/**
 * Joins the plans of servers that were killed, where it was known whose they are or a session file holds their calls by now.
 * A command waits for it: what would take long is left to the next one.
 */
export const joinLeftPlans = async (given: Context): Promise<void> => {
  const home = homeOf(given)
  const processes = processesHere()
  if (!processes) return
  const end = performance.now() + mostTime
  const plans = await plansOf(given, leftServersIn(home, processes))
  const owners = await ownersOf(given, plans)
  for (const plan of plans) {
    if (performance.now() > end) return
    const { owner, isWhole } = owners.get(plan) ?? { isWhole: true }
    try {
      const isDone = owner !== undefined && (await isJoined(plan, owner))
      if (isDone || (isWhole && isOld(plan, given.io.now())))
        await forgetSession(home, plan.server, plan.served.session)
    } catch {
      // One that cannot be joined now must not keep the others from being joined.
    }
  }
}

/** In milliseconds: from then on no more plans are joined. */
const mostTime = 1_000

/** What a server left for one client, in the place that this command reads. */
type LeftPlan = {
  server: ClientRecord
  served: ServedSession
  unnamed: UnnamedCalls
  /** As if the command had been called where the client worked. */
  context: Context
  store: Store
  /** Undefined where the plan is gone. */
  key?: PlanKey
}

const plansOf = async (given: Context, servers: readonly ClientRecord[]): Promise<LeftPlan[]> => {
  const places = new Map<string, Promise<Pick<LeftPlan, "context" | "store"> & { place: string }>>()
  const placeOfFolder = (folder: string) => {
    const place = places.get(folder) ?? openPlace({ ...given, io: { ...given.io, cwd: folder } })
    places.set(folder, place)
    return place
  }
  const plans: LeftPlan[] = []
  for (const server of servers)
    for (const served of server.sessions) {
      const { unnamed, session } = served
      if (!unnamed) continue
      try {
        const { context, store, place } = await placeOfFolder(unnamed.folder)
        // A command may use other plans than those the server wrote to.
        if (place !== unnamed.place) continue
        const key = { session, agent: unnamed.agent }
        const isThere = (await store.position(key)) !== undefined
        plans.push({ server, served, unnamed, context, store, ...(isThere ? { key } : {}) })
      } catch {
        // A folder may be gone, or hold plans that are not ours.
      }
    }
  return plans
}

const openPlace = async (given: Context) => {
  const context = withoutUntrusted(given)
  return { context, place: placeNameOf(context), store: await storeOf(context, { isQuiet: true }) }
}

type Owned = { owner?: PlanKey; isWhole: boolean }

/** As it was noted, else as the agents' session files show it. */
const ownersOf = async (given: Context, plans: readonly LeftPlan[]): Promise<ReadonlyMap<LeftPlan, Owned>> => {
  const owners = new Map<LeftPlan, Owned>()
  const sought: LeftPlan[] = []
  for (const plan of plans) {
    const { owner } = plan.unnamed
    if (owner) owners.set(plan, { owner, isWhole: true })
    else if (plan.key && plan.unnamed.calls.length > 0) sought.push(plan)
  }
  if (sought.length === 0) return owners
  const { env, home, now } = given.io
  const file = searchedFileIn(homeOf(given))
  const searched = createSearched({ kept: file.load(), mostBytes, now: now() })
  const { findCallsOf } = await import("../../../sessions/lookup/find-call.ts")
  for (const agentType of new Set(sought.map(({ server }) => server.agentType))) {
    const source = await agentNamed(agentType)?.sessions?.()
    if (!source) continue
    const own = sought.filter(({ server }) => server.agentType === agentType)
    const results = await findCallsOf(own.map(clientCalls), { source, env, home, searched })
    for (const [index, plan] of own.entries()) {
      const { owner, isWhole = false } = results[index] ?? {}
      const { agent } = plan.unnamed
      const named = owner && { session: owner.session, agent: owner.agent === "main" ? agent : owner.agent }
      owners.set(plan, { isWhole, ...(named ? { owner: named } : {}) })
    }
  }
  try {
    const text = searched.text()
    if (text !== undefined) file.save(text)
  } catch {
    // Then the next one reads them again.
  }
  return owners
}

/** How many bytes of session files one command reads. */
const mostBytes = 16 << 20

const clientCalls = ({ unnamed: { calls, folder } }: LeftPlan): ClientCalls => ({
  folder,
  calls: calls.map((call) => ({ ...call, at: new Date(call.at) })),
})

const isJoined = async ({ server, context, store, key }: LeftPlan, to: PlanKey): Promise<boolean> => {
  if (!key) return false
  const project = projectNameIn(context)
  if (!(await isPlanOf(store, { session: to.session, agentType: server.agentType, project }))) return false
  return joinUnnamed(context, { store, from: key, to, agentType: server.agentType })
}

/**
 * A session file that does not have the calls after an hour never will, and a plan that is removed by then does not come
 * back. Compares the distance between the times, because a clock may have been set back.
 */
const isOld = ({ served, unnamed, key }: LeftPlan, now: Date): boolean =>
  (unnamed.owner === undefined || !key) && !(Math.abs(now.getTime() - Date.parse(served.at)) <= anHour)

/** In milliseconds. */
const anHour = 60 * 60 * 1000
