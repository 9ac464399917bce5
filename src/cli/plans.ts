/** Which plan a command is about: home, store, session and agent from options, environment and folder. */
import { lstatSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { openTracker } from "../open-tracker.ts"
import { HeadwayError } from "../plan/headway-error.ts"
import type { Problem } from "../plan/problem.ts"
import { createErrorSink, loadSettings, openStore } from "../stores/index.ts"
import type { PlanSummary, Store } from "../stores/store.ts"
import type { Tracker } from "../tracker.ts"
import type { Context } from "./command.ts"
import { projectName, projectOf } from "./project.ts"
import { say } from "./say.ts"

const given = (value: string | boolean | undefined): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

/** Where plans rest: the home that was named, the project's own folder, or the person's home. */
export const homeOf = (context: Context): string => {
  const { io, values } = context
  const named = given(values.home) ?? (values.project ? undefined : given(io.env.HEADWAY_HOME))
  if (named !== undefined) return resolve(io.cwd, named)
  return isInProject(context) ? projectHome(projectOf(io.cwd)) : join(io.home, ".headway")
}

/** Plans are kept in the project when that is asked for, is the person's rule, or was done before. */
const isInProject = ({ io, values }: Context): boolean => {
  if (given(values.home) !== undefined) return false
  if (values.project) return true
  if (given(io.env.HEADWAY_HOME) !== undefined) return false
  const own = join(io.home, ".headway")
  const project = join(projectOf(io.cwd), ".headway")
  if (project !== own && isFolder(join(project, "journal")) && leadsNowhereElse(project)) return true
  return loadSettings(own).keepPlansInProject
}

const projectHome = (project: string): string => {
  const home = join(project, ".headway")
  if (leadsNowhereElse(home)) return home
  throw new HeadwayError(
    "project-home",
    `${home} leads out of the project, so no plan is kept there. Make it a folder.`,
  )
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** A link somebody put into a repository must not decide where files are written. */
const leadsNowhereElse = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true

export const storeOf = (context: Context): Promise<Store> => {
  const { io, values } = context
  const root = given(values.root)
  const url =
    root === undefined
      ? (given(values.store) ?? given(io.env.HEADWAY_STORE) ?? "file:")
      : `root:${resolve(io.cwd, root)}`
  return openStore(url, { home: homeOf(context), isInProject: isInProject(context) })
}

/** The plan a command names, or the newest of this project; undefined when there is none. */
export const findPlan = async (context: Context): Promise<Tracker | undefined> => {
  const { store, session, agent } = await locate(context)
  if (session === undefined) return undefined
  const tracker = await open(context, store, session, agent)
  return tracker.ledger.entries > 0 ? tracker : undefined
}

/** The plan a command names, or the newest of this project, or a new one named after the project, said aloud. */
export const findOrBeginPlan = async (context: Context): Promise<Tracker> => {
  const { store, session, agent, plans } = await locate(context)
  if (session !== undefined) return open(context, store, session, agent)
  const name = projectName(projectOf(context.io.cwd))
  const taken = new Set(plans.map((plan) => plan.session))
  let number = 1
  while (taken.has(`${name}-${number}`)) number += 1
  const tracker = await open(context, store, `${name}-${number}`, agent)
  // Said when it is true: a call that changes nothing begins nothing.
  const stop = tracker.subscribe(() => {
    say(context.io, `no plan in this project yet; began session ${name}-${number}`)
    stop()
  })
  return tracker
}

/** What to say when there is no plan. */
export const noPlan = ({ values, io }: Context): HeadwayError => {
  const session = given(values.session) ?? given(io.env.HEADWAY_SESSION)
  const where = session === undefined ? "in this project" : `in session "${session}"`
  return new HeadwayError(
    "no-plan",
    `There is no plan ${where} yet. See all with "headway list", begin one with "headway write".`,
  )
}

const saidTo = new WeakMap<Context["io"], Set<string>>()

/** Problems beside the work go to the person, once each, and to the error log. */
export const reporter = (context: Context): ((problem: Problem) => void) => {
  const { io } = context
  const said = saidTo.get(io) ?? new Set()
  saidTo.set(io, said)
  return ({ code, message }) => {
    // What a model got wrong is in the reply already.
    if (code === "call-refused" || said.has(message)) return
    said.add(message)
    createErrorSink({ home: homeOf(context), env: io.env, now: io.now })(new HeadwayError(code, message))
    say(io, message)
  }
}

type Located = { store: Store; session: string | undefined; agent: string; plans: PlanSummary[] }

const locate = async (context: Context): Promise<Located> => {
  const store = await storeOf(context)
  const agent = given(context.values.agent) ?? "main"
  const session = given(context.values.session) ?? given(context.io.env.HEADWAY_SESSION)
  if (session !== undefined) return { store, session, agent, plans: [] }
  const { plans, problems } = await store.list()
  problems.forEach(reporter(context))
  const project = projectNameIn(context)
  const own = plans.filter((plan) => plan.project === project && plan.agent === agent)
  const newest = own.sort((one, other) => (one.updated < other.updated ? 1 : -1))[0]
  return { store, session: newest?.session, agent, plans }
}

const open = (context: Context, store: Store, session: string, agent: string): Promise<Tracker> =>
  openTracker({
    store,
    session,
    agent,
    opened: { project: projectNameIn(context) },
    now: context.io.now,
    onProblem: reporter(context),
  })

/** A project is known by its folder; in its own repository it is simply here, on whatever machine. */
export const projectNameIn = (context: Context): string => (isInProject(context) ? "." : projectOf(context.io.cwd))
