/** The line being typed at the bottom of the board: its purpose, its text, and its caret. */
import { limits } from "../../plan/limits.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { Plan } from "../../plan/todo.ts"
import { cutLine } from "../text/line-layout.ts"
import type { Line } from "../text/span.ts"
import { cut, graphemesOf, widthOf } from "../text/width.ts"
import type { BoardGlyphs } from "./glyphs.ts"
import type { TodoRef } from "./plan.ts"

/**
 * What the line is for. Its session and todo are fixed when the prompt opens, whatever is selected or changes later.
 */
export type PromptPurpose =
  | { kind: "filter"; pane: "sessions" | "plan" }
  | ({ kind: "add"; session: string; after?: string | undefined } & SeenPlan)
  | ({ kind: "drop" | "block" | "note" | "reword" } & TodoRef & SeenPlan)
  | ({ kind: "rename"; session: string } & SeenPlan)

/** The plan that was visible when the line was requested, and the line's initial text. */
type SeenPlan = { seen?: Plan | undefined; text?: string | undefined }

export type BoardPrompt = PromptPurpose & {
  text: string
  /** How many characters are before the caret. */
  at: number
}

export type PromptChange =
  | { type: "insert"; text: string }
  | { type: "erase"; what: "character" | "word" | "all" }
  | { type: "caret"; to: "left" | "right" | "start" | "end" }

/** One more than a text may have, so that a longer paste is refused when it is entered instead of being cut. */
const longest = limits.content + 1

export const changedPrompt = <Prompt extends { text: string; at: number }>(
  prompt: Prompt,
  change: PromptChange,
): Prompt => {
  const before = prompt.text.slice(0, prompt.at)
  const after = prompt.text.slice(prompt.at)
  if (change.type === "insert") {
    const added = oneLine(change.text).slice(0, Math.max(0, longest - prompt.text.length))
    // The cut may have split a surrogate pair, and the insertion may have joined two halves.
    const start = (before + added).toWellFormed()
    return { ...prompt, text: (start + after).toWellFormed(), at: start.length }
  }
  if (change.type === "erase") {
    const start = change.what === "all" ? "" : change.what === "word" ? withoutWord(before) : withoutLast(before)
    return { ...prompt, text: start + after, at: start.length }
  }
  return { ...prompt, at: caretAt(change.to, before, after, prompt.text) }
}

/** `Add: Fix the log▏in`, with the text around the caret visible however long it is. */
export const promptLine = (prompt: BoardPrompt, width: number, glyphs: BoardGlyphs): Line => {
  const label = ` ${promptLabels[prompt.kind]} `
  const room = Math.max(1, width - widthOf(label) - widthOf(glyphs.caret))
  const [start, end] = [prompt.text.slice(0, prompt.at), prompt.text.slice(prompt.at)]
  const before = lastColumns(start, end === "" ? room : Math.ceil(room * 0.7))
  const after = cut(end, room - widthOf(before), glyphs.ellipsis)
  const line: Line = [
    { text: label, style: { bold: true } },
    { text: before },
    { text: glyphs.caret, style: { bold: true } },
    { text: after },
  ]
  return cutLine(line, width, glyphs.ellipsis)
}

/** The label before the line. */
export const promptLabels: Readonly<Record<BoardPrompt["kind"], string>> = {
  filter: "Filter:",
  add: "Add:",
  drop: "Drop, because (optional):",
  block: "Blocked by (optional):",
  note: "Note:",
  reword: "Reword:",
  rename: "New title (empty: the agent's own title):",
}

/** Typed or pasted text as one safe line. Spaces at its ends stay, because words are typed letter by letter. */
export const oneLine = (text: string): string => {
  const safe = sanitise(text)
  if (safe === "") return /^\s+$/.test(text) ? " " : ""
  return `${/^\s/.test(text) ? " " : ""}${safe}${/\s$/.test(text) ? " " : ""}`
}

const withoutLast = (text: string): string => text.slice(0, text.length - (lastGrapheme(text)?.length ?? 0))

/**
 * The text without its last word. Searches from the end, because a regular expression would be slow for a long word.
 */
const withoutWord = (text: string): string => {
  let end = text.trimEnd().length
  while (end > 0 && /\S/.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

const caretAt = (to: "left" | "right" | "start" | "end", before: string, after: string, text: string): number => {
  if (to === "start") return 0
  if (to === "end") return text.length
  if (to === "left") return withoutLast(before).length
  const [next] = graphemesOf(after)
  return before.length + (next?.grapheme.length ?? 0)
}

const lastGrapheme = (text: string): string | undefined => {
  let last: string | undefined
  for (const { grapheme } of graphemesOf(text)) last = grapheme
  return last
}

/** As much of the end of a text as fits. */
const lastColumns = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text
  const graphemes = [...graphemesOf(text)].map(({ grapheme }) => grapheme)
  let columns = 0
  let from = graphemes.length
  while (from > 0) {
    columns += widthOf(graphemes[from - 1] ?? "")
    if (columns > width) break
    from -= 1
  }
  return graphemes.slice(from).join("")
}
