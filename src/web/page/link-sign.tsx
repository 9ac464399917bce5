/** Shows whether the page is connected, or since when it is not. */
import { usePage } from "./page.ts"
import { dayAndTime } from "./parts/since.tsx"
import { useStore } from "./store.ts"

export const LinkSign = () => {
  const { state } = useStore(usePage().board.link)
  const words = state === "live" ? "live" : state === "down" ? "offline" : "connecting"
  return (
    <span className={`link ${state}`} role="status">
      {words}
    </span>
  )
}

/** While the connection is down, says that the page shows an old state. */
export const LinkBanner = () => {
  const { board } = usePage()
  const link = useStore(board.link)
  const isRead = useStore(board.isRead)
  if (link.state !== "down" || !isRead) return null
  return (
    <div className="banner" role="alert">
      <span>
        {link.message} {link.since !== undefined && `You see the board as it was at ${dayAndTime(link.since)}.`} The
        page reconnects by itself.
      </span>
      <button type="button" className="button" onClick={() => board.reconnect()}>
        Try now
      </button>
    </div>
  )
}
