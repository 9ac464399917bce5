/** Of all tabs of a browser one has the connection and tells the others: a browser allows six connections to a server, and a stream takes one. */

/** A message of the leading tab. A new leader has a higher term; messages of older leaders are ignored. */
type Told<News> = { kind: "told"; term: number; news: News }
/** Requests to the leading tab: send the current state, or retry the connection now. */
type Asked = { kind: "picture" } | { kind: "retry" }

export type TabsOptions<News> = {
  /** Holds the connection until stopped. A tab that resolves by itself gives up leadership. */
  lead(stop: AbortSignal): Promise<void>
  /** The full state for a new tab. */
  picture(): News
  /** What the leading tab said. */
  hear(news: News): void
  /** Another tab wants the connection to be tried now. */
  onRetry(): void
}

export type Tabs<News> = {
  readonly isLeader: boolean
  publish(news: News): void
  retry(): void
  /** Call it now and then: a tab that leads and says nothing for so long that it must be stuck is replaced. */
  lookAfter(now: number): void
}

const name = "headway-live"
/** The one that leads passes on every sign of life of the server, which come more often than this. */
const longestSilence = 45_000
/** It replies at once, also in the background. */
const longestReply = 4_000

/** Undefined if the browser does not support it: each tab then has its own connection. */
export const joinTabs = <News>({ lead, picture, hear, onRetry }: TabsOptions<News>): Tabs<News> | undefined => {
  // Browsers leave them out where a page is not secure.
  if (!("locks" in navigator) || !("BroadcastChannel" in globalThis)) return undefined
  const channel = new BroadcastChannel(name)
  let leading: AbortController | undefined
  let term = 0
  let lastMessage = 0
  let asked: number | undefined

  const publish = (news: News): void => {
    if (leading) channel.postMessage({ kind: "told", term, news } satisfies Told<News>)
  }
  const ask = (question: Asked): void => channel.postMessage(question)

  /** Resolves with whether it ended by itself. */
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
  /** The browser gives the lock to the next tab when the one that has it is closed. */
  const wait = async (): Promise<void> => {
    let isOver = false
    while (!isOver) {
      // It fails if another tab considered this one stuck.
      isOver = await navigator.locks.request(name, take).catch(() => false)
      if (!isOver) giveUp()
    }
  }

  channel.addEventListener("message", ({ data }: MessageEvent<Told<News> | Asked>) => {
    if (data.kind === "told") {
      if (data.term < term) return
      if (data.term > term) giveUp()
      term = data.term
      lastMessage = Date.now()
      asked = undefined
      hear(data.news)
    } else if (leading && data.kind === "picture") publish(picture())
    else if (leading) onRetry()
  })

  const askForPicture = (now: number): void => {
    asked = now
    ask({ kind: "picture" })
  }
  askForPicture(Date.now())
  void wait()
  // One that comes back from the browser's cache has missed everything.
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
