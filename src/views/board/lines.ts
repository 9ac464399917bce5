/**
 * The board as lines: exactly as many as the screen has rows, none wider than its columns, without control sequences.
 */

import { cutLine, padLine } from "../text/line-layout.ts"
import type { Line } from "../text/span.ts"
import { pad } from "../text/width.ts"
import { wrap } from "../text/wrap.ts"
import { footerLines, headerLine } from "./bars.ts"
import { type BoardFrame, type BoardSize, frameOf } from "./frame.ts"
import { boardList, olderKey } from "./list.ts"
import { pageLines } from "./page.ts"
import { planSight } from "./plan-pane.ts"
import type { BoardSession } from "./session.ts"
import { settled } from "./settle.ts"
import { type SidebarPane, sidebarLines, sidebarSight } from "./sidebar.ts"
import { type BoardView, shownPlan } from "./view.ts"

type Sessions = readonly BoardSession[]

export const boardLines = (view: BoardView, sessions: Sessions, options: BoardSize & { now: Date }): Line[] => {
  const shown = settled(view, sessions, options)
  const frame = frameOf(shown, options)
  if (frame.rows === 0) return []
  const panes = panesOf(shown, sessions, frame, options.now)
  const isAsking = shown.prompt !== undefined || shown.notice !== ""
  // On a single row, a prompt or a notice takes precedence over everything else.
  const body = frame.footer > 0 || !isAsking ? bodyLines(panes, frame) : footerLines(shown, sessions, frame)
  const lines = [
    ...(frame.hasHeader ? [headerLine(shown, sessions, frame)] : []),
    ...(frame.rules.above ? [ruleLine(panes, frame, "above")] : []),
    ...Array.from({ length: frame.body }, (_, row) => body[row] ?? []),
    ...(frame.rules.below ? [ruleLine(panes, frame, "below")] : []),
    ...(frame.footer > 0 ? footerLines(shown, sessions, frame) : []),
  ]
  return lines.map((line) => cutLine(line, frame.columns, ""))
}

/** The visible lines of a pane, and how many are hidden above and below them. */
type Pane = { lines: readonly Line[]; above: number; below: number }

/** The list of sessions and the plan; only one of them under a page or on a narrow screen. */
type Panes = { left?: Pane | undefined; right?: Pane | undefined }

const panesOf = (view: BoardView, sessions: Sessions, frame: BoardFrame, now: Date): Panes => {
  if (view.page) {
    const all = pageLines(view, sessions, frame, now)
    const [above, end] = [view.pageTop, view.pageTop + frame.body]
    return { right: { lines: all.slice(above, end), above, below: Math.max(0, all.length - end) } }
  }
  if (sessions.length === 0) return { right: { lines: emptyLines(frame), above: 0, below: 0 } }
  return {
    left: frame.sidebar > 0 ? sessionPane({ view, list: boardList(view, sessions), frame }, now) : undefined,
    right: frame.plan > 0 ? planPane(view, sessions, frame, now) : undefined,
  }
}

const sessionPane = (pane: SidebarPane, now: Date): Pane => {
  const sight = sidebarSight(pane)
  return { ...sight, lines: sidebarLines(pane, sight, now) }
}

const planPane = (view: BoardView, sessions: Sessions, frame: BoardFrame, now: Date): Pane => {
  const plan = shownPlan(view, sessions)
  if (plan) return planSight({ view, sessions, plan, frame }, now)
  return { lines: view.session === olderKey ? olderLines(frame.plan) : [], above: 0, below: 0 }
}

const bodyLines = ({ left, right }: Panes, frame: BoardFrame): Line[] => {
  const { sidebar, plan, columns, glyphs } = frame
  if (!left || !right) return edged(left ?? right, columns, frame)
  const [sessionLines, planLines] = [edged(left, sidebar, frame), edged(right, plan, frame)]
  return Array.from({ length: frame.body }, (_, row) => [
    ...padLine(cutLine(sessionLines[row] ?? [], sidebar, glyphs.ellipsis), sidebar),
    { text: glyphs.down, style: dim, at: sidebar },
    ...(planLines[row] ?? []),
  ])
}

/** Without lines above and below the pane, the first and last rows end with a sign that there is more. */
const edged = (pane: Pane | undefined, width: number, { rules, body, glyphs }: BoardFrame): Line[] => {
  const { lines, above, below } = pane ?? { lines: [], above: 0, below: 0 }
  const signAt = (row: number): string => {
    if (row === body - 1 && below > 0 && !rules.below) return glyphs.more.below
    return row === 0 && above > 0 && !rules.above ? glyphs.more.above : ""
  }
  return lines.map((line, row) => {
    const sign = signAt(row)
    if (sign === "" || width < narrowestEdge) return line
    // Most lines end with a space, which the sign replaces.
    return [...padLine(cutLine(line, width - 1, ""), width - 1), { text: sign, style: { bold: true } }]
  })
}

const narrowestEdge = 8

const ruleLine = ({ left, right }: Panes, frame: BoardFrame, side: "above" | "below"): Line => {
  const { sidebar, plan, columns, glyphs } = frame
  const ruled = (length: number, count = 0): Line => {
    const sign = ` ${glyphs.more[side]} ${count} more `
    if (count === 0 || length < sign.length + 6) return [{ text: glyphs.across.repeat(length), style: dim }]
    const [before, behind] = [length - sign.length - 2, 2].map((columns) => glyphs.across.repeat(columns))
    return [{ text: before ?? "", style: dim }, { text: sign }, { text: behind ?? "", style: dim }]
  }
  if (!left || !right) return ruled(columns, (left ?? right)?.[side])
  return [...ruled(sidebar, left[side]), { text: glyphs.meets[side], style: dim }, ...ruled(plan, right[side])]
}

const dim = { dim: true }

/** The right pane while the entry for older sessions is selected. */
const olderLines = (width: number): Line[] =>
  wrap("Sessions that ended some days ago. Enter lists or folds them; / finds them too.", width - 2).lines.map(
    (text) => [{ text: ` ${text}`, style: dim }],
  )

const firstSteps: readonly [command: string, does: string][] = [
  ["headway demo", "see what it looks like, no agent or key needed"],
  ["headway run -- COMMAND", "start an agent with its plan below it"],
  ["headway setup", "give your agents a list that lasts"],
  ["headway --help", "everything else"],
]

const commandColumns = 28

/** What to do on a machine without any sessions. */
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
  const [gap, ending] = body >= 10 ? [[[]], say("A plan shows up here as soon as an agent writes one.")] : [[], []]
  return [...gap, ...say("No agent has a plan here yet."), ...gap, ...steps, ...gap, ...ending]
}
