/** The place of a session whose agent calls a hook, and the position of its plan. */
import { projectOf, workFolderOf } from "../../board/project.ts"
import type { HookAgent, HookEvent } from "../../bridges/hooks/hook.ts"
import { notePlace, placeOfSession } from "../../home/notes/session-places.ts"
import { fullPath } from "../../home/paths/full-path.ts"
import type { Context } from "../command.ts"
import { homeOf, placeOf, positionOf, withoutUntrusted } from "../place/place.ts"
import { whereItBegan } from "../place/session-place.ts"

type HookCall = { agent: HookAgent; event: HookEvent }

/**
 * The context of an event is its own folder, or the place of its session if its agent has changed to another project: a
 * session has one plan, also if the repository began to keep plans after it. Whether a repository is trusted is checked for each event.
 */
export const contextOf = <Here extends Context>(given: Here, { agent, event }: HookCall): Promise<Here> => {
  const { [agent.projectVariable ?? ""]: startedIn } = given.io.env
  return contextAt(given, { agent, event }, {}, fullPath(startedIn))
}

/** The same for an event that was put aside, of which this process knows the folder and the time. */
export const contextOfAside = <Here extends Context>(
  given: Here,
  call: HookCall,
  io: Partial<Here["io"]>,
): Promise<Here> => contextAt(given, call, io)

const contextAt = async <Here extends Context>(
  given: Here,
  { agent: { agentType }, event }: HookCall,
  more: Partial<Here["io"]>,
  startedIn?: string,
): Promise<Here> => {
  const { io, values } = given
  const cwd = event.cwd ?? more.cwd ?? io.cwd
  const here = { ...given, io: { ...io, ...more, cwd } }
  // A home that the person named does not depend on the project.
  const place = values.home ? undefined : (placeOfSession(homeOf(here), { agentType, ...event }) ?? startedIn)
  const isElsewhere = place !== undefined && place !== cwd && projectOf(place) !== projectOf(cwd)
  const there = withoutUntrusted(isElsewhere ? { ...here, io: { ...here.io, cwd: place } } : here)
  return whereItBegan(there, { agentType, session: event.session })
}

/** Records the place of a session that has a plan. */
export const keepPlace = (context: Context, { agent: { agentType }, event: { session } }: HookCall): void =>
  notePlace(
    homeOf(context),
    { agentType, session },
    { folder: workFolderOf(context.io.cwd), isInHome: !placeOf(context).isInProject },
  )

/** The position of the plan an event is about; undefined where there is none. */
export const positionOfPlan = (context: Context, { session, agent }: HookEvent): Promise<string | undefined> =>
  positionOf(context, { session, agent }, async () => (await import("./act-on-hook.ts")).storeForHook(context))
