/** Plans and sessions of all agents as a table for people, in the order of the board: who waits, who works, the rest by project. */
import { isOfInterest, type JoinedSession, keyOf } from "../../board/joined-session.ts"
import { createProjectLabels } from "../../board/project.ts"
import { loadSettings } from "../../home/settings.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import { foldedBefore, sectionStyles, sectionTitles } from "../../views/board/fold.ts"
import { stateStyles } from "../../views/board/glyphs.ts"
import { type BoardEntry, listEntries } from "../../views/board/list.ts"
import { agentOf, indentOf, placeOf, sessionTitle } from "../../views/board/names.ts"
import { atHandText, isStateTelling, newsOf, stateWordsOf } from "../../views/board/news.ts"
import type { BoardSession } from "../../views/board/session.ts"
import type { Line, Style } from "../../views/text/span.ts"
import type { Context } from "../command.ts"
import { ageText } from "../duration.ts"
import { homeOf } from "../place/place.ts"
import { agentTitle } from "./session-names.ts"
import { type Cell, tableLines } from "./table.ts"

/** Prints what is recent, or with `--all` everything, and says how much is not shown: `left` is how many are not among the sessions. */
export const printSessions = (
  context: Context<{ all: { type: "boolean"; about: string } }>,
  sessions: readonly JoinedSession[],
  left = 0,
): void => {
  const { io, values } = context
  const now = io.now()
  const entries = entriesOf(context, sessions, values.all === true)
  const columns = io.columns ?? Number.POSITIVE_INFINITY
  io.out(sessionTable(entries, { columns, ascii: values.ascii === true, now }))
  const older = entries.find((entry) => entry.kind === "older" && !entry.isOpen)
  const count = left + (older?.kind === "older" ? older.count : 0)
  if (count === 0) return
  const what = count === 1 ? "1 older session is" : `${count} older sessions are`
  io.err(`headway: ${what} not shown; --all shows ${count === 1 ? "it" : "them"}.\n`)
}

/** What a listing calls each session, without and with `--all`: those that are folded have no name in the first one. */
export const printedNames = (
  context: Context,
  sessions: readonly JoinedSession[],
): { recent: ReadonlyMap<string, string>; all: ReadonlyMap<string, string> } => {
  const namesIn = (entries: readonly BoardEntry[]): ReadonlyMap<string, string> =>
    new Map(
      entries.flatMap((entry) =>
        entry.kind === "session" ? [[entry.session.key, sessionTitle(entry.session, entries)]] : [],
      ),
    )
  return { recent: namesIn(entriesOf(context, sessions, false)), all: namesIn(entriesOf(context, sessions, true)) }
}

const entriesOf = (
  context: Context,
  sessions: readonly JoinedSession[],
  isUnfolded: boolean,
): readonly BoardEntry[] => {
  const { io } = context
  const now = io.now()
  const days = loadSettings(homeOf(context))["board.foldAfterDays"]
  const listed = isUnfolded ? sessions : sessions.filter((one) => one.agent === "main" || isOfInterest(one, now))
  const rows = rowsOf(listed, io.home)
  return listEntries({ before: foldedBefore(now, days), isUnfolded, isEveryAgent: true }, rows).entries
}

/** The sessions as the board has them. Field by field: to spread ten thousand sessions would take as long as to list them. */
const rowsOf = (sessions: readonly JoinedSession[], home: string): BoardSession[] => {
  const labelOf = createProjectLabels(home)
  const agentNames = new Map<string, string>()
  return sessions.map((one) => {
    const { session, agent, agentType, title, role, state, waitsFor, error, planTool, updated } = one
    const agentName = agentNames.get(agentType) ?? agentTitle(agentType)
    agentNames.set(agentType, agentName)
    const above = agent === "main" ? undefined : one.parent?.agent
    return {
      key: keyOf(one),
      agentType,
      agentName,
      session,
      agent,
      parent: above === undefined ? undefined : keyOf({ session, agent: above }),
      project: labelOf(one.project),
      title,
      role,
      who: one.machine === undefined ? undefined : `${one.person ?? ""}@${one.machine}`,
      state,
      waitsFor,
      error,
      planTool,
      updated,
      progress: one.progress,
      todos: one.todos,
      current: one.current,
      upcoming: one.upcoming,
      isEditable: true,
      version: 0,
    }
  })
}

type TableOptions = { columns: number; ascii: boolean; now: Date }

const head = ["SESSION", "AGENT", "STATE", "DONE", "AGE", "NOW"]

/** A narrow screen only has room for what distinguishes sessions, and their states. */
const [narrow, leftOut] = [60, [head.indexOf("AGENT"), head.indexOf("NOW")]]

const sessionTable = (entries: readonly BoardEntry[], { columns, ascii, now }: TableOptions): Line[] => {
  const table = entries.flatMap((entry) => (entry.kind === "session" ? [cellsOf(entry, entries, ascii, now)] : []))
  const rows: (readonly Cell[])[] = [head, ...table]
  const shown = columns < narrow ? rows.map((row) => row.filter((_, column) => !leftOut.includes(column))) : rows
  const [heading = [], ...lines] = tableLines(shown, columns, ascii, 2)
  let at = 0
  const printed = entries.flatMap((entry, index): Line[] => {
    if (entry.kind === "older") return []
    if (entry.kind === "session") {
      at += 1
      return [lines[at - 1] ?? []]
    }
    const title: Line =
      entry.kind === "section"
        ? [{ text: sectionTitles[entry.section], style: sectionStyles[entry.section] }]
        : [{ text: sanitise(entry.name), style: { bold: true } }]
    return index === 0 ? [title] : [[], title]
  })
  return [heading, ...printed]
}

const cellsOf = (
  { session, depth, isPlaced }: Extract<BoardEntry, { kind: "session" }>,
  listed: readonly BoardEntry[],
  ascii: boolean,
  now: Date,
): Cell[] => {
  const { state, todos, progress, updated } = session
  const name = sessionTitle(session, listed)
  return [
    depth > 0 ? `${indentOf(depth - 1)}${ascii ? "`-" : "└"} ${name}` : name,
    agentCell(session, isPlaced && depth === 0),
    { text: state, style: stateStyles[state] },
    todos > 0 ? `${progress.completed}/${progress.total}` : "-",
    { text: ageText(updated, now), style: dim },
    nowOf(session),
  ]
}

const agentCell = (session: BoardSession, isPlaced: boolean): string => {
  const { who } = session
  const where = isPlaced ? ` in ${placeOf(session)}` : ""
  return `${agentOf(session)}${where}${who === undefined ? "" : ` of ${who}`}`
}

const nowOf = (session: BoardSession): Cell => {
  const { progress } = session
  if (isStateTelling(session)) return newsOf(session) ?? ""
  const todo = atHandText(session)
  if (todo !== "") return todo
  return { text: doing({ ...session, isFinished: progress.completed === progress.total }), style: dim }
}

const dim: Style = { dim: true }

type Doing = Pick<BoardSession, "state" | "waitsFor" | "error" | "todos" | "planTool" | "current" | "upcoming"> & {
  isFinished: boolean
}

/** In these states no plan is to come. */
const over: readonly BoardSession["state"][] = ["ended", "finished", "failed"]

export const doing = (session: Doing): string => {
  const { isFinished, planTool, state, todos } = session
  // The failure is shown next to it.
  if (isStateTelling(session)) return session.state === "failed" ? (session.error ?? "") : stateWordsOf(session)
  const todo = atHandText(session)
  if (todo !== "") return todo
  if (isFinished && todos > 0) return "finished"
  if (planTool === "absent") return "no plan tool in this session"
  return over.includes(state) ? "no plan" : "no plan yet"
}
