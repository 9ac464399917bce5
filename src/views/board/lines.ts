/** The board as lines: exactly as many as the screen has rows, none wider than its columns, nothing a terminal would obey. */

import { cutLine, padLine } from "../line-layout.ts"
import type { Line } from "../span.ts"
import { pad } from "../width.ts"
import { wrap } from "../wrap.ts"
import { footerLine, headerLine } from "./bars.ts"
import { type BoardFrame, type BoardSize, frameOf } from "./frame.ts"
import { boardList, olderKey } from "./list.ts"
import { pageLines } from "./page.ts"
import { planPaneLines, planSight } from "./plan-pane.ts"
import type { BoardSession } from "./session.ts"
import { settled } from "./settle.ts"
import { sidebarLines, sidebarSight } from "./sidebar.ts"
import { type BoardView, shownPlan } from "./view.ts"

type Sessions = readonly BoardSession[]

export const boardLines = (view: BoardView, sessions: Sessions, options: BoardSize & { now: Date }): Line[] => {
  const shown = settled(view, sessions, options)
  const frame = frameOf(shown, options)
  if (frame.rows === 0) return []
  const more = moreOf(shown, sessions, frame)
  const isAsking = shown.prompt !== undefined || shown.notice !== ""
  // On a single row whatever is being asked or said comes before everything else.
  const body =
    frame.hasFooter || !isAsking
      ? bodyLines({ view: shown, sessions, frame, more }, options.now)
      : [footerLine(shown, sessions, frame)]
  const hasPanes = !shown.page && sessions.length > 0 && frame.sidebar > 0 && frame.plan > 0
  const lines = [
    ...(frame.hasHeader ? [headerLine(shown, sessions, frame)] : []),
    ...(frame.rules.above ? [ruleLine(frame, hasPanes, "above", more)] : []),
    ...Array.from({ length: frame.body }, (_, row) => body[row] ?? []),
    ...(frame.rules.below ? [ruleLine(frame, hasPanes, "below", more)] : []),
    ...(frame.hasFooter ? [footerLine(shown, sessions, frame)] : []),
  ]
  return lines.map((line) => cutLine(line, frame.columns, ""))
}

type Shown = { view: BoardView; sessions: Sessions; frame: BoardFrame; more: { left: More; right: More } }

const bodyLines = ({ view, sessions, frame, more }: Shown, now: Date): Line[] => {
  const { sidebar, plan: width, glyphs } = frame
  if (view.page) {
    const lines = pageLines(view, sessions, frame, now).slice(view.pageTop, view.pageTop + frame.body)
    return edged(lines, more.right, frame.columns, frame)
  }
  if (sessions.length === 0) return emptyLines(frame)
  const left = sidebar > 0 ? sidebarLines({ view, list: boardList(view, sessions), frame }, now) : []
  const plan = width > 0 ? shownPlan(view, sessions) : undefined
  const right = plan
    ? planPaneLines({ view, sessions, plan, frame }, now)
    : width > 0 && view.session === olderKey
      ? olderLines(width)
      : []
  const [sessionLines, planLines] = [edged(left, more.left, sidebar, frame), edged(right, more.right, width, frame)]
  if (sidebar === 0) return planLines
  if (width <= 0) return sessionLines
  return Array.from({ length: frame.body }, (_, row) => [
    ...padLine(cutLine(sessionLines[row] ?? [], sidebar, glyphs.ellipsis), sidebar),
    { text: glyphs.down, style: { dim: true }, at: sidebar },
    ...(planLines[row] ?? []),
  ])
}

/** How much is out of sight above and below a pane. */
type More = { above: number; below: number }

const none: More = { above: 0, below: 0 }

/** Of the list of sessions and of what is at its right, or of a page, which is at the right of nothing. */
const moreOf = (view: BoardView, sessions: Sessions, frame: BoardFrame): { left: More; right: More } => {
  if (view.page) {
    const { length } = pageLines(view, sessions, frame)
    return { left: none, right: { above: view.pageTop, below: Math.max(0, length - view.pageTop - frame.body) } }
  }
  const plan = frame.plan > 0 ? shownPlan(view, sessions) : undefined
  return {
    left: frame.sidebar > 0 ? sidebarSight({ view, list: boardList(view, sessions), frame }) : none,
    right: plan ? planSight({ view, sessions, plan, frame }) : none,
  }
}

/** Where there is no line above or below that could say so, the first and the last row end with a sign that there is more. */
const edged = (lines: readonly Line[], more: More, width: number, { rules, body, glyphs }: BoardFrame): Line[] => {
  const signAt = (row: number): string => {
    if (row === body - 1 && more.below > 0 && !rules.below) return glyphs.more.below
    return row === 0 && more.above > 0 && !rules.above ? glyphs.more.above : ""
  }
  return lines.map((line, row) => {
    const sign = signAt(row)
    if (sign === "" || width < narrowestEdge) return line
    // Most lines end with a space, which is given up for it.
    return [...padLine(cutLine(line, width - 1, ""), width - 1), { text: sign, style: { bold: true } }]
  })
}

const narrowestEdge = 8

const ruleLine = (
  { sidebar, plan, columns, glyphs }: BoardFrame,
  hasPanes: boolean,
  side: "above" | "below",
  more: { left: More; right: More },
): Line => {
  const ruled = (length: number, count: number): Line => {
    const sign = ` ${glyphs.more[side]} ${count} more `
    if (count === 0 || length < sign.length + 6) return [{ text: glyphs.across.repeat(length), style: dim }]
    const before = length - sign.length - 2
    return [
      { text: glyphs.across.repeat(before), style: dim },
      { text: sign },
      { text: glyphs.across.repeat(2), style: dim },
    ]
  }
  if (!hasPanes) return ruled(columns, more.left[side] + more.right[side])
  return [
    ...ruled(sidebar, more.left[side]),
    { text: glyphs.meets[side], style: dim },
    ...ruled(plan, more.right[side]),
  ]
}

const dim = { dim: true }

/** At the right of the entry that stands for older sessions. */
const olderLines = (width: number): Line[] =>
  wrap(
    "Sessions that have been over for some days. Enter lists them or folds them again; / finds them too.",
    width - 2,
  ).lines.map((text) => [{ text: ` ${text}`, style: dim }])

const firstSteps: readonly [command: string, does: string][] = [
  ["headway demo", "see what it looks like, no agent or key needed"],
  ["headway run -- COMMAND", "start an agent with its plan below it"],
  ["headway setup", "give your agents a list that lasts"],
  ["headway --help", "everything else"],
]

const commandColumns = 28

/** What to do on a machine where no agent has worked yet. */
const emptyLines = ({ columns, body }: BoardFrame): Line[] => {
  const say = (text: string): Line[] => wrap(text, columns - 2).lines.map((line) => [{ text: ` ${line}` }])
  const isWide = columns >= commandColumns + 30
  const steps = firstSteps.flatMap(([command, does]): Line[] =>
    isWide
      ? [
          [
            { text: `   ${pad(command, commandColumns)}`, style: { bold: true } },
            { text: does, style: { dim: true } },
          ],
        ]
      : wrap(command, columns - 2).lines.map((line): Line => [{ text: ` ${line}`, style: { bold: true } }]),
  )
  const [gap, ending] = body >= 10 ? [[[]], say("As soon as an agent writes a plan it shows up here.")] : [[], []]
  return [...gap, ...say("No agent has a plan here yet."), ...gap, ...steps, ...gap, ...ending]
}
