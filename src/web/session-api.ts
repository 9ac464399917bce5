/** The API of one session: its plan, its history, edits, and resuming it in its agent. */
import type { Board } from "../board/board.ts"
import { emptyPlan, type Plan, sanitise, todoById } from "../plan/index.ts"
import type { SessionRow } from "../views/board/session.ts"
import { whenToldSentence } from "../views/when-told.ts"
import type { EditReply, EditRequest, HistoryReply, Moment, OpenReply, Row, SessionReply } from "./api.ts"
import { marksFor, planFor } from "./row.ts"

/** The command that resumes a session, for a person's shell. */
export type Resume = { command: string; folder: string }

export type SessionApiOptions = {
  board: Pick<Board, "rows" | "read" | "edit" | "history" | "moment" | "whenTold">
  rowFor: (row: SessionRow) => Row
  /** Returns undefined if the session cannot be resumed. */
  resumeOf: (row: SessionRow) => Resume | undefined
  /** Resumes the session where the person sees it. Resolves with a message; never rejects. */
  openInAgent: (row: SessionRow) => Promise<OpenReply>
}

/** Each function resolves with undefined if there is no such session or entry. */
export type SessionApi = {
  read(key: string): Promise<SessionReply | undefined>
  history(key: string): Promise<HistoryReply | undefined>
  moment(key: string, entry: string): Promise<Moment | undefined>
  edit(key: string, request: EditRequest): Promise<EditReply | undefined>
  open(key: string): Promise<OpenReply | undefined>
}

export const createSessionApi = ({ board, rowFor, resumeOf, openInAgent }: SessionApiOptions): SessionApi => {
  const find = (key: string): SessionRow | undefined => board.rows.find((row) => row.key === key)

  return {
    async read(key) {
      const [{ plan, times, marks, untoldChanges }, whenTold] = await Promise.all([
        board.read(key),
        board.whenTold(key),
      ])
      const row = find(key)
      if (!row) return undefined
      const resume = resumeOf(row)
      return {
        row: rowFor(row),
        ...(plan ? { plan: planFor(plan) } : {}),
        times,
        ...(marks ? { marks: marksFor(marks) } : {}),
        ...(untoldChanges
          ? {
              unheard: {
                untold: untoldChanges.untold.map(sanitise),
                against: untoldChanges.against.map(sanitise),
                hearing: whenToldSentence(untoldChanges.whenTold),
              },
            }
          : {}),
        ...(whenTold ? { hearing: whenToldSentence(whenTold) } : {}),
        ...(whenTold?.connect === undefined ? {} : { connect: sanitise(whenTold.connect) }),
        ...(resume ? { resume } : {}),
      }
    },
    async history(key) {
      if (!find(key)) return undefined
      const { entries, spans } = await board.history(key)
      return {
        entries: entries.map(({ name, lines, ...entry }) => ({
          ...entry,
          name: sanitise(name),
          lines: lines.map(sanitise),
        })),
        spans: spans.map((span) => ({ ...span, content: sanitise(span.content) })),
      }
    },
    async moment(key, entry) {
      const moment = await board.moment(key, entry)
      return moment && { at: moment.at, plan: planFor(moment.plan) }
    },
    async edit(key, { edit, seen }) {
      if (!find(key)) return undefined
      const plan = seen && seenPlan(seen, (await board.read(key)).plan)
      return board.edit(key, edit, plan)
    },
    async open(key) {
      const row = find(key)
      return row && openInAgent(row)
    },
  }
}

/** The todos as the page showed them. A todo that differs only by sanitising counts as unchanged. */
const seenPlan = (seen: NonNullable<EditRequest["seen"]>, plan: Plan | undefined): Plan => ({
  ...emptyPlan,
  todos: seen.map((one) => {
    const { content } = (plan && todoById(plan, one.id)) ?? one
    return sanitise(content) === one.content ? { ...one, content } : one
  }),
})
