/** The left pane: waiting, working and other sessions, each with its state and progress. */

import { doubtText, markAppearances } from "../plan/evidence-marks.ts"
import { fitted } from "../plan/row.ts"
import { sinceText } from "../text/elapsed.ts"
import { inverted, lineWidth, padLine, spread } from "../text/line-layout.ts"
import type { Line, Span, Style } from "../text/span.ts"
import { widthOf } from "../text/width.ts"
import { wrap } from "../text/wrap.ts"
import { sectionStyles, sectionTitles } from "./fold.ts"
import type { BoardFrame } from "./frame.ts"
import { type BoardGlyphs, isLive, stateStyles } from "./glyphs.ts"
import { type BoardEntry, type BoardList, olderKey } from "./list.ts"
import { agentInAWord, indentOf, placeOf, sessionTitle } from "./names.ts"
import { newsOf } from "./news.ts"
import type { BoardSession } from "./session.ts"
import { spanIn } from "./todo.ts"
import type { BoardView } from "./view.ts"

type SessionEntry = Extract<BoardEntry, { kind: "session" }>

export type SidebarPane = { view: BoardView; list: BoardList; frame: BoardFrame }

/** How many lines an entry takes. */
export const entryHeight = ({ view, list, frame }: SidebarPane, index: number): number => {
  const entry = list.entries[index]
  if (!entry || !frame.isRoomy) return 1
  if (entry.kind !== "session") return index > 0 ? 2 : 1
  return secondText(entry.session, view) === undefined ? 1 : 2
}

/** Which entry each line of the pane belongs to, and how many sessions are above and below it. */
export type SidebarSight = { rows: number[]; above: number; below: number }

export const sidebarSight = (pane: SidebarPane): SidebarSight => {
  const { view, list, frame } = pane
  const { top } = view.scrolls.sessions
  const rows: number[] = []
  let index = top
  for (; index < list.entries.length && rows.length < frame.body; index += 1) {
    const isHeading = list.entries[index]?.kind !== "session"
    // The empty line before a heading is left out if nothing is above it.
    const height = index === top && isHeading ? 1 : entryHeight(pane, index)
    for (let line = 0; line < height && rows.length < frame.body; line += 1) rows.push(index)
  }
  const isCounted = ({ kind }: BoardEntry): boolean => kind === "session" || kind === "older"
  return {
    rows,
    above: list.entries.slice(0, top).filter(isCounted).length,
    below: list.entries.slice(index).filter(isCounted).length,
  }
}

/** The lines of those entries. */
export const sidebarLines = (pane: SidebarPane, { rows }: Pick<SidebarSight, "rows">, now: Date): Line[] => {
  const { view, list, frame } = pane
  if (list.shown === 0) return nothingLines(frame)
  const lines = [...new Set(rows)].flatMap((index) => {
    const entry = list.entries[index]
    return entry ? entryLines(entry, index === view.scrolls.sessions.top, pane, now) : []
  })
  return lines.slice(0, frame.body)
}

const entryLines = (entry: BoardEntry, isFirst: boolean, pane: SidebarPane, now: Date): Line[] => {
  const { view, frame } = pane
  const { sidebar: width, glyphs, isRoomy } = frame
  if (entry.kind !== "session") {
    const line = entry.kind === "older" ? olderLine(entry, view, frame) : headingLine(entry, width, frame)
    return isRoomy && !isFirst ? [[], line] : [line]
  }
  const isSelected = entry.session.key === view.session
  const second = isRoomy ? secondLine(entry, pane, now) : undefined
  const lines = [firstLine(entry, isSelected, second !== undefined, pane, now), ...(second ? [second] : [])]
  const isChosen = isSelected && view.pane === "sessions"
  return lines.map(({ lead, rest }) => {
    const line = cutToWidth(lead, rest, width, glyphs.ellipsis)
    return isChosen ? [...line.lead, ...inverted(line.rest)] : [...line.lead, ...line.rest]
  })
}

/** The mark keeps its own style; the text after it may have another. */
type MarkedLine = { lead: Line; rest: Line }

const cutToWidth = (lead: Line, rest: Line, width: number, ellipsis: string): MarkedLine => {
  const room = width - lineWidth(lead)
  return { lead, rest: room > 0 ? spread(rest, [], room, ellipsis) : [] }
}

const headingLine = (
  entry: Extract<BoardEntry, { kind: "section" | "project" }>,
  width: number,
  { glyphs }: BoardFrame,
): Line => {
  const isSection = entry.kind === "section"
  const title = isSection ? sectionTitles[entry.section] : entry.name
  const style: Style = isSection ? sectionStyles[entry.section] : { bold: true }
  const count: Span = { text: `${entry.count} `, style: { dim: true } }
  const name: Span = { text: ` ${fitted(title, { ...glyphs, width: width - lineWidth([count]) - 2 })}`, style }
  return spread([name], [count], width, glyphs.ellipsis)
}

const olderLine = (entry: Extract<BoardEntry, { kind: "older" }>, view: BoardView, frame: BoardFrame): Line => {
  const { sidebar: width, glyphs } = frame
  const isSelected = view.session === olderKey
  const mark = entry.isOpen ? glyphs.folds.open : glyphs.folds.closed
  const lead: Line = [{ text: `${isSelected ? "> " : "  "}${mark} `, style: { dim: true } }]
  const words: Line = [{ text: `${entry.count} older`, style: { bold: isSelected } }]
  const hint: Line = [{ text: entry.isOpen ? "enter folds " : "enter shows ", style: { dim: true } }]
  const rest = spread(words, hint, Math.max(0, width - lineWidth(lead)), glyphs.ellipsis)
  return isSelected && view.pane === "sessions" ? [...lead, ...inverted(rest)] : [...lead, ...rest]
}

/** How many columns of a longer name come before agent and project. */
const leastName = 16

const firstLine = (
  entry: SessionEntry,
  isSelected: boolean,
  isFollowed: boolean,
  { list, frame }: SidebarPane,
  now: Date,
): MarkedLine => {
  const { sidebar: width, glyphs } = frame
  const { session, depth } = entry
  const isQuiet = !isLive(session) && session.todos === 0 && session.state !== "failed"
  const style: Style = { bold: isSelected || session.state === "waiting", dim: isQuiet && !isSelected }
  const lead: Line = [
    { text: `${isSelected ? "> " : "  "}${indentOf(depth)}` },
    { text: `${glyphs.states[session.state]} `, style: stateStyles[session.state] },
  ]
  const doubt = isFollowed ? [] : doubtSpans(session)
  const room = width - lineWidth(lead)
  const name = fitted(sessionTitle(session, list.entries), { ...glyphs, width: room })
  const ends = isFollowed ? [""] : [factsOf(session, now), doneOf(session)]
  const fits = (text: string, least: number): boolean =>
    lineWidth(doubt) + widthOf(text) + 2 + Math.min(widthOf(name), least) <= room
  const right =
    endings(entry, ends[0] ?? "", glyphs).find((text) => fits(text, leastName)) ??
    ends.find((text) => fits(text, Math.min(leastName, Math.floor(room / 2))))
  const tail: Line = [...doubt, ...(right ? [{ text: `${right} `, style: { dim: true } }] : [])]
  const space = room - lineWidth(tail) - 1
  const words: Line = [{ text: fitted(name, { ...glyphs, width: space }), style }]
  return { lead, rest: [...padLine(words, space), { text: " " }, ...tail] }
}

/**
 * The possible texts to the right of a name, the longest first. A sub-agent's agent and project are left out: its
 * parent shows them.
 */
const endings = ({ session, depth, isPlaced }: SessionEntry, end: string, glyphs: BoardGlyphs): string[] => {
  const short = { ...glyphs, width: longestWord }
  const [agent, place] = [fitted(agentInAWord(session), short), fitted(placeOf(session), short)]
  const labels = depth > 0 ? [""] : isPlaced ? [agent + glyphs.dot + place, place, agent] : [agent]
  return labels.map((words) => [words, end].filter(Boolean).join(" "))
}

/** In columns. */
const longestWord = 16

/** `2/6  4m`, so that the numbers of several rows are aligned. */
const factsOf = (session: BoardSession, now: Date): string => {
  const done = doneOf(session)
  const age = ageOf(session, now)
  return done === "" ? age : `${done.padStart(3)} ${age.padStart(3)}`
}

/** A contradicted completion stands out from the numbers next to it. */
const doubtSpans = ({ contradicted = 0 }: BoardSession): Line =>
  contradicted > 0 ? [{ text: `${doubtText(contradicted)} `, style: markAppearances.contradicted.style }] : []

const doneOf = ({ todos, progress }: BoardSession): string =>
  todos > 0 ? `${progress.completed}/${progress.total}` : ""

/**
 * For a working session, the time since its current todo was begun; for others, since the last activity. In the largest
 * unit.
 */
const ageOf = (session: BoardSession, now: Date): string => {
  const since = session.state === "working" ? startedAt(session) : session.updated
  return sinceText(since, now).split(" ")[0] ?? ""
}

/** Known only once the plan has been read, see `plansInSight`. */
const startedAt = (session: BoardSession): string | undefined => {
  const active = session.plan?.todos.find(({ status }) => status === "in_progress")
  return active && spanIn(session, active.id).started
}

/** The row's second line; undefined if it has none. Does not depend on the time. */
const secondText = (session: BoardSession, { found, filters }: BoardView): string | undefined => {
  const text = filters.sessions === "" ? undefined : found?.get(session.key)
  return text === undefined || isInTitle(text, session) ? newsOf(session) : text
}

/** Whether the match is in the title, which the first line already shows. */
const isInTitle = (found: string, { title = "" }: BoardSession): boolean =>
  title.includes(found.replace(/^[\s.…]+|(?<![\s.…])[\s.…]+$/g, ""))

const secondLine = (
  { session, depth }: SessionEntry,
  { view, frame }: SidebarPane,
  now: Date,
): MarkedLine | undefined => {
  const text = secondText(session, view)
  if (text === undefined) return undefined
  const { sidebar: width, glyphs } = frame
  const lead: Line = [{ text: `    ${indentOf(depth)}` }]
  const room = width - lineWidth(lead)
  const facts = factsOf(session, now)
  const end: Line = facts === "" || widthOf(facts) * 2 > room ? [] : [{ text: `${facts} `, style: { dim: true } }]
  const tail = [...doubtSpans(session), ...end]
  const space = room - lineWidth(tail) - 1
  const words: Line = [{ text: fitted(text, { ...glyphs, width: space }), style: newsStyle(session) }]
  return { lead, rest: [...padLine(words, space), { text: " " }, ...tail] }
}

const newsStyle = ({ state }: BoardSession): Style =>
  state === "working" || state === "ended" || state === "idle" || state === "finished"
    ? { dim: true }
    : { colour: stateStyles[state].colour }

const nothingLines = ({ sidebar, body }: BoardFrame): Line[] =>
  wrap("Nothing matches. esc clears the filter.", sidebar - 2, body).lines.map((text) => [
    { text: ` ${text}`, style: { dim: true } },
  ])
