/** The state of one viewer of a board: its rows, with the plans in view. */
import type { BoardSession, BoardSource, SessionPlan, SessionRow } from "../views/board/session.ts"
import type { Board } from "./board.ts"
import { createRecent } from "./recent.ts"

/** The plan of a row as it was read for this viewer. */
type Read = { version: number; plan: SessionPlan; session: BoardSession }

/** Plans that stay in memory for when the viewer returns to them. */
const mostRead = 32

/** Closing a viewer stops following the board; the board itself stays open. */
export const createBoardViewer = (board: Board): BoardSource & { close(): void } => {
  const listeners = new Set<() => void>()
  const read = createRecent<string, Read>(mostRead)
  const reading = new Map<string, number>()
  let inSight: readonly string[] = []
  let sessions: readonly BoardSession[] = board.rows

  const announce = (): void => {
    for (const listener of listeners) listener()
  }

  const keep = (row: SessionRow, plan: SessionPlan): void =>
    read.set(row.key, { version: row.version, plan, session: { ...row, ...plan } })

  /** Until a plan has been read again, the viewer keeps the one they saw. */
  const readAgain = async (row: SessionRow): Promise<void> => {
    const { key, version } = row
    if (reading.get(key) === version) return
    reading.set(key, version)
    try {
      const plan = await board.read(key)
      if (reading.get(key) !== version) return
      keep(row, plan)
      sessions = joined()
      announce()
    } catch {
      // The board's notice reports the problem with the store; the next change of the row tries again.
    } finally {
      if (reading.get(key) === version) reading.delete(key)
    }
  }

  /** Returns whether anything new arrived. */
  const take = (rows: ReadonlyMap<string, SessionRow>): boolean => {
    let isNew = false
    for (const key of inSight) {
      const row = rows.get(key)
      if (!row || read.get(key)?.version === row.version) continue
      const plan = board.planAtHand(key)
      if (plan) keep(row, plan)
      else void readAgain(row)
      isNew ||= plan !== undefined
    }
    return isNew
  }

  const joined = (): readonly BoardSession[] => {
    const known = new Map(read.values().map((one) => [one.session.key, one]))
    return board.rows.map((row) => {
      const one = known.get(row.key)
      if (!one) return row
      return one.version === row.version ? one.session : { ...row, ...one.plan }
    })
  }

  const rowsByKey = (): Map<string, SessionRow> => new Map(board.rows.map((row) => [row.key, row]))

  const stop = board.subscribe(() => {
    take(rowsByKey())
    sessions = joined()
    announce()
  })

  return {
    get sessions() {
      return sessions
    },
    get notice() {
      return board.notice
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    show(keys) {
      inSight = keys
      if (take(rowsByKey())) sessions = joined()
    },
    edit: board.edit,
    textOf: board.textOf,
    close() {
      listeners.clear()
      stop()
    },
  }
}
