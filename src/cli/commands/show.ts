/** `headway show`: one plan, in the format a person or a program wants. */
import { type ChecklistRow, checklistRows } from "../../dialects/checklist.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import { unheardIn } from "../../views/hearing.ts"
import {
  cut,
  type Line,
  panelLines,
  planLines,
  todosLines,
  treeLines,
  type ViewOptions,
  widthOf,
} from "../../views/index.ts"
import { textStyles } from "../../views/status-styles.ts"
import { type Context, defineCommand } from "../command.ts"
import { findPlanToShow, type Shown } from "../named-plan.ts"
import { forModelOption, toModel } from "../output/for-model.ts"
import { planJson, printJson } from "../output/plan-json.ts"
import { homeOf, rootOption } from "../place.ts"
import { noPlan } from "../plans.ts"
import { withSessionWord } from "../target.ts"

type Format = (shown: Shown, options: ViewOptions) => Line[]

const formatNames = ["text", "panel", "tree", "plan", "markdown", "json"] as const

const formats: Record<Exclude<(typeof formatNames)[number], "json">, Format> = {
  text: ({ plan }, options) => todosLines(plan, { ...options, isDetailed: true }),
  panel: ({ plan }, options) => panelLines(plan, options),
  tree: ({ plan }, options) => treeLines(plan, options),
  plan: ({ plan, key }, options) => planLines(plan, key.agent, options),
  markdown: ({ plan }) => checklistRows(plan).map(markdownLine),
}

const markdownLine = ({ text, status, isHeading }: ChecklistRow): Line => [
  { text, style: isHeading ? { bold: true } : status && textStyles[status] },
]

/** A checklist is for other programs, and a model knows what its session is about. */
const hasHeading = ({ values }: { values: { "for-model"?: boolean | undefined } }, format: string): boolean =>
  format !== "markdown" && !values["for-model"]

const headingOf = ({ title }: Shown, { width = 80, ascii }: ViewOptions): Line[] =>
  title === undefined ? [] : [[{ text: cut(sanitise(title), width, ascii ? "~" : "…"), style: { bold: true } }]]

/** Whether the agent knows of all that a person changed; if not, what it does not know, and whether it will. */
const toldOf = async (context: Context, { key, plan, ledger }: Shown) => {
  if (ledger?.opened?.agentType === undefined) return {}
  if (ledger.untold.size + ledger.refused.size === 0) return { told: true }
  const { hearingIn } = await import("../edit/hearing.ts")
  const hears = hearingIn(homeOf(context))({ key, ledger })?.when
  return { told: ledger.untold.size === 0, hears, ...unheardIn(ledger, plan) }
}

/** In columns. Ours are numbers; another agent may call its todos whatever it likes. */
const longestId = 12

export const show = defineCommand({
  usage: `show [SESSION] [--format ${formatNames.join("|")}]`,
  about: `Shows one plan, ours or another agent's: that of SESSION, which is an id, the beginning of one, or words of a title, or that of
this project's newest session. In front of each todo is the id by which "headway todo" knows it.

  ☐ ○ ⭕   pending
  ▶        in progress
  ⊘ ⛔     blocked
  ☒ ✓ ✅   completed
  ✗ ❌     cancelled`,
  maxWords: Number.POSITIVE_INFINITY,
  options: {
    format: { type: "choice", of: formatNames, short: "f", about: "how to print it (default text)" },
    root: rootOption,
    "for-model": forModelOption,
    width: {
      type: "number",
      value: "COLUMNS",
      from: 1,
      about: "the width to print for (default the terminal's, or 80)",
    },
  },
  examples: [
    "headway show",
    "headway show login form --format tree",
    "headway show f53816a2",
    "headway show --json | jq .progress",
  ],
  async run(given) {
    const context = withSessionWord(toModel(given))
    const { io, values } = context
    const format = values.json ? "json" : (values.format ?? "text")
    const shown = await findPlanToShow(context)
    if (!shown) throw noPlan(context)
    if (format === "json") {
      io.out(printJson({ ...planJson(shown.key, shown.plan, shown.title), ...(await toldOf(context, shown)) }))
      return 0
    }
    const width = values.width ?? io.columns ?? 80
    const ids = shown.plan.todos.map(({ id }) => widthOf(sanitise(id)))
    const idWidth = ids.reduce((widest, one) => Math.min(Math.max(widest, one), longestId), 0)
    const options = { width, ascii: values.ascii === true, idWidth }
    io.out([...(hasHeading(context, format) ? headingOf(shown, options) : []), ...formats[format](shown, options)])
    return 0
  },
})
