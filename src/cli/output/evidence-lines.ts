/** The evidence of a session as lines for a person. */
import type { Evidence, TodoEvidence } from "../../evidence/index.ts"
import { listSentence, sentencesOf } from "../../evidence/sentences.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { Line } from "../../views/index.ts"
import { type DoneMark, labelOf, markAppearance, signOf } from "../../views/plan/evidence-marks.ts"
import { wrapLine } from "./wrap.ts"

export type EvidenceLayout = { columns: number; ascii: boolean }

export const evidenceLines = (evidence: Evidence, { columns, ascii }: EvidenceLayout): Line[] => [
  ...evidence.todos.flatMap((todo) => todoLines(todo, { columns, ascii })),
  ...evidence.list.dropped.flatMap(({ content }) =>
    wrapLine(
      [{ text: `- ${sanitise(content)} ` }, { text: "dropped without explanation", style: { dim: true } }],
      columns,
      "  ",
    ),
  ),
  ...wrapLine([{ text: `${listSentence(evidence)}.`, style: { dim: true } }], columns),
]

const todoLines = (todo: TodoEvidence, { columns, ascii }: EvidenceLayout): Line[] => {
  const { status, content } = todo
  const isDone = status === "completed"
  const mark = markOf(todo)
  const sign = isDone ? signOf(mark, ascii) : " "
  const style = isDone ? markAppearance(mark).style : { dim: true }
  const heading: Line = [
    { text: `${sign} `, style },
    { text: `${sanitise(content)} ` },
    { text: `(${isDone ? labelOf(mark) : status.replace("_", " ")})`, style },
  ]
  const details = isDone || status === "in_progress" ? sentencesOf(todo) : []
  return [
    ...wrapLine(heading, columns, "  "),
    ...details.flatMap((text) => wrapLine([{ text: `    ${text}`, style: { dim: true } }], columns, "    ")),
  ]
}

const markOf = ({ word, isStale, facts }: TodoEvidence): Omit<DoneMark, "sentences"> => ({
  word,
  ...(isStale ? { isStale } : {}),
  ...(facts.expectsNoEdit && facts.toolUses > 0 ? { expectsNoEdit: true } : {}),
})

/** How many completions fall under each word, for one line per session. */
export const wordCounts = ({ todos }: Evidence): Partial<Record<TodoEvidence["word"], number>> => {
  const counts: Partial<Record<TodoEvidence["word"], number>> = {}
  for (const { status, word } of todos) if (status === "completed") counts[word] = (counts[word] ?? 0) + 1
  return counts
}
