/** `headway list`: all plans known here, the newest first. */
import type { PlanSummary } from "../../stores/store.ts"
import { cut, pad, widthOf } from "../../views/index.ts"
import type { Command } from "../command.ts"
import { printJson } from "../plan-json.ts"
import { reporter, storeOf } from "../plans.ts"
import { projectName } from "../project.ts"

export const list: Command = {
  usage: "list",
  about: "Lists all plans known here: session, agent, project, progress, age and what is being done.",
  options: {},
  examples: ["headway list", "headway list --json"],
  async run(context) {
    const { io, values } = context
    const { plans, problems } = await (await storeOf(context)).list()
    problems.forEach(reporter(context))
    plans.sort((one, other) => other.updated.localeCompare(one.updated))
    if (values.json) {
      io.out(printJson(plans))
      return 0
    }
    if (plans.length === 0) {
      io.err('headway: no plans yet. Begin one with "headway write", or see "headway demo".\n')
      return 0
    }
    io.out(
      table(
        plans.map((plan) => cells(plan, io.now())),
        io.columns ?? Number.POSITIVE_INFINITY,
        values.ascii === true,
      ),
    )
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
  ageOf(updated, now),
  current ?? (isFinished ? "finished" : "-"),
]

/** How long ago, in the largest unit that fits. */
export const ageOf = (at: string, now: Date): string => {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / 1000))
  if (Number.isNaN(seconds)) return "-"
  const units: [number, string][] = [
    [86_400, "d"],
    [3_600, "h"],
    [60, "m"],
  ]
  const [size, unit] = units.find(([size]) => seconds >= size) ?? [1, "s"]
  return `${Math.floor(seconds / size)}${unit}`
}

/** Columns as wide as they need, the longest ones cut until a row fits the screen. */
const table = (rows: string[][], columns: number, ascii: boolean): string => {
  const all = [head, ...rows].map((row) => row.map((cell) => cut(cell, Number.POSITIVE_INFINITY)))
  const widths = head.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ""))))
  const gap = 2
  const total = (): number => widths.reduce((sum, width) => sum + width + gap, -gap)
  while (total() > columns && Math.max(...widths) > 3)
    widths[widths.indexOf(Math.max(...widths))] = Math.max(...widths) - 1
  const line = (row: string[]): string =>
    row
      .map((cell, column) => pad(cut(cell, widths[column] ?? 0, ascii ? "~" : "…"), widths[column] ?? 0))
      .join(" ".repeat(gap))
      .trimEnd()
  return `${all.map(line).join("\n")}\n`
}
