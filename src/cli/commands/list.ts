/** `headway list`: all plans known here, ours and those in other agents' sessions, the newest first. */
import type { PlanSummary } from "../../stores/store.ts"
import type { Command, Context } from "../command.ts"
import { ageText } from "../duration.ts"
import type { ForeignSession } from "../foreign.ts"
import { type Listed, listedAll, nameOf } from "../listed.ts"
import { storeOf } from "../place.ts"
import { printJson } from "../plan-json.ts"
import { reporter } from "../plans.ts"
import { projectName } from "../project.ts"
import { type Cell, tableLines } from "../table.ts"

export const list: Command = {
  usage: "list [--own] [--all] [--root DIR]",
  about:
    "Lists all plans known here, Headway's own and those of every agent: state, progress, age, what is being done.",
  options: {
    own: { type: "boolean", about: "only plans kept by Headway itself" },
    all: { type: "boolean", about: "also old sessions that never had a plan" },
    root: { type: "string", value: "DIR", about: "only under DIR: a person's home or an agent's folder, read-only" },
  },
  examples: ["headway list", "headway list --json", "headway list --root ~/.claude"],
  async run(context) {
    const { io, values } = context
    const foreign = values.own ? [] : await othersSessions(context)
    // Under another root the lists of agents we know are theirs; of others they are all there is.
    const own = values.root !== undefined && foreign.length > 0 ? [] : await ownPlans(context)
    if (values.json) {
      io.out(printJson(await together(own, foreign, context)))
      return 0
    }
    if (own.length + foreign.length === 0) {
      io.err('headway: no plans yet. Begin one with "headway write", or see "headway demo".\n')
      return 0
    }
    if (foreign.length === 0) {
      const columns = io.columns ?? Number.POSITIVE_INFINITY
      const rows = own.toSorted(byTime).map((plan) => cells(plan, io.now()))
      io.out(tableLines([head, ...rows], columns, values.ascii === true))
      return 0
    }
    const { printSessions } = await import("../session-table.ts")
    printSessions(context, await together(own, foreign, context))
    return 0
  },
}

const byTime = (one: PlanSummary, other: PlanSummary): number => (one.updated < other.updated ? 1 : -1)

const ownPlans = async (context: Context): Promise<PlanSummary[]> => {
  const { plans, problems } = await (await storeOf(context)).list()
  problems.forEach(reporter(context))
  return plans
}

const together = async (
  own: readonly PlanSummary[],
  foreign: readonly ForeignSession[],
  context: Context,
): Promise<Listed[]> => {
  const now = context.io.now()
  if (context.values.root !== undefined) return listedAll(own, foreign, now).map((one) => ({ ...one, isOwn: false }))
  const seen = new Set(foreign.map(nameOf))
  if (!own.some((plan) => seen.has(nameOf(plan)))) return listedAll(own, foreign, now)
  const { inStep } = await import("../kept-sessions.ts")
  return listedAll(await inStep(context, own, foreign), foreign, now)
}

const othersSessions = async (context: Context): Promise<ForeignSession[]> => {
  const { foreignSessions } = await import("../foreign.ts")
  return foreignSessions(context)
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
  { text: ageText(updated, now), style: { dim: true } },
  current ?? { text: isFinished && todos > 0 ? "finished" : "-", style: { dim: true } },
]
