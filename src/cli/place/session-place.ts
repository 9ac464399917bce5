/** The place of a session's one plan, wherever its agent and the person are by now. */
import { projectOf } from "../../board/project.ts"
import { type AgentSession, recordedPlace } from "../../home/notes/session-places.ts"
import { fullPath } from "../../home/paths/full-path.ts"
import { isFolder } from "../../home/paths/on-disk.ts"
import type { PlanSummary } from "../../stores/store.ts"
import type { Context } from "../command.ts"
import { homeOf, placeOf, positionOf, type RootedContext, storeOf, withoutUntrusted } from "./place.ts"

/** What is known about a session. */
export type PlacedSession = { session: string; agentType?: string | undefined; project?: string | undefined }

/**
 * The context in which the plan of a session is kept; undefined if that is the given one, or if the person named where plans
 * are kept.
 */
export const contextOfSession = async <Here extends RootedContext>(
  context: Here,
  session: PlacedSession,
): Promise<Here | undefined> => contextsOfSessions(context)(session)

/** The same command in another folder. */
export const contextIn = <Here extends RootedContext>(context: Here, folder: string): Here => ({
  ...context,
  // Not a copy: some of its members may be on its prototype.
  io: Object.create(context.io, { cwd: { value: folder } }),
})

/** The same for many sessions at one moment: each folder is examined once. */
export const contextsOfSessions = <Here extends RootedContext>(
  context: Here,
): ((session: PlacedSession) => Promise<Here | undefined>) => {
  const { io, values } = context
  if (values.home || values.root || io.env.HEADWAY_HOME || isStoreNamed(context)) return async () => undefined
  const home = homeOf(context)
  const own = projectOf(io.cwd)
  const folders = new Map<string, { there: Here; isInProject: boolean }>()

  const examine = (folder: string) => {
    const isHere = !isFolder(folder) || projectOf(folder) === own
    const there = isHere ? context : withoutUntrusted(contextIn(context, folder))
    const { isInProject } = placeOf(there)
    return { there, isInProject }
  }

  return async ({ session, agentType, project }) => {
    const recorded = agentType === undefined ? undefined : recordedPlace(home, { agentType, session })
    const folder = recorded?.folder ?? fullPath(project) ?? io.cwd
    const known = folders.get(folder) ?? examine(folder)
    folders.set(folder, known)
    const { there, isInProject } = known
    const isAsked = agentType !== undefined && isInProject
    const found = isAsked ? await whereItBegan(there, { agentType, session }) : there
    return found === context ? undefined : found
  }
}

/**
 * In a repository that keeps plans: the person's home, if the plan of the session began there before the repository kept any.
 * All other contexts stay as they are.
 */
export const whereItBegan = async <Here extends Context>(context: Here, of: AgentSession): Promise<Here> => {
  const { isInProject, isReadOnly } = placeOf(context)
  if (!isInProject || isReadOnly || isStoreNamed(context)) return context
  const recorded = recordedPlace(homeOf(context), of)
  if (recorded?.isInHome === false) return context
  const inHome = homeContext(context)
  if (recorded?.isInHome) return inHome
  const key = { session: of.session, agent: "main" }
  const isKept = async (at: Context): Promise<boolean> =>
    (await positionOf(at, key, () => storeOf(at, { isQuiet: true }))) !== undefined
  if ((await isKept(context)) || !(await isKept(inHome))) return context
  const { plans } = await (await storeOf(inHome, { isQuiet: true })).list({ session: of.session })
  const project = await projectIn(inHome)
  const isOwn = (plan: PlanSummary): boolean =>
    plan.agent === key.agent && plan.project === project && (plan.agentType ?? of.agentType) === of.agentType
  return plans.some(isOwn) ? inHome : context
}

/** The same with plans in the person's home. */
export const homeContext = <Here extends Context>(context: Here): Here => ({
  ...context,
  values: { ...context.values, home: homeOf(context) },
})

/** Loaded only if there are two places: hooks run this at every step. */
const projectIn = async (context: Context): Promise<string> =>
  (await import("../choose/plans.ts")).projectNameIn(context)

export const isStoreNamed = ({ io, values }: Context): boolean => Boolean(values.store || io.env.HEADWAY_STORE)
