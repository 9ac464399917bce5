/** The board as a stream of changes: one log for all pages, from which each page gets the changes it is missing. */
import { randomBytes } from "node:crypto"
import type { Board } from "../board/board.ts"
import { escapeHidden } from "../plan/index.ts"
import type { SessionRow } from "../views/board/session.ts"
import type { Row } from "./api.ts"

export type EventsOptions = {
  board: Pick<Board, "rows" | "notice" | "subscribe">
  rowFor: (row: SessionRow) => Row
  limits?: Partial<EventsLimits>
}

export type EventsLimits = {
  /** The most pages that may listen at once. @default 256 */
  pages: number
  /** The most pages of one paired device, so that it cannot keep out others. @default 16 */
  devicePages: number
  /** How many changes a reconnecting page can catch up on; beyond that it gets the whole board. @default 500 */
  changes: number
  /** The size of these changes in bytes. @default 4 MiB */
  bytes: number
  /** Changes within this many milliseconds are sent together. @default 25 */
  together: number
  /** Milliseconds after which a silent stream sends a keep-alive. @default 20 s */
  beat: number
}

export type Events = {
  /** Returns the current position of the stream, from which a client that has read the board continues. */
  cursor(): string
  /** Returns all rows and the notice, as the JSON of a whole change without its braces. */
  wholeBody(): string
  /**
   * Returns a stream for one page that continues from a cursor. Without a cursor, or with one that is too old, it
   * begins with the whole board. Returns undefined if too many pages listen.
   */
  open(after: string | undefined, reader: EventsReader): ReadableStream<Uint8Array> | undefined
  close(): void
}

export type EventsReader = {
  /** Checked before each change is sent. The stream ends when this returns false. */
  isAllowed: () => boolean
  /** The id of the paired device that reads the stream; undefined for the owner. */
  device?: string | undefined
}

const usualLimits: EventsLimits = {
  pages: 256,
  devicePages: 16,
  changes: 500,
  bytes: 4 << 20,
  together: 25,
  beat: 20_000,
}

/** One change, encoded once for all pages. */
type Logged = { position: number; bytes: Uint8Array }

type Page = { device: string | undefined; wake: (() => void) | undefined; isBeat: boolean; isGone: boolean }

export const createEvents = ({ board, rowFor, limits: given }: EventsOptions): Events => {
  const limits = { ...usualLimits, ...given }
  /** Part of each cursor, because a position has no meaning for another run of the server. */
  const run = randomBytes(6).toString("base64url")
  const pages = new Set<Page>()
  const texts = new WeakMap<SessionRow, string>()
  const log: Logged[] = []
  let logged = 0
  let position = 0
  let last: ReadonlyMap<string, SessionRow> = byKey(board.rows)
  let lastNotice = board.notice
  let whole: Logged | undefined
  let pause: NodeJS.Timeout | undefined
  let beating: NodeJS.Timeout | undefined
  let isClosed = false

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

  const wakeAll = (): void => {
    for (const page of pages) page.wake?.()
  }

  /** Adds everything that has changed since the last call to the log, as one change. */
  const take = (): void => {
    const { rows, notice } = board
    const next = byKey(rows)
    const changed = rows.filter((row) => last.get(row.key) !== row)
    const gone = [...last.keys()].filter((key) => !next.has(key))
    if (changed.length + gone.length === 0 && notice === lastNotice) return
    last = next
    lastNotice = notice
    position += 1
    const bytes = eventOf(changed, gone, false)
    log.push({ position, bytes })
    logged += bytes.length
    while (log.length > limits.changes || (logged > limits.bytes && log.length > 0)) {
      logged -= log.shift()?.bytes.length ?? 0
    }
    wakeAll()
  }

  /** The first change is sent at once; those that follow closely are sent together. */
  const onChange = (): void => {
    if (pause || isClosed) return
    take()
    pause = setTimeout(() => {
      pause = undefined
      take()
    }, limits.together).unref()
  }

  const wholeNow = (): Logged => {
    if (whole?.position !== position) whole = { position, bytes: eventOf(last.values(), [], true) }
    return whole
  }

  /** The next change for a page that has everything up to a position; undefined if the page is up to date. */
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

  const join = (page: Page): void => {
    pages.add(page)
    beating ??= setInterval(() => {
      for (const one of pages) {
        one.isBeat = true
        one.wake?.()
      }
    }, limits.beat).unref()
  }

  const leave = (page: Page): void => {
    pages.delete(page)
    if (pages.size > 0) return
    clearInterval(beating)
    beating = undefined
  }

  const isFull = (device: string | undefined): boolean => {
    if (device === undefined) return pages.size >= limits.pages
    const own = [...pages].filter((page) => page.device === device).length
    return own >= limits.devicePages || pages.size >= limits.pages
  }

  const open: Events["open"] = (after, { isAllowed, device }) => {
    if (isClosed || isFull(device)) return undefined
    const page: Page = { device, wake: undefined, isBeat: false, isGone: false }
    let seen = positionIn(after)
    join(page)

    /** Nothing is buffered for a page that does not read. Its next read gets all it missed. */
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      while (!page.isGone) {
        if (isClosed || !isAllowed()) {
          leave(page)
          controller.close()
          return
        }
        const next = nextAfter(seen)
        if (next) {
          seen = next.position
          controller.enqueue(next.bytes)
          return
        }
        if (page.isBeat) {
          page.isBeat = false
          controller.enqueue(beat)
          return
        }
        await new Promise<void>((resolve) => {
          page.wake = resolve
        })
        page.wake = undefined
      }
    }

    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => controller.enqueue(hello),
        pull,
        cancel() {
          page.isGone = true
          leave(page)
          page.wake?.()
        },
      },
      { highWaterMark: 0 },
    )
  }

  const stop = board.subscribe(onChange)

  return {
    cursor: () => `${run}.${position}`,
    wholeBody: () => bodyOf(last.values()),
    open,
    close() {
      isClosed = true
      stop()
      clearTimeout(pause)
      clearInterval(beating)
      wakeAll()
    },
  }
}

const encoder = new TextEncoder()

/** In milliseconds: how soon a browser tries again. */
const hello = encoder.encode("retry: 1000\n\n")
const beat = encoder.encode(": still here\n\n")

const byKey = (rows: readonly SessionRow[]): ReadonlyMap<string, SessionRow> =>
  new Map(rows.map((row) => [row.key, row]))
