/** `headway list`: all plans known here, ours and those in other agents' sessions, the newest first. */
import { type JoinedSession, listSessions } from "../../board/joined-session.ts"
import { projectName } from "../../board/project.ts"
import type { DiscoveredSession } from "../../sessions/discover.ts"
import type { PlanSummary, Store } from "../../stores/store.ts"
import { type Context, defineCommand } from "../command.ts"
import { ageText } from "../duration.ts"
import type { Options } from "../option.ts"
import { printJson } from "../output/plan-json.ts"
import { type Cell, tableLines } from "../output/table.ts"
import { rootOption, storeOf } from "../place.ts"
import { reporter } from "../plans.ts"

const options = {
  own: { type: "boolean", about: "only plans kept by Headway itself" },
  all: { type: "boolean", about: "also old sessions that never had a plan" },
  root: rootOption,
} as const satisfies Options

type ListContext = Context<typeof options>

export const list = defineCommand({
  usage: "list [--own] [--all] [--root DIR]",
  about:
    "Lists all plans known here, Headway's own and those of every agent: state, progress, age, what is being done.",
  options,
  examples: ["headway list", "headway list --json", "headway list --root ~/.claude"],
  run: async (context) => printList(context, await storeOf(context)),
})

const printList = async (context: ListContext, store: Store): Promise<number> => {
  const { io, values } = context
  const sessions = values.own ? [] : await seenSessions(context)
  // Under another root the lists of agents we know are theirs; of others they are all there is.
  const plans = values.root !== undefined && sessions.length > 0 ? [] : await keptPlans(context, store)
  if (values.json) {
    io.out(printJson(await joined(context, { plans, sessions, store })))
    return 0
  }
  if (plans.length + sessions.length === 0) {
    io.err('headway: no plans yet. Begin one with "headway write", or see "headway demo".\n')
    return 0
  }
  if (sessions.length === 0) {
    const columns = io.columns ?? Number.POSITIVE_INFINITY
    const now = io.now()
    const rows = plans.map((plan) => cells(plan, now))
    io.out(tableLines([head, ...rows], columns, values.ascii === true))
    return 0
  }
  const { printSessions } = await import("../output/session-table.ts")
  printSessions(context, await joined(context, { plans, sessions, store }))
  return 0
}

const keptPlans = async (context: Context, store: Store): Promise<PlanSummary[]> => {
  const { plans, problems } = await store.list()
  problems.forEach(reporter(context))
  return plans
}

const seenSessions = async (context: ListContext): Promise<DiscoveredSession[]> => {
  const { sessionsHere } = await import("../sessions-here.ts")
  return sessionsHere(context)
}

type Listing = { plans: readonly PlanSummary[]; sessions: readonly DiscoveredSession[]; store: Store }

const joined = async (context: ListContext, listing: Listing): Promise<JoinedSession[]> => {
  const { plans, sessions } = listing
  const now = context.io.now()
  // What is under another root is only looked at.
  if (context.values.root !== undefined)
    return listSessions(plans, sessions, now).map((one) => ({ ...one, isOwn: false }))
  if (sessions.length === 0) return listSessions(plans, sessions, now)
  const { plansInStep } = await import("../sessions-here.ts")
  return listSessions(await plansInStep(context, listing), sessions, now)
}

const head = ["SESSION", "AGENT", "PROJECT", "DONE", "AGE", "NOW"]

const cells = (
  { session, agent, project, progress, updated, current, isFinished, todos }: PlanSummary,
  now: Date,
): Cell[] => [
  session,
  agent,
  project === undefined ? "-" : projectName(project),
  `${progress.completed}/${progress.total}`,
  { text: ageText(updated, now), style: dim },
  current ?? { text: isFinished && todos > 0 ? "finished" : "-", style: dim },
]

const dim = { dim: true }
