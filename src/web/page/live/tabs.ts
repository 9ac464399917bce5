/**
 * Lets one tab of a browser have the connection and pass the changes on to the others, because a browser allows only
 * six connections to a server, and each stream takes one.
 */

/** A message of the leading tab. A new leader has a higher term; messages of older leaders are ignored. */
type NewsMessage<News> = { kind: "told"; term: number; news: News }
/** Requests to the leading tab: send the current state, or retry the connection now. */
type RequestMessage = { kind: "picture" } | { kind: "retry" }

export type TabsOptions<News> = {
  /** Holds the connection until stopped. A tab that resolves by itself gives up leadership. */
  lead(stop: AbortSignal): Promise<void>
  /** The full state for a new tab. */
  picture(): News
  /** Handles a message of the leading tab. */
  onNews(news: News): void
  /** Another tab asks to retry the connection now. */
  onRetry(): void
}

export type Tabs<News> = {
  readonly isLeader: boolean
  publish(news: News): void
  retry(): void
  /** Call it at intervals. Replaces a leading tab that has been silent for so long that it must be stuck. */
  lookAfter(now: number): void
}

const name = "headway-live"
/** The leading tab passes on every keep-alive of the server, which arrive more often than this. In milliseconds. */
const longestSilence = 45_000
/** The leading tab replies at once, even in the background. In milliseconds. */
const longestReply = 4_000

/** Returns undefined if the browser does not support this. Each tab then has its own connection. */
export const joinTabs = <News>({ lead, picture, onNews, onRetry }: TabsOptions<News>): Tabs<News> | undefined => {
  // Browsers have these only on secure pages.
  if (!("locks" in navigator) || !("BroadcastChannel" in globalThis)) return undefined
  const channel = new BroadcastChannel(name)
  let leading: AbortController | undefined
  let term = 0
  let lastMessage = 0
  let asked: number | undefined

  const publish = (news: News): void => {
    if (leading) channel.postMessage({ kind: "told", term, news } satisfies NewsMessage<News>)
  }
  const ask = (question: RequestMessage): void => channel.postMessage(question)

  /** Leads until stopped. Resolves with whether leading ended by itself. */
  const take = async (): Promise<boolean> => {
    const own = new AbortController()
    leading = own
    term = Math.max(Date.now(), term + 1)
    asked = undefined
    // The other tabs may have missed the last messages of the previous leader.
    publish(picture())
    await lead(own.signal)
    if (leading === own) leading = undefined
    return !own.signal.aborted
  }
  const giveUp = (): void => {
    leading?.abort()
    leading = undefined
  }
  /** Waits for the lock, which the browser passes on when the leading tab is closed. */
  const wait = async (): Promise<void> => {
    let isOver = false
    while (!isOver) {
      // Rejects if another tab took the lock, because it considered this one stuck.
      isOver = await navigator.locks.request(name, take).catch(() => false)
      if (!isOver) giveUp()
    }
  }

  channel.addEventListener("message", ({ data }: MessageEvent<NewsMessage<News> | RequestMessage>) => {
    if (data.kind === "told") {
      if (data.term < term) return
      if (data.term > term) giveUp()
      term = data.term
      lastMessage = Date.now()
      asked = undefined
      onNews(data.news)
    } else if (leading && data.kind === "picture") publish(picture())
    else if (leading) onRetry()
  })

  const askForPicture = (now: number): void => {
    asked = now
    ask({ kind: "picture" })
  }
  askForPicture(Date.now())
  void wait()
  // A tab restored from the browser's cache has missed all messages.
  addEventListener("pageshow", ({ persisted }) => persisted && askForPicture(Date.now()))

  return {
    get isLeader() {
      return leading !== undefined
    },
    publish,
    retry: () => (leading ? onRetry() : ask({ kind: "retry" })),
    lookAfter(now) {
      if (leading) return
      if (asked !== undefined && now - asked > longestReply) {
        asked = undefined
        navigator.locks.request(name, { steal: true }, take).catch(giveUp)
      } else if (asked === undefined && now - lastMessage > longestSilence) askForPicture(now)
    },
  }
}
