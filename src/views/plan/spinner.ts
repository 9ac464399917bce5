/** The spinner of a working agent: the current todo, the list below it, and what comes next. */

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
  /** Shown if nothing is pending. */
  tip?: string | undefined
  /** Show the list. @default false */
  isExpanded?: boolean | undefined
  /** Selects the glyph; count it up to animate the spinner. @default 0 */
  tick?: number | undefined
  /** How long the work has taken, in milliseconds. */
  elapsed?: number | undefined
  /** How many tokens it has taken. */
  tokens?: number | undefined
  /** A further fact, such as the key that interrupts. */
  suffix?: string | undefined
}

export const spinnerText = (plan: Todos, options: SpinnerOptions = {}): string =>
  plainText([spinnerLine(plan, options), ...spinnerRest(plan, options)])

/** Glyphs of the same width, so that the text does not move. The first one is used without animation. */
const glyphs = ["✻", "✼", "✽", "✼"]
const asciiGlyphs = ["*", "+", "x", "+"]
const glyphStyle: Style = { colour: "cyan" }

/**
 * `✻ Writing the tests… (12s · 1.2k tokens · esc interrupts)`. On a narrow screen the facts are left out, beginning
 * with the last.
 */
export const spinnerLine = (plan: Todos, options: SpinnerOptions = {}): Line => {
  const { message = "", word = "Working", tick = 0 } = options
  const layout = layoutOf(options)
  const active = activeTodo(plan)
  const wordings = [message, active ? activeFormOf(active) : "", word].map(sanitise)
  // Some texts already end with dots.
  const wording = wordings.find((wording) => wording !== "")?.replace(/(?<![.…])[.…]+$/, "") ?? ""
  const frames = layout.ascii ? asciiGlyphs : glyphs
  const glyph = { text: frames.at(Math.trunc(tick) % frames.length) ?? "", style: glyphStyle }
  if (layout.width < 3) return [glyph]
  const facts = factsIn(options, layout, widthOf(wording) + widthOf(layout.ellipsis))
  const words = fitted(`${wording}${layout.ellipsis}`, narrowed(layout, 2 + widthOf(facts)))
  return [glyph, { text: ` ${words}` }, ...(facts === "" ? [] : [{ text: facts, style: { dim: true } }])]
}

/** The text is shortened in favour of the facts only down to this many columns. */
const leastWords = 20

/** As many facts as leave room for the words, in brackets. */
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

/** The lines below the spinner: the list if it is expanded, then `Next: …` or `Tip: …`. */
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
