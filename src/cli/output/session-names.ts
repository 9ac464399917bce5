/** How sessions are named in messages: by title and id, with what tells several of them apart. */
import { agentNamed, shortNameOf } from "../../agents/index.ts"
import type { JoinedSession } from "../../board/joined-session.ts"
import { createProjectLabels } from "../../board/project.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { AgentNames } from "../../views/board/session.ts"
import { shortNames } from "../../views/display-names.ts"
import { cut, pad, widthOf } from "../../views/text/width.ts"
import { ageText } from "../duration.ts"

type Named = Pick<JoinedSession, "session" | "agent" | "agentType" | "title" | "project" | "updated">

/** `"Repair the login" (Claude Code f53816a2)`, or `f53816a2 (Claude Code)` without a title. The id is long enough to name it among all others. */
export const sessionName = (one: Named, all: readonly Named[]): string => {
  const id = idOf(one, shortIds(all))
  const agent = agentTitle(one.agentType)
  return one.title === undefined ? `${id} (${agent})` : `"${titleOf(one)}" (${agent} ${id})`
}

type LinesOptions = { all: readonly Named[]; now: Date; home: string }

/** A line for each, in columns: id, title, agent, project, age. */
export const sessionLines = (some: readonly Named[], { all, now, home }: LinesOptions): string[] => {
  const labelOf = createProjectLabels(home)
  const short = shortIds(all)
  const rows = some.map((one) => [
    idOf(one, short),
    titleOf(one),
    agentTitle(one.agentType),
    labelOf(one.project),
    ageText(one.updated, now),
  ])
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, column) => Math.max(most[column] ?? 0, widthOf(cell))),
    [],
  )
  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  )
}

/** The display name of an agent; plans without an agent are Headway's. */
export const agentTitle = (agentType: string): string =>
  agentType === "headway-agent" ? "Headway agent" : sanitise(agentNamed(agentType)?.title ?? agentType)

/** The same for a board, with a short form for narrow columns. */
export const agentNamesOf = (agentType: string): AgentNames => {
  const short = shortNameOf(agentType)
  return { agentName: agentTitle(agentType), ...(short === undefined ? {} : { agentShortName: short }) }
}

const shortIds = (all: readonly Named[]): ReadonlyMap<string, string> => shortNames(all.map(({ session }) => session))

const idOf = ({ session, agent }: Named, short: ReadonlyMap<string, string>): string => {
  const id = sanitise(short.get(session) ?? session)
  return agent === "main" ? id : `${id} ${sanitise(agent)}`
}

/** In columns: as much as tells one from another. */
const longestTitle = 48

const titleOf = ({ title }: Named): string => (title === undefined ? "-" : cut(sanitise(title), longestTitle))
