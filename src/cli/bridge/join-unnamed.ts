/** The plan of a client whose session was not known becomes that of its session, also after our server was killed. */
import { agentNamed } from "../../agents/index.ts"
import {
  type ClientRecord,
  clientsIn,
  forgetSession,
  isSameProcess,
  type ServedSession,
  type UnnamedCalls,
} from "../../home/clients.ts"
import { processesHere } from "../../home/processes.ts"
import type { CallFinder, MadeCall } from "../../sessions/find-call.ts"
import type { PlanKey, Store } from "../../stores/store.ts"
import { joinPlan } from "../../tracker/copy-plan.ts"
import type { Context } from "../command.ts"
import type { Io } from "../io.ts"
import { homeOf, storeOf, withoutUntrusted } from "../place.ts"
import { projectNameIn, reporter } from "../plans.ts"

/** Looks for calls in the files of the agent's sessions; undefined for an agent whose files are not known. */
export const openFinder = async (
  agentType: string,
  { env, home }: Pick<Io, "env" | "home">,
  folder: string,
): Promise<CallFinder | undefined> => {
  const source = await agentNamed(agentType)?.sessions?.()
  if (!source) return undefined
  const { createCallFinder } = await import("../../sessions/find-call.ts")
  return createCallFinder({ source, env, home, folder })
}

/** Whether a session is one of this agent's in this project, as far as a plan that is kept for it tells. */
export const isPlanOf = async (
  store: Store,
  { session, agentType, project }: { session: string; agentType: string; project: string },
): Promise<boolean> => {
  const { plans } = await store.list({ session })
  return plans.every((plan) => plan.project === project && (plan.parent || plan.agentType === agentType))
}

export const joinUnnamed = (
  context: Context,
  { store, from, to }: { store: Store; from: PlanKey; to: PlanKey },
): Promise<void> => joinPlan({ store, from, to, now: context.io.now, onProblem: reporter(context) })

/** Joins the plans of servers that were killed, where it was known whose they are or a session file holds their calls by now. */
export const joinLeftPlans = async (given: Context): Promise<void> => {
  const home = homeOf(given)
  const processes = processesHere()
  if (!processes) return
  const left = clientsIn(home).filter(
    ({ isOwnServer, process: one }) => isOwnServer && one && !isSameProcess(one, processes),
  )
  for (const server of left)
    for (const served of server.sessions) {
      // One whose folder cannot be used any more must not keep the others from being joined.
      const isDone = await isJoined(given, server, served).catch(() => false)
      if (isDone || isOld(served, given.io.now())) await forgetSession(home, server, served.session)
    }
}

const isJoined = async (given: Context, { agentType }: ClientRecord, served: ServedSession): Promise<boolean> => {
  const { unnamed, session } = served
  if (!unnamed) return false
  const { folder, agent } = unnamed
  const context = withoutUntrusted({ ...given, io: { ...given.io, cwd: folder } })
  const store = await storeOf(context, { isQuiet: true })
  // A command may look at other plans than those the server wrote to.
  if (!(await store.list({ session })).plans.some((plan) => plan.agent === agent)) return false
  const to = unnamed.owner ?? (await ownerOf(context, agentType, unnamed))
  const project = projectNameIn(context)
  if (!to || !(await isPlanOf(store, { session: to.session, agentType, project }))) return false
  await joinUnnamed(context, { store, from: { session, agent }, to })
  return true
}

/** As the agent's session files show it. */
const ownerOf = async (
  { io }: Context,
  agentType: string,
  { folder, agent, calls }: UnnamedCalls,
): Promise<PlanKey | undefined> => {
  if (calls.length === 0) return undefined
  const finder = await openFinder(agentType, io, folder)
  try {
    const owner = await finder?.find(calls.map((call): MadeCall => ({ ...call, at: new Date(call.at) })))
    return owner && { session: owner.session, agent: owner.agent === "main" ? agent : owner.agent }
  } finally {
    finder?.close()
  }
}

/** A session file that does not hold the calls after an hour never will. */
const isOld = ({ at, unnamed }: ServedSession, now: Date): boolean =>
  unnamed?.owner === undefined && now.getTime() - Date.parse(at) > anHour

/** In milliseconds. */
const anHour = 60 * 60 * 1000
