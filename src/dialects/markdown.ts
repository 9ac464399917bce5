/** Markdown checklists in phases, as people edit them and as many agents write them: the widest way in and out. */
import { defaultRules, error, sanitise, sanitiseBlock, todoStatuses, type Wanted } from "../plan/index.ts"
import { type ChecklistItem, houseMarks, isChecklist, printChecklist, readChecklist } from "./_checklist.ts"
import { isObject } from "./_items.ts"
import { answer, decodeItems } from "./_whole-list.ts"
import type { Dialect } from "./dialect.ts"

const example = "# Release\n- [x] Run the tests\n- [/] Write the notes\n- [ ] Publish"

export const markdown: Dialect = {
  id: "markdown",
  title: "Markdown checklist",
  toolNames: ["markdown"],
  tools: [],
  rules: defaultRules,
  wholeList: true,
  carries: {
    statuses: todoStatuses,
    fields: ["phase", "notes", "reason", "waitsFor"],
    duplicates: true,
    emptyPhases: true,
  },
  decode(call, plan, ledger) {
    const text = textOf(call.input)
    if (text === undefined || (text.trim() !== "" && !hasPlan(text))) {
      const message = `The input is no markdown checklist and nothing was changed. A valid input is: ${JSON.stringify(example)}`
      return { events: [], problems: [error("unreadable", message)] }
    }
    if (text.trim() === "") return { events: [], problems: [], reads: true }
    const { items, phases } = readChecklist(text, houseMarks)
    const options = { rules: defaultRules, phases: phases.map(sanitise) }
    return decodeItems(items.flatMap(wantedFrom), plan, ledger, options)
  },
  reply: (outcome) => ({ text: answer(outcome, ({ after }) => printChecklist(after)) }),
  encode: (plan) => [{ tool: "markdown", input: printChecklist(plan) }],
}

const hasPlan = (text: string): boolean => isChecklist(text) || /^#+\s+\S/m.test(text)

const textOf = (input: unknown): string | undefined => {
  if (typeof input === "string") return input
  if (input === undefined || input === null) return ""
  return isObject(input) ? Object.values(input).find((value) => typeof value === "string") : undefined
}

/** A checklist item as the kernel wants it; one without text says nothing. */
export const wantedFrom = ({ rawMark: _, droppedBy: __, ...item }: ChecklistItem): Wanted[] => {
  const content = sanitise(item.content)
  if (content === "") return []
  const wanted: Wanted = { ...item, content }
  if (item.phase !== undefined) wanted.phase = sanitise(item.phase)
  if (item.notes) wanted.notes = item.notes.map(sanitiseBlock).filter((note) => note !== "")
  if (item.reason !== undefined) wanted.reason = sanitiseBlock(item.reason)
  if (item.waitsFor !== undefined) wanted.waitsFor = sanitise(item.waitsFor)
  return [wanted]
}
