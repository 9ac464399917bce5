/** The right pane: the session's name and progress, its phases and todos, and the plans of its sub-agents. */

import { doubtText, markAppearances, markIn, signsAmong } from "../plan/evidence-marks.ts"
import { progressBar } from "../plan/panel.ts"
import { fitted } from "../plan/row.ts"
import { sinceText } from "../text/elapsed.ts"
import { cutLine, lineWidth, spread } from "../text/line-layout.ts"
import type { Line, Span } from "../text/span.ts"
import { wrapUntrusted } from "../text/wrap.ts"
import type { BoardFrame } from "./frame.ts"
import { stateStyles, stateWords } from "./glyphs.ts"
import { boardList } from "./list.ts"
import { agentOf, sessionTitle } from "./names.ts"
import { newsOf, stateWordsOf } from "./news.ts"
import type { PlanList } from "./plan.ts"
import type { BoardSession } from "./session.ts"
import { spanIn, timeOf, todoLines } from "./todo.ts"
import type { BoardView } from "./view.ts"

const longestBar = 20
const widthWithDoubt = 64
const shortestBar = 5

export type PlanPane = { view: BoardView; sessions: readonly BoardSession[]; plan: PlanList; frame: BoardFrame }

/** The lines of the pane, which item each belongs to (-1 for none), and how many todos are above and below. */
export type PlanSight = { lines: Line[]; rows: number[]; above: number; below: number }

/** The visible part of a plan. Without a clock the lines show no times, but their number is the same. */
export const planSight = (pane: PlanPane, now?: Date): PlanSight => {
  const { view, plan, frame } = pane
  const { top } = view.scrolls.plan
  const lines = headingLines(pane, now)
  const rows = lines.map(() => -1)
  let index = top
  for (; index < plan.count && lines.length < frame.body; index += 1) {
    const item = inSight(itemLines(pane, index, now), index === top)
    lines.push(...item)
    rows.push(...item.map(() => index))
  }
  const legend = index < plan.count ? [] : legendLines(pane, frame.body - lines.length)
  lines.push(...legend)
  rows.push(...legend.map(() => -1))
  return {
    lines: lines.slice(0, frame.body),
    rows: rows.slice(0, frame.body),
    above: plan.todosBefore(top),
    below: plan.todosBefore(plan.count) - plan.todosBefore(index),
  }
}

/** The legend of the evidence signs, if there is room below the plan. */
const legendLines = ({ plan, frame: { plan: width, glyphs } }: PlanPane, room: number): Line[] => {
  const signs = signsAmong(plan.leader.marks ?? {})
  if (room < 2 || signs.length === 0) return []
  const line: Span[] = []
  for (const { sign, ascii, name, style } of signs) {
    const next: Line = [
      { text: "  " },
      { text: glyphs.ascii ? ascii : sign, style },
      { text: ` ${name}`, style: { dim: true } },
    ]
    if (lineWidth(line) + lineWidth(next) >= width) break
    line.push(...next)
  }
  return [[], line]
}

/** At the top of the pane, a heading loses the empty line before it. */
const inSight = (item: Line[], isTop: boolean): Line[] => (isTop && item[0]?.length === 0 ? item.slice(1) : item)

/** How many lines there are for the items. */
export const itemRows = (pane: Pick<PlanPane, "plan" | "frame">): number =>
  Math.max(0, pane.frame.body - pane.frame.heading - calloutLines(pane).length)

/** An item's lines. Without a clock they show no times, but their number is the same. */
export const itemLines = (pane: PlanPane, index: number, now?: Date): Line[] => {
  const { view, plan, frame } = pane
  const found = plan.at(index)
  if (!found) return []
  const { session, depth, item } = found
  const { plan: width, glyphs } = frame
  const indent = 2 * (1 + Math.min(depth, 4))
  const before = " ".repeat(indent - 1)
  if (item.kind === "todo") {
    const { cursor } = view
    return todoLines(item.todo, now ? timeOf(item.todo, session, now) : "", {
      width,
      glyphs,
      indent: indent + Number(item.isPhased),
      isMarked: view.pane === "plan" && cursor?.session === session.key && cursor.todo === item.todo.id,
      most: Math.max(2, Math.floor(itemRows(pane) * 0.7)),
      isTimed: spanIn(session, item.todo.id).started !== undefined,
      mark: markIn(session.marks, item.todo),
    })
  }
  if (item.kind === "phase") {
    const name: Span = {
      text: before + fitted(item.name, { ...glyphs, width: width - indent - 8 }),
      style: { bold: true },
    }
    const count: Span = { text: `${item.progress.completed}/${item.progress.total} `, style: { dim: true } }
    const line = spread([name], [count], width, glyphs.ellipsis)
    return index === 0 ? [line] : [[], line]
  }
  if (item.kind === "agent") return [[], agentLine(session, before.slice(1), pane)]
  if (item.kind === "more") {
    return [
      cutLine([{ text: `${before}${glyphs.ellipsis} ${item.text}`, style: { dim: true } }], width, glyphs.ellipsis),
    ]
  }
  return wrapUntrusted(item.text, width - indent - 1, 6).lines.map((text) => [
    { text: before + text, style: { dim: true } },
  ])
}

const agentLine = (session: BoardSession, before: string, { view, sessions, frame }: PlanPane): Line => {
  const { plan: width, glyphs } = frame
  const { state, progress, todos } = session
  const left: Line = [
    { text: before },
    { text: `${glyphs.states[state]} `, style: stateStyles[state] },
    {
      text: fitted(sessionTitle(session, boardList(view, sessions).entries), { ...glyphs, width }),
      style: { bold: true },
    },
    { text: glyphs.dot + fitted(stateWordsOf(session), { ...glyphs, width }), style: { dim: true } },
  ]
  const count = todos > 0 ? `${progress.completed}/${progress.total} ` : ""
  return spread(left, [{ text: count, style: { dim: true } }], width, glyphs.ellipsis)
}

const headingLines = (pane: PlanPane, now: Date | undefined): Line[] => {
  const session = pane.plan.leader
  const { plan: width, glyphs, heading } = pane.frame
  const say = (text: string): string => fitted(text, { ...glyphs, width })
  const name: Span = {
    text: say(sessionTitle(session, boardList(pane.view, pane.sessions).entries)),
    style: { bold: true },
  }
  const mark: Span = { text: `${glyphs.states[session.state]} `, style: stateStyles[session.state] }
  const { completed, total } = session.progress
  const count = session.todos > 0 ? `${completed}/${total} ` : ""
  if (heading === 0) return []
  if (heading === 1) return [spread([{ text: " " }, mark, name], [{ text: count }], width, glyphs.ellipsis)]

  const { who, isEditable } = session
  const [shared, fixed] = [who === undefined ? [] : [who], isEditable ? [] : ["read only"]]
  const facts = [agentOf(session), session.project, ...shared, ...fixed, session.session]
  const where = facts.map(say)
  const about = { text: where.join(glyphs.dot), style: { dim: true } }
  const progress = progressSpans(session, pane.frame)
  const state = spread([{ text: " " }, mark, ...stateSpans(session, pane.frame, now)], progress, width, glyphs.ellipsis)
  const lines: Line[] =
    heading > 3
      ? [[{ text: " " }, name], [{ text: " " }, about], state]
      : [[{ text: " " }, name, { text: glyphs.dot }, about], state]
  const callout = calloutLines(pane)
  return [
    ...lines.map((line) => cutLine(line, width, glyphs.ellipsis)),
    ...callout,
    ...(heading > 2 ? [contextLine(pane)] : []),
  ]
}

/** The most lines for an agent's question or error. */
const mostCallout = 3

/** The agent's question, its error or other news above the plan, in full if there is room. Contains no times. */
const calloutLines = ({ plan, frame }: Pick<PlanPane, "plan" | "frame">): Line[] => {
  const { leader } = plan
  const { plan: width, heading } = frame
  const isSaid = leader.state === "waiting" ? leader.waitsFor?.text : leader.state === "failed" && leader.error
  const text = isSaid ? newsOf(leader) : undefined
  if (heading < 3 || text === undefined) return []
  const { colour } = stateStyles[leader.state]
  return wrapUntrusted(text, width - 2, mostCallout).lines.map((line) => [{ text: ` ${line}`, style: { colour } }])
}

/**
 * Bar and count within half of the line, the most that `spread` gives to its right end. A bar that would be too short
 * is left out.
 */
const progressSpans = (
  { todos, progress, contradicted = 0 }: BoardSession,
  { plan: width, glyphs }: BoardFrame,
): Line => {
  if (todos === 0) return []
  const { completed, total, percent } = progress
  const count = ` ${completed}/${total} ${percent}% `
  const room = Math.min(longestBar, Math.floor(width / 2) - count.length)
  // Words about contradicted todos take precedence over the bar.
  const isNarrow = room < shortestBar || (contradicted > 0 && width < widthWithDoubt)
  const bar = isNarrow ? "" : progressBar(completed, total, room, glyphs.ascii)
  return [{ text: bar, style: { colour: "green" } }, { text: count }]
}

const stateSpans = (session: BoardSession, { glyphs }: BoardFrame, now: Date | undefined): Line => {
  const { state, updated, planTool, contradicted = 0 } = session
  const age = now ? sinceText(updated, now) : ""
  const ago = `${age} ago`
  const words = {
    working: "",
    waiting: age,
    stalled: `quiet for ${age}`,
    ended: ago,
    finished: ago,
    failed: ago,
    idle: ago,
  }
  const more = [age === "" ? "" : words[state], planTool === "absent" ? "no plan tool" : ""].filter(Boolean)
  return [
    { text: stateWords[state], style: stateStyles[state] },
    ...(contradicted > 0
      ? [{ text: glyphs.dot }, { text: doubtText(contradicted), style: markAppearances.contradicted.style }]
      : []),
    { text: more.map((word) => glyphs.dot + word).join(""), style: { dim: true } },
  ]
}

/** The line that stays when the plan is scrolled: the filter, or the phase of the first visible todo. */
const contextLine = ({ view, plan, frame: { plan: width, glyphs } }: PlanPane): Line => {
  const say = (text: string): string => fitted(text, { ...glyphs, width })
  const filter = view.filters.plan
  const { shown, all } = plan.found
  if (filter !== "") return cutLine([{ text: ` /${say(filter)} ${shown} of ${all}` }], width, glyphs.ellipsis)
  const item = plan.at(view.scrolls.plan.top)?.item
  if (item?.kind !== "todo" || item.todo.phase === undefined) return []
  return cutLine(
    [{ text: ` ${glyphs.ellipsis} ${say(item.todo.phase)}`, style: { dim: true } }],
    width,
    glyphs.ellipsis,
  )
}
