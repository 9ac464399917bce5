/** Which plan a command is about: session and agent from options, environment and folder. */
import { isAbsolute } from "node:path"
import { projectName, projectOf, sharedProjectName } from "../../board/project.ts"
import { createErrorSink } from "../../home/error-log.ts"
import { openNames, type SessionNames } from "../../home/names.ts"
import type { PlanOpened } from "../../plan/event.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import type { Problem } from "../../plan/problem.ts"
import { isElsewhere } from "../../stores/index.ts"
import type { PlanKey, Store } from "../../stores/store.ts"
import { openTracker } from "../../tracker/open-tracker.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import { shellWord } from "../../views/text/shell-word.ts"
import type { Context } from "../command.ts"
import { say } from "../output/say.ts"
import { homeOf, placeOf, storeOf, urlOf, withoutUntrusted } from "../place/place.ts"

/** The kept plan with exactly this key, or undefined. */
export const openKeptPlan = async (context: Context, key: PlanKey): Promise<Tracker | undefined> => {
  const tracker = await beginPlan(context, key)
  return tracker.ledger.entries > 0 ? tracker : undefined
}

/** The plan with exactly this key. It may be empty: it starts with the first change. */
export const beginPlan = async (context: Context, { session, agent }: PlanKey): Promise<Tracker> =>
  open(context, await storeOf(context), session, agent)

/** A plan in its own session, named after the project. */
export const beginNewPlan = async (context: Context): Promise<Tracker> => {
  const store = await storeOf(context)
  const name = await newSession(context, store)
  const tracker = await open(context, store, name, namedAgent(context))
  // Reported once the session exists: a call without effect starts nothing.
  const stop = tracker.subscribe(() => {
    say(context.io, `no plan in this project yet; started session ${name}`)
    stop()
  })
  return tracker
}

/** The session a person names on the command line or in the environment. */
export const namedSession = ({ io, values }: Context): string | undefined =>
  values.session || io.env.HEADWAY_SESSION || undefined

/** The agent in the session, as a person names it. */
export const namedAgent = ({ values }: Context): string => values.agent || mainAgent

const mainAgent = "main"

/**
 * The session for the plans of an agent we watch: the one a person names, else its own, else a new one. An agent's
 * output may name any session; one with the plan of another agent or project is not accepted.
 */
export const sessionToKeep = async (
  context: Context,
  { claimed, agentType }: { claimed: string | undefined; agentType: string | undefined },
): Promise<string> => {
  const here = withoutUntrusted(context)
  const named = namedSession(here)
  if (named !== undefined) return named
  const store = await storeOf(here)
  if (claimed === undefined) return newSession(here, store)
  const { plans } = await store.list({ session: claimed })
  const project = projectNameIn(here)
  const isOwn = plans.every((plan) => plan.project === project && (plan.parent || plan.agentType === agentType))
  if (isOwn) return claimed
  const session = await newSession(here, store)
  say(
    here.io,
    `session "${claimed}" holds the plan of another agent or project; this one is kept in session ${session}`,
  )
  return session
}

/** The plan of an agent we watch. */
export const openPlan = async (
  context: Context,
  { session, agent, opened }: { session: string; agent: string; opened: Pick<PlanOpened, "agentType" | "parent"> },
): Promise<Tracker> => {
  const here = withoutUntrusted(context)
  return open(here, await storeOf(here), session, agent, opened)
}

/** Named after the project: no session of another one may have the name either. */
const newSession = async ({ io }: Context, store: Store): Promise<string> => {
  const name = projectName(projectOf(io.cwd))
  const taken = new Set((await store.list()).plans.map((plan) => plan.session))
  let number = 1
  while (taken.has(`${name}-${number}`)) number += 1
  return `${name}-${number}`
}

/** The error for a missing plan. */
export const noPlan = (context: Context): HeadwayError => {
  const session = namedSession(context)
  const agent = namedAgent(context)
  const place = session === undefined ? "in this project" : `in session "${session}"`
  const where = agent === mainAgent ? place : `of agent "${agent}" ${place}`
  const at = context.values.home ? ` --home ${shellWord(context.values.home)}` : ""
  const start = where === "in this project" ? `; start one with: headway todo add "TEXT"${at}` : "."
  return new HeadwayError("no-plan", `There is no plan ${where} yet. See all with "headway list${at}"${start}`)
}

/** The titles people gave to sessions on this machine. */
export const namesIn = (context: Context): SessionNames => openNames(homeOf(context), reporter(context))

/** Reports problems outside the main work to the person, once each, and to the error log. */
export const reporter = (context: Context): ((problem: Problem) => void) =>
  once(context, ({ message }) => say(context.io, message))

/** The same while a full-screen view is open: only to the log. */
export const logger = (context: Context): ((problem: Problem) => void) => once(context, () => {})

const once = (context: Context, report: (problem: Problem) => void): ((problem: Problem) => void) => {
  const { io, opened } = context
  return (problem) => {
    const { code, message } = problem
    // What a model got wrong is in the reply already.
    if (code === "call-refused" || opened.reported.has(message)) return
    opened.reported.add(message)
    createErrorSink({ home: homeOf(context), env: io.env, now: io.now })(new HeadwayError(code, message))
    report(problem)
  }
}

/** The session of the newest plan that we keep in this project. */
export const newestSession = async (context: Context, store: Store, agent: string): Promise<string | undefined> => {
  const { plans, problems } = await store.list({ project: projectNameIn(context) })
  problems.forEach(reporter(context))
  const own = plans.filter((plan) => plan.agent === agent)
  return newestFirst(context, own)[0]?.session
}

/** A wrong clock or a forged date must not make a plan the newest for years: such plans come last. */
export const newestFirst = <One extends { updated: string }>({ io }: Context, all: readonly One[]): One[] => {
  const latest = new Date(io.now().getTime() + aDay).toISOString()
  const isForged = ({ updated }: One): boolean => updated > latest
  return all.toSorted(
    (one, other) => Number(isForged(one)) - Number(isForged(other)) || (one.updated < other.updated ? 1 : -1),
  )
}

/** The tolerated difference between clocks. */
const aDay = 24 * 60 * 60_000

const open = async (
  context: Context,
  store: Store,
  session: string,
  agent: string,
  opened: Pick<PlanOpened, "agentType" | "parent"> = {},
): Promise<Tracker> => {
  const tracker = await context.opened.plan(
    openTracker({
      store,
      session,
      agent,
      opened: { project: projectNameIn(context), ...opened },
      now: context.io.now,
      onProblem: reporter(context),
    }),
  )
  await reportAway(context, store)
  return tracker
}

/** Says that a plan may be old, because its store cannot be reached. Known only once the plan was read. */
export const reportAway = async (context: Context, store: Store): Promise<void> => {
  const problem = await store.away?.()
  if (problem) reporter(context)(problem)
}

/**
 * A project is known by its folder; in its own repository it is simply here, on whatever machine. Where plans are shared
 * between machines it goes by the name its repository has on all of them.
 */
export const projectNameIn = (context: Context): string => {
  if (isElsewhere(urlOf(context))) return sharedProjectName(projectOf(context.io.cwd))
  return placeOf(context).isInProject ? "." : projectOf(context.io.cwd)
}

/** Whether a session is of the project here, by its folder or by its name. */
export const isOfProject = (context: Context): ((session: { project?: string | undefined }) => boolean) => {
  const [name, folder] = [projectNameIn(context), projectOf(context.io.cwd)]
  const known = new Map<string, boolean>()
  const isHere = (project: string): boolean =>
    project === name || (isAbsolute(project) && projectOf(project) === folder)
  return ({ project = "" }) => {
    const answer = known.get(project) ?? isHere(project)
    known.set(project, answer)
    return answer
  }
}
