/** The pages that cover the panes: the list of all keys, and the full text of one todo. */
import { activeFormOf } from "../../plan/text/active-form.ts"
import { type Todo, todoStatuses } from "../../plan/todo.ts"
import {
  type DoneMark,
  type MarkKind,
  markAppearances,
  markIn,
  markKinds,
  marksDisclaimer,
} from "../plan/evidence-marks.ts"
import { fitted } from "../plan/row.ts"
import { cutLine, spread } from "../text/line-layout.ts"
import type { Line, Style } from "../text/span.ts"
import { pad, widthOf } from "../text/width.ts"
import { wrap, wrapUntrusted } from "../text/wrap.ts"
import type { BoardFrame } from "./frame.ts"
import { type BoardGlyphs, stateMeanings, stateStyles } from "./glyphs.ts"
import { keyHelp } from "./keys.ts"
import type { BoardSession, BoardState } from "./session.ts"
import { detailLines, timeOf, todoStyles } from "./todo.ts"
import { type BoardView, shownPlan } from "./view.ts"

/** All lines of the page. Without a clock they show no times, but their number is the same. */
export const pageLines = (
  view: BoardView,
  sessions: readonly BoardSession[],
  frame: BoardFrame,
  now?: Date,
): readonly Line[] => {
  if (view.page === "help") return helpLines(view, frame)
  const plan = view.cursor && shownPlan(view, sessions)
  const found = view.cursor && plan?.at(plan.placeOf(view.cursor) ?? -1)
  if (found?.item.kind !== "todo") return []
  const { todo } = found.item
  const mark = markIn(found.session.marks, todo)
  return [headLine(todo, found.session, frame, now), [], ...bodyLines(todo, mark, frame)]
}

const headLine = (todo: Todo, session: BoardSession, { columns, glyphs }: BoardFrame, now: Date | undefined): Line => {
  const facts = [todo.status.replace("_", " "), now ? timeOf(todo, session, now) : ""].filter(Boolean)
  const left: Line = [
    { text: " " },
    { text: `${glyphs.todos[todo.status]} `, style: todoStyles[todo.status].mark },
    { text: facts.join(glyphs.dot), style: { bold: true } },
    {
      text: todo.phase === undefined ? "" : glyphs.dot + fitted(todo.phase, { ...glyphs, width: columns }),
      style: { dim: true },
    },
  ]
  return spread(
    left,
    [{ text: `#${fitted(todo.id, { ...glyphs, width: 12 })} `, style: { dim: true } }],
    columns,
    glyphs.ellipsis,
  )
}

/** A todo is never changed in place; its text is laid out once for each width. */
const bodyCache = new WeakMap<
  Todo,
  { width: number; glyphs: BoardGlyphs; mark: DoneMark | undefined; lines: readonly Line[] }
>()

const bodyLines = (todo: Todo, mark: DoneMark | undefined, { columns, glyphs }: BoardFrame): readonly Line[] => {
  // Longer lines are hard to read on a wide screen.
  const width = Math.min(columns - 2, 100)
  const known = bodyCache.get(todo)
  if (known?.width === width && known.glyphs === glyphs && known.mark === mark) return known.lines
  const limit = Number.MAX_SAFE_INTEGER
  const content = wrapUntrusted(todo.content, width, limit).lines.map((text): Line => [{ text: ` ${text}` }])
  const active = activeFormOf(todo)
  const doing =
    todo.status === "in_progress" && active !== todo.content ? wrapUntrusted(active, width, limit).lines : []
  const details = detailLines(todo, { width, glyphs, mark, limit }).lines.map((line): Line => [{ text: " " }, ...line])
  const lines = [
    ...content,
    ...doing.map((text): Line => [{ text: ` ${text}`, style: { dim: true } }]),
    ...(details.length > 0 ? [[], ...details] : []),
  ]
  bodyCache.set(todo, { width, glyphs, mark, lines })
  return lines
}

const keyColumns = 23

const helpLines = ({ can }: BoardView, frame: BoardFrame): Line[] => {
  const { columns, glyphs } = frame
  const heading = (text: string): Line => [{ text: cutTo(` ${text}`, columns), style: { bold: true } }]
  return [
    heading("Keys"),
    ...keyHelp(can).flatMap(([key, does]) => helpLine(key, does, columns)),
    [],
    heading("Marks of sessions"),
    ...states.map((state) => legendLine(glyphs.states[state], stateStyles[state], stateMeanings[state], frame)),
    [],
    heading("Marks of todos"),
    ...todoStatuses.map((status) =>
      legendLine(glyphs.todos[status], todoStyles[status].mark, status.replace("_", " "), frame),
    ),
    [],
    heading("Marks beside done todos"),
    ...markKinds.flatMap((kind) => markLines(kind, frame)),
    ...wrap(marksDisclaimer, columns - 3).lines.map((text): Line => [{ text: `  ${text}` }]),
  ]
}

const markLines = (kind: MarkKind, { columns, glyphs }: BoardFrame): Line[] => {
  const { sign, ascii, meaning, style } = markAppearances[kind]
  const lead = `  ${glyphs.ascii ? ascii : sign} `
  return wrap(meaning, columns - lead.length - 1).lines.map((text, index) => [
    { text: index === 0 ? lead : " ".repeat(lead.length), style },
    { text },
  ])
}

const states = Object.keys(stateMeanings) as BoardState[]

const legendLine = (mark: string, style: Style, words: string, { columns, glyphs }: BoardFrame): Line =>
  cutLine([{ text: `  ${mark} `, style }, { text: words }], columns, glyphs.ellipsis)

/** Side by side if there is room, otherwise one below the other. */
const helpLine = (key: string, does: string, columns: number): Line[] => {
  if (columns < keyColumns + 12) {
    return wrap(`${key}: ${does}`, columns - 2).lines.map((text, index) => [
      { text: `${index === 0 ? " " : "  "}${text}` },
    ])
  }
  const [first = "", ...others] = wrap(does, columns - keyColumns - 3).lines
  return [
    [{ text: `  ${pad(key, keyColumns)}`, style: { bold: true } }, { text: first }],
    ...others.map((text): Line => [{ text: " ".repeat(keyColumns + 2) + text }]),
  ]
}

const cutTo = (text: string, columns: number): string => (widthOf(text) <= columns ? text : text.slice(0, columns))
