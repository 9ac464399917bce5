/** `headway show`: one plan, in the format a person or a program wants. */
import { printChecklist } from "../../dialects/_checklist.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { panelText, planText, todosText, treeText, type ViewOptions } from "../../views/index.ts"
import { paintTodos, wantsColour } from "../colour.ts"
import type { Command } from "../command.ts"
import { findPlanToShow, type Shown } from "../named-plan.ts"
import { planJson, printJson } from "../plan-json.ts"
import { noPlan } from "../plans.ts"

type Format = (shown: Shown, options: ViewOptions) => string

const formats: Record<string, Format> = {
  text: ({ plan }, options) => todosText(plan, options),
  panel: ({ plan }, options) => panelText(plan, options),
  tree: ({ plan }, options) => treeText(plan, options),
  plan: ({ plan, key }, options) => planText(plan, key.agent, options),
  markdown: ({ plan }) => printChecklist(plan),
  json: ({ plan, key }) => printJson(planJson(key, plan)),
}

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
    const options = { width, ascii: values.ascii === true }
    const text = format(shown, options)
    if (name === "text" && wantsColour(context)) io.out(paintTodos(text, shown.plan, options))
    else io.out(text.endsWith("\n") || text === "" ? text : `${text}\n`)
    return 0
  },
}
