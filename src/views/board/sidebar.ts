/** The left pane: projects and their sessions, each with its state and how far it is. */
import { sinceText } from "../elapsed.ts"
import { inverted, spread } from "../line-layout.ts"
import { fitted } from "../row.ts"
import type { Line, Style } from "../span.ts"
import { wrap } from "../wrap.ts"
import type { BoardFrame } from "./frame.ts"
import { isLive, stateStyles, stateWordsOf } from "./glyphs.ts"
import type { BoardEntry, BoardList } from "./list.ts"
import type { BoardSession } from "./session.ts"
import type { BoardView } from "./view.ts"

/** Deeper nesting would push the names out of sight. */
const deepest = 4

/** How many lines an entry takes. */
export const entryHeight = (list: BoardList, index: number, { isRoomy }: BoardFrame): number => {
  const entry = list.entries[index]
  if (entry?.kind === "project") return index > 0 && isRoomy ? 2 : 1
  return entry && isRoomy && isLive(entry.session) ? 2 : 1
}

export const sidebarLines = (view: BoardView, list: BoardList, frame: BoardFrame, now: Date): Line[] => {
  if (list.shown === 0) return nothingLines(frame)
  const lines: Line[] = []
  const { top } = view.scrolls.sessions
  for (let index = top; index < list.entries.length && lines.length < frame.body; index += 1) {
    const entry = list.entries[index]
    if (entry) lines.push(...entryLines(entry, index === top, view, frame, now))
  }
  return lines.slice(0, frame.body)
}

const entryLines = (entry: BoardEntry, isFirst: boolean, view: BoardView, frame: BoardFrame, now: Date): Line[] => {
  const { sidebar: width, glyphs, isRoomy } = frame
  if (entry.kind === "project") {
    const name: Line = [{ text: ` ${fitted(entry.name, { ...glyphs, width: width - 2 })}`, style: { bold: true } }]
    return isRoomy && !isFirst ? [[], name] : [name]
  }
  const isSelected = entry.session.key === view.session
  const lines = [sessionLine(entry.session, entry.depth, isSelected, frame)]
  if (isRoomy && isLive(entry.session)) lines.push(doingLine(entry.session, entry.depth, frame, now))
  return isSelected && view.pane === "sessions" ? lines.map(inverted) : lines
}

const sessionLine = (session: BoardSession, depth: number, isSelected: boolean, frame: BoardFrame): Line => {
  const { sidebar: width, glyphs } = frame
  const { state, todos } = session
  const isQuiet = !isLive(session) && todos === 0
  const style: Style = isQuiet ? { dim: true } : { bold: isSelected || state === "waiting" }
  const left: Line = [
    { text: `${isSelected ? "> " : "  "}${indentOf(depth)}` },
    { text: `${glyphs.states[state]} `, style: stateStyles[state] },
    { text: fitted(agentNameOf(session), { ...glyphs, width }), style },
    { text: depth === 0 ? ` ${fitted(shortId(session.session), { ...glyphs, width })}` : "", style: { dim: true } },
  ]
  const right: Line = [{ text: progressOf(session), style: { dim: !isLive(session) } }]
  return [...spread(left, right, width - 1, glyphs.ellipsis), { text: " " }]
}

/** What it is doing, or for how long it has not been doing anything. */
const doingLine = (session: BoardSession, depth: number, frame: BoardFrame, now: Date): Line => {
  const { sidebar: width, glyphs } = frame
  const { state, current = "" } = session
  const age = state === "working" ? "" : sinceText(session.updated, now)
  const words = state === "working" && current.trim() !== "" ? current : stateWordsOf(session)
  const text = fitted(words, { ...glyphs, width })
  const left: Line = [
    { text: `    ${indentOf(depth)}` },
    { text, style: state === "working" ? { dim: true } : stateStyles[state] },
    { text: age === "" ? "" : glyphs.dot + age, style: { dim: true } },
  ]
  return [...spread(left, [], width - 1, glyphs.ellipsis), { text: " " }]
}

/** A sub-agent is known by its own name, an agent by its kind. */
export const agentNameOf = ({ agent, agentType }: BoardSession): string => (isSubAgent({ agent }) ? agent : agentType)

export const isSubAgent = ({ agent }: Pick<BoardSession, "agent">): boolean => agent.trim() !== "" && agent !== "main"

/** The beginning of an id that only a machine would read to the end. */
const shortId = (id: string): string => (/^[\da-f]{8}-[\da-f]{4}-/i.test(id) ? id.slice(0, 8) : id)

const progressOf = ({ todos, planTool, progress }: BoardSession): string => {
  if (todos > 0) return `${progress.completed}/${progress.total}`
  return planTool === "absent" ? "no plan tool" : ""
}

const indentOf = (depth: number): string => "  ".repeat(Math.min(depth, deepest))

const nothingLines = ({ sidebar, body }: BoardFrame): Line[] =>
  wrap("Nothing matches. esc clears the filter.", sidebar - 2, body).lines.map((text) => [
    { text: ` ${text}`, style: { dim: true } },
  ])
