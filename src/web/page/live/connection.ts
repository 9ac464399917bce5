/** The connection to the server: reads all sessions once, then their changes, and reconnects by itself. */
import { isHeadwayError, messageOf } from "../../../plan/headway-error.ts"
import type { BoardReply, Change } from "../../api.ts"
import { errorOf, load } from "../request.ts"
import { readEvents } from "./event-stream.ts"

export type Link =
  | { state: "connecting" | "live" }
  /**
   * The data is from `since`, `message` says why, and the next try is at `retry`. Times are in milliseconds since 1970.
   */
  | { state: "down"; since: number | undefined; retry: number; message: string }
  /** The server does not know this browser. */
  | { state: "unknown-browser" }

/** The receiver of a connection's data and state. */
export type ConnectionOwner = {
  /** Returns the position up to which the board is known, if any. */
  cursor(): string | undefined
  take(change: Change, cursor: string): void
  setLink(link: Link): void
  /** Called when the server has sent anything, even a keep-alive. */
  onSign(): void
}

export type Connection = {
  /** Keeps the connection open. Resolves when stopped, or if the server does not know this browser. */
  keep(stop: AbortSignal): Promise<void>
  /** Tries again now instead of waiting for the next try. */
  retry(): void
  /** Closes the connection and opens a new one. */
  renew(): void
}

/** The first retry is immediate, later ones are increasingly delayed. */
const [shortestWait, longestWait] = [500, 15_000]

export const createConnection = (owner: ConnectionOwner): Connection => {
  let current = new AbortController()
  let wake = (): void => {}
  let lastSign: number | undefined

  const onSign = (): void => {
    lastSign = Date.now()
    owner.onSign()
  }

  const readBoard = async (signal: AbortSignal): Promise<string> => {
    const { rows, notice, cursor } = await load<BoardReply>("/api/board", signal)
    onSign()
    owner.take({ rows, gone: [], notice, isWhole: true }, cursor)
    return cursor
  }

  const follow = async (signal: AbortSignal, onOpen: () => void): Promise<void> => {
    const cursor = owner.cursor() ?? (await readBoard(signal))
    const response = await fetch("/api/events", {
      headers: { accept: "text/event-stream", "last-event-id": cursor },
      signal,
    })
    if (!response.ok || !response.body) throw await errorOf(response)
    onOpen()
    owner.setLink({ state: "live" })
    onSign()
    for await (const events of readEvents(response.body)) {
      onSign()
      for (const { name, id, data } of events)
        if (name === "change" && id !== undefined) owner.take(JSON.parse(data) as Change, id)
    }
  }

  const pause = (milliseconds: number, stop: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        stop.removeEventListener("abort", end)
        resolve()
      }
      const timer = setTimeout(end, milliseconds)
      stop.addEventListener("abort", end)
      wake = end
    })

  const keep = async (stop: AbortSignal): Promise<void> => {
    let wait = shortestWait
    stop.addEventListener("abort", () => current.abort())
    while (!stop.aborted) {
      current = new AbortController()
      const failure = await follow(current.signal, () => {
        // The connection was established, so the next waits are short again.
        wait = shortestWait
      }).then(
        () => undefined,
        (cause: unknown) => cause,
      )
      if (stop.aborted) return
      if (isHeadwayError(failure) && failure.code === "unknown-browser")
        return owner.setLink({ state: "unknown-browser" })
      const message = isHeadwayError(failure) ? messageOf(failure) : "The connection is down."
      owner.setLink({ state: "down", since: lastSign, retry: Date.now() + wait, message })
      await pause(wait, stop)
      wait = Math.min(longestWait, wait * 2)
    }
  }

  return { keep, retry: () => wake(), renew: () => current.abort() }
}
