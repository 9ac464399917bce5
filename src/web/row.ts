/** The board's data as sent to the page: sanitised text, and only what the page uses. */
import { type Plan, sanitise, sanitiseBlock, sanitiseNote, type Todo } from "../plan/index.ts"
import type { SessionRow } from "../views/board/session.ts"
import type { DoneMarks } from "../views/plan/evidence-marks.ts"
import type { PagePlan, PageTodo, Row, SessionReply } from "./api.ts"

export const rowFor = (row: SessionRow, canOpen: boolean): Row => {
  const { key, session, agent, agentType, agentName, parent, project, branch, title, role, who, state } = row
  const { waitsFor, error, planTool, updated, progress, todos, contradicted } = row
  const { current, upcoming, currentSince, isEditable, version } = row
  const { completed, total, percent } = progress
  return {
    key,
    session,
    agent,
    agentType,
    agentName: sanitise(agentName ?? agentType),
    ...(parent === undefined ? {} : { parent }),
    project: sanitise(project),
    ...line("branch", branch),
    ...line("title", title),
    ...line("role", role),
    ...line("who", who),
    state,
    ...(waitsFor ? { waitsFor: { kind: waitsFor.kind, ...line("text", waitsFor.text) } } : {}),
    ...line("error", error),
    planTool,
    updated,
    progress: { completed, total, percent },
    todos,
    ...(contradicted ? { contradicted } : {}),
    ...line("current", current),
    ...(upcoming ? { upcoming: { kind: upcoming.kind, content: sanitise(upcoming.content) } } : {}),
    ...(currentSince === undefined ? {} : { currentSince }),
    isEditable,
    canOpen,
    version,
  }
}

export const planFor = ({ todos, phases, revision }: Plan): PagePlan => ({
  todos: todos.map(todoFor),
  phases: phases.map(sanitise),
  revision,
})

export const marksFor = (marks: DoneMarks): NonNullable<SessionReply["marks"]> =>
  Object.fromEntries(
    Object.entries(marks).map(([id, { sentences, ...mark }]) => [id, { ...mark, sentences: sentences.map(sanitise) }]),
  )

const todoFor = ({ id, content, status, priority, blockedBy, notes, description, ...todo }: Todo): PageTodo => ({
  id,
  content: sanitise(content),
  status,
  ...line("activeForm", todo.activeForm),
  ...line("phase", todo.phase),
  ...(notes ? { notes: notes.map(sanitiseNote) } : {}),
  ...(description === undefined ? {} : { description: sanitiseBlock(description) }),
  ...(priority ? { priority } : {}),
  ...(blockedBy ? { blockedBy: [...blockedBy] } : {}),
  ...line("owner", todo.owner),
  ...line("reason", todo.reason),
  ...line("waitsFor", todo.waitsFor),
})

const line = <Name extends string>(name: Name, text: string | undefined): Partial<Record<Name, string>> =>
  text === undefined ? {} : ({ [name]: sanitise(text) } as Record<Name, string>)
