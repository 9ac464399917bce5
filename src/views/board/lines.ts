/** The board as lines: exactly as many as the screen has rows, none wider than its columns, nothing a terminal would obey. */

import { cutLine, padLine } from "../line-layout.ts"
import type { Line } from "../span.ts"
import { pad } from "../width.ts"
import { wrap } from "../wrap.ts"
import { footerLine, headerLine } from "./bars.ts"
import { type BoardFrame, type BoardSize, frameOf } from "./frame.ts"
import { boardList } from "./list.ts"
import { pageLines } from "./page.ts"
import { planPaneLines } from "./plan-pane.ts"
import type { BoardSession } from "./session.ts"
import { settled } from "./settle.ts"
import { sidebarLines } from "./sidebar.ts"
import { type BoardView, selectedSession, shownPlan } from "./view.ts"

type Sessions = readonly BoardSession[]

export const boardLines = (view: BoardView, sessions: Sessions, options: BoardSize & { now: Date }): Line[] => {
  const shown = settled(view, sessions, options)
  const frame = frameOf(shown, options)
  if (frame.rows === 0) return []
  const isAsking = shown.prompt !== undefined || shown.notice !== ""
  // On a single row whatever is being asked or said comes before everything else.
  const body =
    frame.hasFooter || !isAsking ? bodyLines(shown, sessions, frame, options.now) : [footerLine(shown, sessions, frame)]
  const hasPanes = sessions.length > 0 && frame.sidebar > 0 && frame.plan > 0
  const lines = [
    ...(frame.hasHeader ? [headerLine(shown, sessions, frame)] : []),
    ...(frame.rules.above ? [ruleLine(frame, hasPanes, frame.glyphs.meets.above)] : []),
    ...Array.from({ length: frame.body }, (_, row) => body[row] ?? []),
    ...(frame.rules.below ? [ruleLine(frame, hasPanes, frame.glyphs.meets.below)] : []),
    ...(frame.hasFooter ? [footerLine(shown, sessions, frame)] : []),
  ]
  return lines.map((line) => cutLine(line, frame.columns, ""))
}

const bodyLines = (view: BoardView, sessions: Sessions, frame: BoardFrame, now: Date): Line[] => {
  if (view.page) return pageLines(view, sessions, frame, now).slice(view.pageTop, view.pageTop + frame.body)
  if (sessions.length === 0) return emptyLines(frame)
  const { sidebar, plan: width, glyphs } = frame
  const left = sidebar > 0 ? sidebarLines(view, boardList(sessions, view.filters.sessions), frame, now) : []
  const session = width > 0 ? selectedSession(view, sessions) : undefined
  const plan = session && shownPlan(view, sessions)
  const right = session && plan ? planPaneLines({ view, plan, frame }, session, now) : []
  if (sidebar === 0) return right
  if (width <= 0) return left
  return Array.from({ length: frame.body }, (_, row) => [
    ...padLine(cutLine(left[row] ?? [], sidebar, glyphs.ellipsis), sidebar),
    { text: glyphs.down, style: { dim: true }, at: sidebar },
    ...(right[row] ?? []),
  ])
}

const ruleLine = ({ sidebar, plan, columns, glyphs }: BoardFrame, hasPanes: boolean, meet: string): Line => {
  const rule = (length: number): string => glyphs.across.repeat(length)
  return [{ text: hasPanes ? rule(sidebar) + meet + rule(plan) : rule(columns), style: { dim: true } }]
}

const firstSteps: readonly [command: string, does: string][] = [
  ["headway demo", "see what it looks like, no agent or key needed"],
  ["headway run -- COMMAND", "start an agent with its plan below it"],
  ["headway setup", "give your agents a list that lasts"],
  ["headway --all", "also old sessions that never had a plan"],
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
