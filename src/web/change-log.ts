/** The changes of the board in order, each encoded once for all pages, and what a page is missing. */
import { randomBytes } from "node:crypto"
import type { Board } from "../board/board.ts"
import { escapeHidden } from "../plan/index.ts"
import type { SessionRow } from "../views/board/session.ts"
import type { Row } from "./api.ts"

export type ChangeLogOptions = {
  board: Pick<Board, "rows" | "notice">
  rowFor: (row: SessionRow) => Row
  /** The most changes that are kept, and their size in bytes. */
  limits: { changes: number; bytes: number }
}

export type ChangeLog = {
  /** The current position, from which a client that has read the board continues. */
  cursor(): string
  /** The position in a cursor of this run; undefined for any other text. */
  positionIn(cursor: string | undefined): number | undefined
  /** All rows and the notice, as the JSON of a whole change without its braces. */
  wholeBody(): string
  /** Adds everything that has changed on the board since the last call, as one change. Returns whether anything has. */
  take(): boolean
  /** The next change for a page that has everything up to a position; undefined if the page is up to date. */
  nextAfter(seen: number | undefined): Logged | undefined
}

/** One change, encoded once for all pages. */
export type Logged = { position: number; bytes: Uint8Array }

export const createChangeLog = ({ board, rowFor, limits }: ChangeLogOptions): ChangeLog => {
  /** Part of each cursor, because a position has no meaning for another run of the server. */
  const run = randomBytes(6).toString("base64url")
  const texts = new WeakMap<SessionRow, string>()
  const log: Logged[] = []
  let logged = 0
  let position = 0
  let last: ReadonlyMap<string, SessionRow> = byKey(board.rows)
  let lastNotice = board.notice
  let whole: Logged | undefined

  const textOf = (row: SessionRow): string => {
    const text = texts.get(row) ?? escapeHidden(JSON.stringify(rowFor(row)))
    texts.set(row, text)
    return text
  }

  const bodyOf = (rows: Iterable<SessionRow>): string => {
    const notice = lastNotice === undefined ? "" : `"notice":${escapeHidden(JSON.stringify(lastNotice))},`
    return `${notice}"rows":[${Array.from(rows, textOf).join()}]`
  }

  const eventOf = (rows: Iterable<SessionRow>, gone: readonly string[], isWhole: boolean): Uint8Array =>
    encoder.encode(
      `event: change\nid: ${run}.${position}\ndata: {${bodyOf(rows)},"gone":${escapeHidden(JSON.stringify(gone))},"isWhole":${isWhole}}\n\n`,
    )

  const take = (): boolean => {
    const { rows, notice } = board
    const next = byKey(rows)
    const changed = rows.filter((row) => last.get(row.key) !== row)
    const gone = [...last.keys()].filter((key) => !next.has(key))
    if (changed.length + gone.length === 0 && notice === lastNotice) return false
    last = next
    lastNotice = notice
    position += 1
    const bytes = eventOf(changed, gone, false)
    log.push({ position, bytes })
    logged += bytes.length
    while (log.length > limits.changes || (logged > limits.bytes && log.length > 0)) {
      logged -= log.shift()?.bytes.length ?? 0
    }
    return true
  }

  const wholeNow = (): Logged => {
    if (whole?.position !== position) whole = { position, bytes: eventOf(last.values(), [], true) }
    return whole
  }

  const nextAfter = (seen: number | undefined): Logged | undefined => {
    if (seen === position) return undefined
    const missed = seen === undefined ? [] : log.filter((one) => one.position > seen)
    // With a gap in the log, the page would keep rows that no longer exist, so it gets the whole board.
    if (seen === undefined || missed.length !== position - seen) return wholeNow()
    const [only] = missed
    const bytes = missed.length === 1 && only ? only.bytes : Buffer.concat(missed.map((one) => one.bytes))
    return { position, bytes }
  }

  const positionIn = (cursor: string | undefined): number | undefined => {
    const [owner, number = ""] = cursor?.split(".") ?? []
    const known = owner === run && /^\d{1,15}$/.test(number) ? Number(number) : undefined
    return known !== undefined && known <= position ? known : undefined
  }

  return {
    cursor: () => `${run}.${position}`,
    positionIn,
    wholeBody: () => bodyOf(last.values()),
    take,
    nextAfter,
  }
}

const encoder = new TextEncoder()

const byKey = (rows: readonly SessionRow[]): ReadonlyMap<string, SessionRow> =>
  new Map(rows.map((row) => [row.key, row]))
