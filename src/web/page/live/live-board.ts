/** All sessions, kept up to date through this tab's connection, or through the tab of this browser that has one. */
import type { Change, Row } from "../../api.ts"
import { createStore, type Store } from "../store.ts"
import { createConnection, type Link } from "./connection.ts"
import { joinTabs } from "./tabs.ts"

export type LiveBoard = {
  /** A new array after every change; unchanged rows keep their identity. */
  readonly rows: Store<readonly Row[]>
  readonly notice: Store<string | undefined>
  readonly link: Store<Link>
  /** False until the sessions have been read for the first time. */
  readonly isRead: Store<boolean>
  /** Whether this tab shows the notifications. */
  isSpeaker(): boolean
  /** Tries to connect now instead of waiting for the next try. */
  reconnect(): void
}

/** Messages between tabs. An empty one is a keep-alive. */
type News = { change?: Change; cursor?: string | undefined; link?: Link }

/** The server sends something at least this often; after this long without data, the connection counts as lost. */
const longestSilence = 45_000

export const createLiveBoard = (): LiveBoard => {
  const rows = createStore<readonly Row[]>([])
  const notice = createStore<string | undefined>(undefined)
  const link = createStore<Link>({ state: "connecting" })
  const isRead = createStore(false)
  let known = new Map<string, Row>()
  let cursor: string | undefined
  let lastSign = 0

  const take = (change: Change, position: string | undefined): void => {
    const next = change.isWhole ? new Map<string, Row>() : new Map(known)
    for (const key of change.gone) next.delete(key)
    for (const row of change.rows)
      next.set(row.key, known.get(row.key)?.version === row.version ? (known.get(row.key) ?? row) : row)
    known = next
    cursor = position
    rows.set([...known.values()])
    notice.set(change.notice)
    isRead.set(true)
  }

  const connection = createConnection({
    cursor: () => cursor,
    take(change, position) {
      take(change, position)
      tabs?.publish({ change, cursor: position })
    },
    setLink(next) {
      link.set(next)
      // Each tab checks for itself whether the server knows this browser: a cookie may have been set since.
      if (next.state !== "unknown-browser") tabs?.publish({ link: next })
    },
    onSign() {
      lastSign = Date.now()
      tabs?.publish({})
    },
  })

  const tabs = joinTabs<News>({
    lead: connection.keep,
    picture: () => ({
      link: link.value,
      ...(isRead.value
        ? { cursor, change: { rows: [...rows.value], gone: [], notice: notice.value, isWhole: true } }
        : {}),
    }),
    onNews(news) {
      if (link.value.state === "unknown-browser") return
      lastSign = Date.now()
      // A partial change is useless to a tab that has not read the board.
      if (news.change && (news.change.isWhole || isRead.value)) take(news.change, news.cursor)
      if (news.link) link.set(news.link)
    },
    onRetry: connection.retry,
  })
  if (!tabs) void connection.keep(new AbortController().signal)

  const isFollower = (): boolean => tabs !== undefined && !tabs.isLeader
  const retry = (): void => (tabs ? tabs.retry() : connection.retry())

  /** Checks the connection: a computer that slept does not notice that its connections are gone. */
  const lookAfter = (): void => {
    if (link.value.state === "unknown-browser") return
    const now = Date.now()
    tabs?.lookAfter(now)
    if (link.value.state === "live" && !isFollower() && now - lastSign > longestSilence) connection.renew()
  }
  setInterval(() => {
    lookAfter()
    // Timers are slow in hidden tabs, so a visible tab watches the time of the next try for the leading tab.
    const isDue = link.value.state === "down" && Date.now() > link.value.retry
    if (isDue && isFollower() && document.visibilityState === "visible") retry()
  }, 5_000)
  document.addEventListener("visibilitychange", () => {
    lookAfter()
    if (document.visibilityState === "visible" && link.value.state === "down") retry()
  })
  addEventListener("online", retry)
  addEventListener("offline", connection.renew)

  return { rows, notice, link, isRead, isSpeaker: () => !isFollower(), reconnect: retry }
}
