/** `headway show`: one plan, in the format a person or a program wants. */
import { type ChecklistRow, checklistRows } from "../../dialects/_checklist.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { type Line, panelLines, planLines, todosLines, treeLines, type ViewOptions } from "../../views/index.ts"
import { textStyles } from "../../views/status-styles.ts"
import type { Command } from "../command.ts"
import { findPlanToShow, type Shown } from "../named-plan.ts"
import { planJson, printJson } from "../plan-json.ts"
import { noPlan } from "../plans.ts"

type Format = (shown: Shown, options: ViewOptions) => Line[] | string

const formats: Record<string, Format> = {
  text: ({ plan }, options) => todosLines(plan, options),
  panel: ({ plan }, options) => panelLines(plan, options),
  tree: ({ plan }, options) => treeLines(plan, options),
  plan: ({ plan, key }, options) => planLines(plan, key.agent, options),
  markdown: ({ plan }) => checklistRows(plan).map(markdownLine),
  json: ({ plan, key }) => printJson(planJson(key, plan)),
}

const markdownLine = ({ text, status, isHeading }: ChecklistRow): Line => [
  { text, style: isHeading ? { bold: true } : status && textStyles[status] },
]

const names = Object.keys(formats).join("|")

export const show: Command = {
  usage: `show [--format ${names}]`,
  about: "Shows one plan: the one named by --session, ours or another agent's, or the newest of this project.",
  options: {
    format: { type: "string", short: "f", value: names, about: "how to print it (default text)" },
    root: { type: "string", value: "DIR", about: "only under DIR: a person's home or an agent's folder, read-only" },
    width: { type: "string", value: "COLUMNS", about: "the width to print for (default the terminal's, or 80)" },
  },
  examples: ["headway show", "headway show --format tree --session my-session", "headway show --json | jq .progress"],
  async run(context) {
    const { io, values } = context
    const name = values.json ? "json" : typeof values.format === "string" ? values.format : "text"
    const format = Object.hasOwn(formats, name) ? formats[name] : undefined
    if (!format)
      throw new HeadwayError(
        "unknown-format",
        `There is no format "${name}". The formats are: ${names.replaceAll("|", ", ")}.`,
      )
    const width = values.width === undefined ? (io.columns ?? 80) : Number(values.width)
    if (!Number.isInteger(width) || width < 1)
      throw new HeadwayError("usage", `--width wants a number of columns, not "${values.width}".`)
    const shown = await findPlanToShow(context)
    if (!shown) throw noPlan(context)
    io.out(format(shown, { width, ascii: values.ascii === true }))
    await shown.close?.()
    return 0
  },
}
