/** The board as a stream of changes: one log for all pages, from which each page gets the changes it is missing. */
import type { Board } from "../board/board.ts"
import type { SessionRow } from "../views/board/session.ts"
import type { Row } from "./api.ts"
import { type ChangeLog, createChangeLog } from "./change-log.ts"
import { createOpenPages, type OpenPages, type Page } from "./open-pages.ts"

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

export const createEvents = ({ board, rowFor, limits: given }: EventsOptions): Events => {
  const limits = { ...usualLimits, ...given }
  const changes = createChangeLog({ board, rowFor, limits })
  const pages = createOpenPages({ limits })
  let pause: NodeJS.Timeout | undefined
  let isClosed = false

  const take = (): void => {
    if (changes.take()) pages.wakeAll()
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

  const stop = board.subscribe(onChange)

  return {
    cursor: changes.cursor,
    wholeBody: changes.wholeBody,
    open(after, { isAllowed, device }) {
      const page = isClosed ? undefined : pages.join(device)
      const isOver = (): boolean => isClosed || !isAllowed()
      return page && streamFor({ page, pages, changes, seen: changes.positionIn(after), isOver })
    },
    close() {
      isClosed = true
      stop()
      clearTimeout(pause)
      pages.close()
    },
  }
}

type StreamOptions = {
  page: Page
  pages: Pick<OpenPages, "leave">
  changes: Pick<ChangeLog, "nextAfter">
  /** The last position that the page has. */
  seen: number | undefined
  /** The stream ends when this returns true. */
  isOver: () => boolean
}

const streamFor = ({ page, pages, changes, seen: known, isOver }: StreamOptions): ReadableStream<Uint8Array> => {
  let seen = known
  /** What is to be sent now; undefined if there is nothing. */
  const next = (): Uint8Array | undefined => {
    const change = changes.nextAfter(seen)
    if (change) seen = change.position
    if (change || !page.isBeat) return change?.bytes
    page.isBeat = false
    return beat
  }
  /** Nothing is buffered for a page that does not read. Its next read gets all it missed. */
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    while (!page.isGone) {
      if (isOver()) {
        pages.leave(page)
        controller.close()
        return
      }
      const bytes = next()
      if (bytes) {
        controller.enqueue(bytes)
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
        pages.leave(page)
        page.wake?.()
      },
    },
    { highWaterMark: 0 },
  )
}

const encoder = new TextEncoder()

/** In milliseconds: how soon a browser tries again. */
const hello = encoder.encode("retry: 1000\n\n")
const beat = encoder.encode(": still here\n\n")
