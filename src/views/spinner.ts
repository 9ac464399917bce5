/** The spinner of a working agent: what is being done, the list below it, and what comes next. */

import { activeTodo, nextTodo } from "../plan/progress.ts"
import { activeFormOf } from "../plan/text/active-form.ts"
import { sanitise } from "../plan/text/sanitise.ts"
import { indentedListIn } from "./list.ts"
import { fitted, indentIn, layoutOf, narrowed, type Todos, type ViewOptions } from "./row.ts"
import { indented, type Line, plainText, type Style } from "./span.ts"
import { lowered } from "./window.ts"

export type SpinnerOptions = ViewOptions & {
  /** Said in place of what the todo in progress says. */
  message?: string | undefined
  /** Said when no todo is in progress. @default "Working" */
  word?: string | undefined
  /** Said when nothing is pending; without one, nothing is. */
  tip?: string | undefined
  /** Show the list. @default false */
  isExpanded?: boolean | undefined
  /** How often the glyph has turned. @default 0 */
  tick?: number | undefined
}

export const spinnerText = (plan: Todos, options: SpinnerOptions = {}): string =>
  plainText([spinnerLine(plan, options), ...spinnerRest(plan, options)])

/** Glyphs of the same width, so that nothing but the glyph moves; the first is the one that does not move. */
const glyphs = ["✻", "✼", "✽", "✼"]
const asciiGlyphs = ["*", "+", "x", "+"]
const glyphStyle: Style = { colour: "cyan" }

/** `✻ Writing the tests…` */
export const spinnerLine = (plan: Todos, options: SpinnerOptions = {}): Line => {
  const { message = "", word = "Working", tick = 0 } = options
  const layout = layoutOf(options)
  const active = activeTodo(plan)
  const wordings = [message, active ? activeFormOf(active) : "", word].map(sanitise)
  // Some wordings come with dots of their own.
  const wording = wordings.find((wording) => wording !== "")?.replace(/(?<![.…])[.…]+$/, "") ?? ""
  const frames = layout.ascii ? asciiGlyphs : glyphs
  const glyph = { text: frames.at(Math.trunc(tick) % frames.length) ?? "", style: glyphStyle }
  if (layout.width < 3) return [glyph]
  return [glyph, { text: ` ${fitted(`${wording}${layout.ellipsis}`, narrowed(layout, 2))}` }]
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
