/** `headway show`: one plan, in the format a person or a program wants. */
import { type ChecklistRow, checklistRows } from "../../dialects/checklist.ts"
import type { Evidence } from "../../evidence/index.ts"
import type { Entry } from "../../plan/event.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
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
import { contradictedIn, doubtText, markAppearances } from "../../views/plan/evidence-marks.ts"
import { textStyles } from "../../views/plan/status-styles.ts"
import { wrap } from "../../views/text/wrap.ts"
import { untoldChangesIn } from "../../views/when-told.ts"
import type { ShownMarks } from "../check/plan-marks.ts"
import { noPlan } from "../choose/plans.ts"
import { findPlanToShow, type Shown } from "../choose/shown-plan.ts"
import { withSessionWord } from "../choose/target.ts"
import { type Context, defineCommand } from "../command.ts"
import { forModelOption, toModel } from "../output/for-model.ts"
import { planJson, printJson } from "../output/plan-json.ts"
import { homeOf, type RootedContext, rootOption } from "../place/place.ts"

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

/** Shows which of a person's changes the agent does not know yet, and whether it will be told. */
const toldOf = async (context: Context, { key, plan, ledger, seen }: Shown) => {
  if (ledger?.opened?.agentType === undefined) return {}
  if (ledger.untold.size + ledger.refused.size === 0) return { told: true }
  const { whenToldIn } = await import("../edit/when-told.ts")
  const hears = whenToldIn(homeOf(context))({ key, ledger }, seen?.state)?.when
  return { told: ledger.untold.size === 0, hears, ...untoldChangesIn(ledger, plan) }
}

/** Evidence signs next to done todos, if they are cheap: for most plans nothing more is loaded. */
const marksFor = async (context: RootedContext, shown: Shown): Promise<ShownMarks | undefined> => {
  if (!shown.plan.todos.some(({ status }) => status === "completed")) return undefined
  const entries = await checkedEntries(shown)
  if (!shown.seen && entries.length === 0) return undefined
  const { marksOfShown } = await import("../check/plan-marks.ts")
  return marksOfShown(context, shown, entries)
}

/** Of a longer log it is not looked up for every showing what was checked. */
const mostEntries = 1_000

/** The log of a plan of which Headway has checked something; none of any other. */
const checkedEntries = async ({ ledger, entries }: Shown): Promise<Entry[]> => {
  if (!entries || (ledger?.entries ?? 0) > mostEntries) return []
  const all = await entries()
  return all.some(({ events }) => events.some(({ type }) => type === "check-ran")) ? all : []
}

/** In words what a sign alone might not say. */
const doubtLines = ({ marks, failures }: ShownMarks, { width = 80 }: ViewOptions): Line[] => {
  const count = contradictedIn(marks)
  const doubts = count === 0 ? [] : [`${doubtText(count)} The last check failed: see "headway evidence".`]
  const texts = [...doubts, ...failures]
  if (texts.length === 0) return []
  const { style } = markAppearances.contradicted
  return [[], ...texts.flatMap((text) => wrap(text, width).lines.map((line): Line => [{ text: line, style }]))]
}

/** The evidence for its todos, if available. Read only on request. */
const evidenceOf = async (
  context: Context,
  { key, plan, seen, entries, ledger }: Shown,
): Promise<Evidence | undefined> => {
  const { evidenceOfPlanHere } = await import("../check/plan-evidence.ts")
  const { sessionsHere } = await import("../choose/sessions-here.ts")
  const all = seen ? await sessionsHere(context) : []
  return evidenceOfPlanHere(context, { key, plan, seen, all, ledger, entries: entries ? await entries() : [] })
}

const showEvidence = async (context: Context, shown: Shown): Promise<number> => {
  const { io, values } = context
  const evidence = await evidenceOf(context, shown)
  if (!evidence) throw new HeadwayError("no-evidence", "There is no record of what was done in this session.")
  const { evidenceLines } = await import("../output/evidence-lines.ts")
  io.out(evidenceLines(evidence, { columns: io.columns ?? 80, ascii: values.ascii === true }))
  return 0
}

/** In columns. Ours are numbers; another agent may call its todos whatever it likes. */
const longestId = 12

export const show = defineCommand({
  usage: `show [SESSION] [--format ${formatNames.join("|")}]`,
  about: `Shows one plan, kept by Headway or by another agent. SESSION is an id, the beginning of one, or words of a title; without it,
the plan is that of this project's newest session. The number before each todo is its id for "headway todo".

  ☐ ○ ⭕   pending
  ▶        in progress
  ⊘ ⛔     blocked
  ☒ ✓ ✅   completed
  ✗ ❌     cancelled

A sign before a done todo shows the evidence for it, if known (--evidence shows more, and reads large sessions too):

  ✓   verified: a check that you set has passed
  ~   was verified, and files have changed since
  +   backed: a check of the agent passed after its last edit
  ?   unchecked: edited, and no check passed since
  !   contradicted: the last check failed
  ·   neither an edit nor a check was found
  →   given to a sub-agent

None of these proves that the work is right.`,
  maxWords: Number.POSITIVE_INFINITY,
  options: {
    format: { type: "choice", of: formatNames, short: "f", about: "how to print it (default text)" },
    root: rootOption,
    "for-model": forModelOption,
    evidence: {
      type: "boolean",
      about: "show the evidence for each done todo (--json always includes it)",
    },
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
      const evidence = await evidenceOf(context, shown)
      const told = await toldOf(context, shown)
      io.out(printJson({ ...planJson(shown.key, shown.plan, shown.title), ...told, ...(evidence ? { evidence } : {}) }))
      return 0
    }
    if (values.evidence) return showEvidence(context, shown)
    const width = values.width ?? io.columns ?? 80
    const ids = shown.plan.todos.map(({ id }) => widthOf(sanitise(id)))
    const idWidth = ids.reduce((widest, one) => Math.min(Math.max(widest, one), longestId), 0)
    const marked = hasHeading(context, format) ? await marksFor(context, shown) : undefined
    const options = { width, ascii: values.ascii === true, idWidth, marks: marked?.marks }
    io.out([
      ...(hasHeading(context, format) ? headingOf(shown, options) : []),
      ...formats[format](shown, options),
      ...(marked ? doubtLines(marked, options) : []),
    ])
    return 0
  },
})
