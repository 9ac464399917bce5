/** The board without sessions: says why it is empty, or how to connect an agent. */
import { usePage } from "../page.ts"
import { useStore } from "../store.ts"

export const EmptyBoard = () => {
  const { board } = usePage()
  const isRead = useStore(board.isRead)
  const link = useStore(board.link)
  if (!isRead && link.state !== "down")
    return (
      <div className="empty" aria-busy="true">
        <h1 tabIndex={-1}>Looking for sessions</h1>
        <p>Headway reads the session files of the agents on this machine.</p>
      </div>
    )
  if (!isRead)
    return (
      <div className="empty">
        <h1 tabIndex={-1}>Headway cannot be reached</h1>
        <p>
          Start it again with <code>headway serve</code>. This page then reconnects by itself.
        </p>
      </div>
    )
  return (
    <div className="empty">
      <h1 tabIndex={-1}>No sessions yet</h1>
      <p>Start a coding agent in any folder: its plan appears here by itself.</p>
      <p>
        To give an agent a todo list of its own and tell it about your changes, connect it once:{" "}
        <code>headway setup claude-code</code>. <code>headway setup</code> lists the agents that can be connected.
      </p>
    </div>
  )
}
