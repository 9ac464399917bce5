/** The agent sessions of a command and the plans kept for them, with problems reported to the person. */
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { agentNamed, loadSources } from "../../agents/index.ts"
import { byKey, type Joined, joinSessions, keyOf } from "../../board/joined-session.ts"
import { countPlans, withoutOlder } from "../../board/older-plans.ts"
import { lookForRecentSessions, lookForSessions, type SessionPlaces } from "../../board/seen-sessions.ts"
import { loadSettings } from "../../home/settings.ts"
import type { Ledger } from "../../plan/log/ledger.ts"
import { type Problem, warning } from "../../plan/problem.ts"
import { createClientStateReader } from "../../sessions/clients.ts"
import type { DiscoveredSession } from "../../sessions/discover.ts"
import { indexFileIn } from "../../sessions/index-file.ts"
import { type PlanKey, type PlanSummary, type Store, summarise } from "../../stores/store.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import { foldedBefore } from "../../views/board/fold.ts"
import { leastShown } from "../../views/board/list.ts"
import type { Context } from "../command.ts"
import { homeOf, type RootedContext, storeOf } from "../place/place.ts"
import { withPlansBegunInHome } from "../place/plans-begun-in-home.ts"
import { type PlacedPlans, type PlansAndSessions, withPlansElsewhere } from "../place/session-stores.ts"
import { reporter } from "./plans.ts"

/** Where agents keep their sessions: all of them on this machine, or only those at the paths. */
export const sessionPlaces = async (context: Context, paths?: readonly string[]): Promise<SessionPlaces> =>
  placesWith(context, await loadSources(), paths)

const placesWith = (context: Context, sources: SessionPlaces["sources"], paths?: readonly string[]): SessionPlaces => ({
  sources,
  env: context.io.env,
  home: context.io.home,
  paths,
  index: paths === undefined ? indexFileIn(homeOf(context)) : undefined,
  // Files under a path given by a person may have been copied from anywhere.
  readClientState: paths === undefined ? createClientStateReader({ home: homeOf(context) }) : undefined,
})

/** All sessions of all agents, here or under `--root`. */
export const sessionsHere = async (context: RootedContext): Promise<DiscoveredSession[]> => {
  const root = rootOf(context)
  if (root !== undefined && isPlainLayout(root)) return []
  return sessionsAt(context, root === undefined ? undefined : [root])
}

/** The sessions at these paths, or all on this machine. */
export const sessionsAt = async (
  context: Context,
  paths: readonly string[] | undefined,
): Promise<DiscoveredSession[]> => {
  const { sessions, problems } = await lookForSessions(await sessionPlaces(context, paths), context.io.now())
  report(context, problems)
  return sessions
}

/**
 * Of these plans and all sessions of this machine those that a listing shows, and how many more there are, which it only counts.
 * With `isOwn` no session is looked for.
 */
export const recentOnes = async (
  context: Context,
  plans: readonly PlanSummary[],
  { isOwn = false } = {},
): Promise<{ plans: PlanSummary[]; sessions: DiscoveredSession[]; older: number }> => {
  const now = context.io.now()
  const before = foldedBefore(now, loadSettings(homeOf(context))["board.foldAfterDays"])
  const counts = countPlans(plans)
  const older = { before, wanted: counts, least: leastShown }
  const found = isOwn ? nothing : await lookForRecentSessions(await sessionPlaces(context), now, older)
  report(context, found.problems)
  const seen = new Set(found.sessions.map(({ session }) => session))
  const kept = withoutOlder(plans, { before, least: leastShown, now, counts, seen })
  return { plans: kept.plans, sessions: found.sessions, older: found.older + kept.older }
}

const nothing = { sessions: [], older: 0, problems: [] }

/** All sessions and kept plans, joined, by their keys: what a listing shows, here or under `--root`. */
export const joinedHere = async (context: RootedContext): Promise<Map<string, Joined>> =>
  joinedNow(context, await foundHere(context))

/** The same with plans that are kept elsewhere for these sessions, and the store of each plan. */
export const joinedEverywhere = async (
  context: Context,
): Promise<{ joined: Map<string, Joined>; storeOf: PlacedPlans["storeOf"] }> => {
  const { plans, sessions } = await foundHere(context)
  const placed = await withPlansElsewhere(context, { plans, sessions, store: await storeOf(context) })
  return { joined: joinedNow(context, { plans: placed.plans, sessions }), storeOf: placed.storeOf }
}

type FoundHere = Pick<PlansAndSessions, "plans" | "sessions">

const foundHere = async (context: RootedContext): Promise<FoundHere> => {
  const sessions = await sessionsHere(context)
  // Under another root, lists of known agents come from their sessions; for unknown agents the list files are all there
  // is.
  const isElsewhere = context.values.root !== undefined
  return { plans: isElsewhere && sessions.length > 0 ? [] : await plansHere(context), sessions }
}

const joinedNow = (context: RootedContext, { plans, sessions }: FoundHere): Map<string, Joined> => {
  const { io, values } = context
  const readClientState = values.root === undefined ? createClientStateReader({ home: homeOf(context) }) : undefined
  return joinSessions(byKey(plans), byKey(sessions), io.now(), readClientState)
}

const plansHere = async (context: RootedContext): Promise<readonly PlanSummary[]> => {
  const { plans, problems } = await (await storeOf(context)).list()
  problems.forEach(reporter(context))
  return withPlansBegunInHome(context, plans)
}

/** Opens the plan of another agent's session for a person's change. */
export const openSeenPlan = async (context: Context, seen: DiscoveredSession): Promise<Tracker> => {
  const { openPlanToChange } = await import("../../board/kept-sessions.ts")
  return context.opened.plan(openPlanToChange(seen, keptOptions(context, await storeOf(context))))
}

/** A kept plan joined with its session, as a listing shows it. No other session is read. */
export const joinedPlan = async (context: RootedContext, tracker: Tracker): Promise<Joined | undefined> => {
  const { key, ledger } = tracker
  const now = context.io.now()
  const sessions = context.values.root === undefined ? await sessionsOf(context, key, ledger) : []
  return joinSessions(byKey([summarise(key, tracker)]), byKey(sessions), now).get(keyOf(key))
}

/** What its agent's files say about the session of a plan. */
const sessionsOf = async (context: Context, only: PlanKey, { opened }: Ledger): Promise<DiscoveredSession[]> => {
  const { agentType = "" } = opened ?? {}
  const source = await agentNamed(agentType)?.sessions?.()
  if (!source) return []
  const places = { ...placesWith(context, { [agentType]: source }), only }
  const { sessions, problems } = await lookForSessions(places, context.io.now())
  report(context, problems)
  return sessions
}

/** Updates a plan from its session: the given one or, if it still exists, the one with its id. */
export const catchUpHere = async (context: Context, tracker: Tracker, given?: DiscoveredSession): Promise<void> => {
  const seen = given ?? (await joinedPlan(context, tracker))?.seen
  if (!seen) return
  const { catchUp } = await import("../../board/kept-sessions.ts")
  await catchUp(tracker, seen, { now: context.io.now, onProblem: reporter(context) })
}

/** The plans, with those that are kept elsewhere for the sessions, in step with sessions that have gone on since. */
export const plansInStep = async (context: Context, listing: PlansAndSessions): Promise<readonly PlanSummary[]> => {
  const { sessions } = listing
  const { plans, storeOf: storeOfPlan } = await withPlansElsewhere(context, listing)
  const seen = byKey(sessions)
  if (!plans.some((plan) => seen.has(keyOf(plan)))) return plans
  const { inStep } = await import("../../board/kept-sessions.ts")
  return inStep(plans, sessions, (plan) => keptOptions(context, storeOfPlan(plan)))
}

const keptOptions = (context: Context, store: Store) => ({
  store,
  now: context.io.now,
  onProblem: reporter(context),
})

/** Only list files in the common layout, without anything that identifies an agent. */
const isPlainLayout = (root: string): boolean =>
  existsSync(join(root, "todos")) && !["projects", "tasks"].some((name) => existsSync(join(root, name)))

const rootOf = ({ io, values }: RootedContext): string | undefined =>
  values.root ? resolve(io.cwd, values.root) : undefined

/** Further messages are only counted, because old sessions may have many problems. */
const mostMessages = 5

const report = (context: Context, problems: readonly Problem[]): void => {
  const report = reporter(context)
  problems.slice(0, mostMessages).forEach(report)
  const more = problems.length - mostMessages
  if (more > 0) report(warning("more-problems", `${more} more agent files could not be read in full.`))
}
