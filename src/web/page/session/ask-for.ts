/** The prompt before an edit, with the same labels as the terminal board. */
import { promptLabels } from "../../../views/board/prompt.ts"
import type { Prompt } from "../parts/prompts.ts"

export type AskedEdit = "add" | "drop" | "block" | "note" | "answer"

export const askFor = (kind: AskedEdit, answer: (text: string) => void): Prompt => ({
  label: kind === "answer" ? "Answer, and continue with it:" : promptLabels[kind],
  text: "",
  does: verbs[kind],
  mayBeEmpty: kind === "drop" || kind === "block",
  answer,
})

const verbs: Readonly<Record<AskedEdit, string>> = {
  add: "Add",
  drop: "Drop",
  block: "Block",
  note: "Note",
  answer: "Answer",
}
