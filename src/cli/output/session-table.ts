/** Plans and sessions of all agents as a table for people: by project, sub-agents under their parents. */
import { isOfInterest, type JoinedSession } from "../../board/joined-session.ts"
import { createProjectLabels } from "../../board/project.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import { groupedBy } from "../../streams/grouped.ts"
import { stateStyles, stateWordsOf } from "../../views/board/glyphs.ts"
import type { Line, Style } from "../../views/span.ts"
import type { Context } from "../command.ts"
import { ageText } from "../duration.ts"
import { type Cell, tableLines } from "./table.ts"

/** Prints what is of interest, or with `--all` everything, and says how much is not shown. */
export const printSessions = (
  { io, values }: Context<{ all: { type: "boolean"; about: string } }>,
  sessions: readonly JoinedSession[],
): void => {
  const now = io.now()
  const shown = values.all ? sessions : sessions.filter((one) => isOfInterest(one, now))
  const columns = io.columns ?? Number.POSITIVE_INFINITY
  if (shown.length > 0) io.out(sessionTable(shown, { columns, ascii: values.ascii === true, now, home: io.home }))
  const hidden = sessions.length - shown.length
  if (hidden > 0)
    io.err(`headway: ${hidden} finished or old sessions without a plan are not shown; --all shows them.\n`)
}

type TableOptions = { columns: number; ascii: boolean; now: Date; home: string }

const head = ["AGENT", "SESSION", "STATE", "DONE", "AGE", "NOW"]

/** Newest project first, newest session first in it. */
const sessionTable = (sessions: readonly JoinedSession[], options: TableOptions): Line[] => {
  const groups = groupsOf(sessions, options.home)
  const short = shortNames(sessions.map(({ session }) => session))
  const rows = groups.flatMap(({ members }) =>
    inFamilies(members).map((one) => cells(one, short.get(one.session) ?? one.session, options)),
  )
  const [heading = [], ...lines] = tableLines([head, ...rows], options.columns, options.ascii, 2)
  let at = 0
  const parts = groups.map(({ name, members }, index): Line[] => {
    const own = lines.slice(at, at + members.length)
    at += members.length
    return [...(index === 0 ? [] : [[]]), [{ text: sanitise(name), style: { bold: true } }], ...own]
  })
  return [heading, ...parts.flat()]
}

type Group = { name: string; members: JoinedSession[] }

const groupsOf = (sessions: readonly JoinedSession[], home: string): Group[] => {
  const labelOf = createProjectLabels(home)
  return [...groupedBy(sessions, ({ project }) => labelOf(project))].map(([name, members]) => ({ name, members }))
}

/** Sub-agents behind the session they belong to. */
const inFamilies = (members: readonly JoinedSession[]): JoinedSession[] => {
  const isChild = ({ parent, agent }: JoinedSession): boolean => parent !== undefined && agent !== "main"
  const keyOf = ({ agentType, session }: JoinedSession): string => `${agentType} ${session}`
  const children = groupedBy(members.filter(isChild), keyOf)
  if (children.size === 0) return [...members]
  const mains = members.filter((one) => !isChild(one))
  const families = mains.flatMap((one) => {
    const own = children.get(keyOf(one)) ?? []
    children.delete(keyOf(one))
    return [one, ...own]
  })
  return [...families, ...[...children.values()].flat()]
}

const shortest = 8

/** As much of each long id as tells it from all others; short ones are names, stay whole and need no entry. */
export const shortNames = (names: readonly string[]): Map<string, string> => {
  if (names.every(isShort)) return new Map()
  const sessions = [...new Set(names)].sort()
  return new Map(
    sessions.map((session, index) => {
      if (isShort(session)) return [session, session]
      const shared = Math.max(sharedLength(session, sessions[index - 1]), sharedLength(session, sessions[index + 1]))
      return [session, session.slice(0, Math.max(shortest, shared + 1))]
    }),
  )
}

const isShort = (session: string): boolean => session.length < 30

const sharedLength = (one: string, other = ""): number => {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}

const cells = (one: JoinedSession, session: string, { now, ascii }: TableOptions): Cell[] => {
  const isChild = one.agent !== "main" && one.parent !== undefined
  const name = isChild ? `${ascii ? "`-" : "└"} ${one.agent.slice(0, 16)}` : session
  return [
    one.agentType,
    one.isOwn && one.agent !== "main" && !isChild ? `${name} ${one.agent}` : name,
    { text: one.state, style: stateStyles[one.state] },
    one.todos > 0 ? `${one.progress.completed}/${one.progress.total}` : "-",
    { text: ageText(one.updated, now), style: dim },
    isTelling(one) || one.current === undefined ? { text: doing(one), style: dim } : one.current,
  ]
}

const dim: Style = { dim: true }

type Doing = Pick<JoinedSession, "state" | "waitsFor" | "error" | "isFinished" | "todos" | "planTool"> & {
  current?: string | undefined
}

/** Whether its state says more of what is going on than its list. */
const isTelling = ({ state, waitsFor, error }: Doing): boolean =>
  (state === "waiting" && waitsFor !== undefined && waitsFor.kind !== "turn") ||
  (state === "failed" && error !== undefined)

export const doing = (session: Doing): string => {
  const { current, isFinished, todos, planTool } = session
  // That it has failed is said beside it.
  if (isTelling(session)) return session.state === "failed" ? (session.error ?? "") : stateWordsOf(session)
  if (current !== undefined) return current
  if (isFinished && todos > 0) return "finished"
  return planTool === "absent" ? "no plan tool in this session" : "no plan yet"
}
