/** The spinner of a working agent: what is being done, the list below it, and what comes next. */

import { activeTodo, nextTodo } from "../../plan/progress.ts"
import { activeFormOf } from "../../plan/text/active-form.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import { clockText, tokensText } from "../text/elapsed.ts"
import { indented, type Line, plainText, type Style } from "../text/span.ts"
import { widthOf } from "../text/width.ts"
import { indentedListIn } from "./list.ts"
import { fitted, indentIn, type Layout, layoutOf, narrowed, type Todos, type ViewOptions } from "./row.ts"
import { lowered } from "./window.ts"

export type SpinnerOptions = ViewOptions & {
  /** Shown instead of the todo in progress. */
  message?: string | undefined
  /** Shown if no todo is in progress. @default "Working" */
  word?: string | undefined
  /** Shown if nothing is pending; without it, nothing is shown. */
  tip?: string | undefined
  /** Show the list. @default false */
  isExpanded?: boolean | undefined
  /** How often the glyph has turned. @default 0 */
  tick?: number | undefined
  /** How long the work has taken, in milliseconds. */
  elapsed?: number | undefined
  /** How many tokens it has taken. */
  tokens?: number | undefined
  /** Additional text after it, such as the key that interrupts. */
  suffix?: string | undefined
}

export const spinnerText = (plan: Todos, options: SpinnerOptions = {}): string =>
  plainText([spinnerLine(plan, options), ...spinnerRest(plan, options)])

/** Glyphs of the same width, so that nothing but the glyph moves; the first is the one that does not move. */
const glyphs = ["✻", "✼", "✽", "✼"]
const asciiGlyphs = ["*", "+", "x", "+"]
const glyphStyle: Style = { colour: "cyan" }

/** `✻ Writing the tests… (12s · 1.2k tokens · esc interrupts)`; where it is narrow, the facts go first, the last one before the others. */
export const spinnerLine = (plan: Todos, options: SpinnerOptions = {}): Line => {
  const { message = "", word = "Working", tick = 0 } = options
  const layout = layoutOf(options)
  const active = activeTodo(plan)
  const wordings = [message, active ? activeFormOf(active) : "", word].map(sanitise)
  // Some wordings already end with dots.
  const wording = wordings.find((wording) => wording !== "")?.replace(/(?<![.…])[.…]+$/, "") ?? ""
  const frames = layout.ascii ? asciiGlyphs : glyphs
  const glyph = { text: frames.at(Math.trunc(tick) % frames.length) ?? "", style: glyphStyle }
  if (layout.width < 3) return [glyph]
  const facts = factsIn(options, layout, widthOf(wording) + widthOf(layout.ellipsis))
  const words = fitted(`${wording}${layout.ellipsis}`, narrowed(layout, 2 + widthOf(facts)))
  return [glyph, { text: ` ${words}` }, ...(facts === "" ? [] : [{ text: facts, style: { dim: true } }])]
}

/** A wording is shortened in favour of the facts after it only down to this many columns. */
const leastWords = 20

/** As many of the facts as leave room for the words, in brackets. */
const factsIn = ({ elapsed, tokens, suffix = "" }: SpinnerOptions, layout: Layout, words: number): string => {
  const facts = [
    elapsed === undefined || !(elapsed >= 1000) ? "" : clockText(elapsed),
    tokens === undefined || !(tokens > 0) ? "" : tokensText(tokens),
    sanitise(suffix),
  ].filter((fact) => fact !== "")
  for (let count = facts.length; count > 0; count -= 1) {
    const text = ` (${facts.slice(0, count).join(layout.ascii ? " - " : " · ")})`
    if (layout.width - 2 - widthOf(text) >= Math.min(words, leastWords)) return text
  }
  return ""
}

/** What is below that line: the list when it is expanded, then `Next: …` or `Tip: …`. */
export const spinnerRest = (plan: Todos, options: SpinnerOptions = {}): Line[] => {
  const { tip = "", isExpanded = false } = options
  const layout = lowered(layoutOf(options), 1)
  const next = nextTodo(plan)
  const text = next ? `Next: ${next.content}` : sanitise(tip) === "" ? "" : `Tip: ${tip}`
  const columns = indentIn(layout)
  const last = text === "" ? [] : [[{ text: fitted(text, narrowed(layout, columns)), style: { dim: true } }]]
  const shown = indented(last.slice(0, layout.height), columns)
  return [...(isExpanded ? indentedListIn(plan, lowered(layout, shown.length)) : []), ...shown]
}
