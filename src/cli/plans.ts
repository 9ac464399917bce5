/** Which plan a command is about: home, store, session and agent from options, environment and folder. */
import { join, resolve } from "node:path"
import { HeadwayError } from "../plan/headway-error.ts"
import type { Problem } from "../plan/problem.ts"
import { openStore } from "../stores/index.ts"
import type { PlanSummary, Store } from "../stores/store.ts"
import { openTracker, type Tracker } from "../tracker.ts"
import type { Context } from "./command.ts"
import { projectName, projectOf } from "./project.ts"

const given = (value: string | boolean | undefined): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

export const homeOf = ({ io, values }: Context): string =>
  resolve(io.cwd, given(values.home) ?? given(io.env.HEADWAY_HOME) ?? join(io.home, ".headway"))

export const storeOf = (context: Context): Promise<Store> => {
  const url = given(context.values.store) ?? given(context.io.env.HEADWAY_STORE) ?? "file:"
  return openStore(url, { home: homeOf(context) })
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
  context.io.err(`headway: no plan in this project yet; began session ${name}-${number}\n`)
  return open(context, store, `${name}-${number}`, agent)
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

/** Problems beside the work go to the person, once each. */
export const reporter = ({ io }: Context): ((problem: Problem) => void) => {
  const said = new Set<string>()
  return ({ message }) => {
    if (said.has(message)) return
    said.add(message)
    io.err(`headway: ${message}\n`)
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
  const project = projectOf(context.io.cwd)
  const own = plans.filter((plan) => plan.project === project && plan.agent === agent)
  const newest = own.sort((one, other) => other.updated.localeCompare(one.updated))[0]
  return { store, session: newest?.session, agent, plans }
}

const open = (context: Context, store: Store, session: string, agent: string): Promise<Tracker> =>
  openTracker({
    store,
    session,
    agent,
    opened: { project: projectOf(context.io.cwd) },
    now: context.io.now,
    onProblem: reporter(context),
  })
