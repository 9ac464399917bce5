/** Markdown checklists in phases, as people edit them and many agents write them. */
import { defaultRules, error, limits, type Problem, todoStatuses } from "../plan/index.ts"
import { isRecord } from "../plan/log/shape.ts"
import { escapeForModel } from "../views/index.ts"
import { expressible } from "./_expressible.ts"
import { answer, decodeItems } from "./_whole-list.ts"
import { oneCall } from "./_within-limits.ts"
import { isChecklist, printChecklist } from "./checklist.ts"
import { readChecklistPlan } from "./checklist-plan.ts"
import type { Carries, Dialect } from "./dialect.ts"
import { tooLong } from "./reading/read.ts"

const example = "# Release\n- [x] Run the tests\n- [/] Write the notes\n- [ ] Publish"

const notAChecklist = error(
  "unreadable",
  `The input is not a markdown checklist, so nothing was changed. A valid input is: ${JSON.stringify(example)}`,
)

const carries: Carries = {
  statuses: todoStatuses,
  fields: ["phase", "notes", "reason", "waitsFor"],
  duplicates: true,
  emptyPhases: true,
}

export const markdown: Dialect<undefined> = {
  id: "markdown",
  title: "Markdown checklist",
  toolNames: ["markdown"],
  tools: [],
  rules: defaultRules,
  wholeList: true,
  carries,
  decode(call, plan, ledger) {
    const text = textOf(call.input)
    if (text?.trim() === "") return { events: [], problems: [], reads: true }
    if (text !== undefined && text.length > limits.input)
      return { events: [], problems: [tooLong(text), notAChecklist] }
    const problems: Problem[] = []
    const { items, phases, ignored } = readChecklistPlan(text ?? "", problems)
    // Headings alone are a plan without todos, but headings above prose are another text.
    if (items.length === 0 && (phases.length === 0 || ignored.length > 0)) {
      return { events: [], problems: [notAChecklist] }
    }
    const decoded = decodeItems(items, plan, ledger, { rules: defaultRules, phases })
    return { ...decoded, problems: [...problems, ...decoded.problems] }
  },
  reply: (outcome) => ({
    text: answer(outcome, ({ after }) => escapeForModel(printChecklist(after)) || "No todos."),
    data: undefined,
  }),
  encode: (plan, problems) => {
    const todos = expressible(plan, carries, { ...defaultRules, ...oneCall }, problems)
    const used = new Set(todos.flatMap(({ phase }) => phase ?? []))
    const room = limits.phases - used.size
    // Phases without todos get the remaining room.
    const empty = new Set(plan.phases.filter((name) => !used.has(name)).slice(0, room))
    const phases = plan.phases.filter((name) => used.has(name) || empty.has(name))
    return [{ tool: "markdown", input: printChecklist({ todos, phases }) }]
  },
}

const textOf = (input: unknown): string | undefined => {
  if (typeof input === "string") return input
  if (input === undefined || input === null) return ""
  const texts = isRecord(input) ? Object.values(input).filter((value) => typeof value === "string") : []
  return texts.find(isChecklist) ?? texts[0]
}
