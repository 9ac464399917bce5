/** `headway list`: all plans known here, the newest first. */
import type { PlanSummary } from "../../stores/store.ts"
import type { Command } from "../command.ts"
import { ageText } from "../duration.ts"
import { printJson } from "../plan-json.ts"
import { reporter, storeOf } from "../plans.ts"
import { projectName } from "../project.ts"
import { tableText } from "../table.ts"

export const list: Command = {
  usage: "list [--root DIR]",
  about: "Lists all plans known here: session, agent, project, progress, age and what is being done.",
  options: { root: { type: "string", value: "DIR", about: "lists of another program, DIR/todos/*.json, read-only" } },
  examples: ["headway list", "headway list --json", "headway list --root ~/.claude"],
  async run(context) {
    const { io, values } = context
    const { plans, problems } = await (await storeOf(context)).list()
    problems.forEach(reporter(context))
    plans.sort((one, other) => (one.updated < other.updated ? 1 : -1))
    if (values.json) {
      io.out(printJson(plans))
      return 0
    }
    if (plans.length === 0) {
      io.err('headway: no plans yet. Begin one with "headway write", or see "headway demo".\n')
      return 0
    }
    const rows = [head, ...plans.map((plan) => cells(plan, io.now()))]
    io.out(tableText(rows, io.columns ?? Number.POSITIVE_INFINITY, values.ascii === true))
    return 0
  },
}

const head = ["SESSION", "AGENT", "PROJECT", "DONE", "AGE", "NOW"]

const cells = (
  { session, agent, project, progress, updated, current, isFinished }: PlanSummary,
  now: Date,
): string[] => [
  session,
  agent,
  project === undefined ? "-" : projectName(project),
  `${progress.completed}/${progress.total}`,
  ageText(updated, now),
  current ?? (isFinished ? "finished" : "-"),
]
