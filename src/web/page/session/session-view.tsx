/** One session: its plan and those of its sub-agents on the left, its timeline and history on the right. */
import { useState } from "react"
import { teamOf } from "../../../views/board/families.ts"
import type { HistoryReply, Row, SessionReply } from "../../api.ts"
import { useCommands } from "../keys/keyboard.ts"
import { useLoaded } from "../live/use-loaded.ts"
import { classOf } from "../now/card.tsx"
import { openInAgent } from "../now/open-buttons.tsx"
import { titleOf } from "../now/title.ts"
import { usePage } from "../page.ts"
import { RouteLink } from "../parts/route-link.tsx"
import { dayAndTime } from "../parts/since.tsx"
import { Text } from "../parts/text.tsx"
import { sessionPath } from "../request.ts"
import { useStore } from "../store.ts"
import { HistoryList } from "./history-list.tsx"
import { PlanSection } from "./plan-section.tsx"
import { SessionHead } from "./session-head.tsx"
import { Timeline } from "./timeline.tsx"
import { useMoment } from "./use-moment.ts"
import { WhenTold } from "./when-told.tsx"

/** The plans of this many sub-agents are shown, as on the terminal board. */
const mostPlans = 12

export const SessionView = ({ id }: { id: string }) => {
  const { board } = usePage()
  const rows = useStore(board.rows)
  const isRead = useStore(board.isRead)
  const row = rows.find(({ key }) => key === id)
  if (row) return <OneSession key={id} row={row} rows={rows} />
  return (
    <div className="empty">
      <h1 tabIndex={-1}>{isRead ? "This session no longer exists" : "Looking for the session"}</h1>
      {isRead && (
        <p>
          Its file may have been removed, or Headway was restarted.{" "}
          <RouteLink to={{ view: "now" }}>All sessions</RouteLink> are on the board.
        </p>
      )}
    </div>
  )
}

const OneSession = ({ row, rows }: { row: Row; rows: readonly Row[] }) => {
  const page = usePage()
  const session = useLoaded<SessionReply>(sessionPath(row.key), row.version)
  const history = useLoaded<HistoryReply>(sessionPath(row.key, "/history"), row.version)
  const [at, setAt] = useState<number>()
  const entry = at === undefined ? undefined : history.value?.entries[at]
  const past = useMoment(row.key, entry?.id)
  const changes = history.value?.entries.filter(({ by }) => by === "person").length ?? 0
  const team = teamOf(rows, row).map((member) => member.session as Row)
  useCommands((command) => {
    if (command.kind !== "enter-agent") return false
    void openInAgent(page, row)
    return true
  })
  return (
    <>
      <SessionHead row={row} session={session.value} past={past} changes={changes} />
      {entry && (
        <p className="past" role="status">
          <span>The plan as it was at {dayAndTime(entry.at)}.</span>
          <button type="button" className="button" onClick={() => setAt(undefined)}>
            Back to now
          </button>
        </p>
      )}
      <div className="two">
        <section className={`panel ${classOf(row.state)}`} data-pane="plan" aria-label="Plan">
          <PlanBody row={row} session={session} past={past} />
          {entry === undefined && team.slice(0, mostPlans).map((one) => <SubAgent key={one.key} row={one} />)}
          {entry === undefined && team.length > mostPlans && (
            <p className="nothing">and {team.length - mostPlans} more sub-agents</p>
          )}
        </section>
        <div className="side" data-pane="side">
          <section className="panel" aria-label="Timeline">
            <h2>Timeline</h2>
            {history.value ? (
              <Timeline
                history={history.value}
                at={at}
                onMove={setAt}
                isLive={row.state === "working" || row.state === "stalled"}
                updated={row.updated}
              />
            ) : (
              <p className="nothing">{history.error ?? "Reading the history"}</p>
            )}
          </section>
          <section className="panel" aria-label="History">
            <h2>History</h2>
            {history.value && <HistoryList history={history.value} at={at} onMove={setAt} />}
          </section>
        </div>
      </div>
    </>
  )
}

type PlanBodyProps = Omit<Parameters<typeof PlanSection>[0], "isMain">

const PlanBody = ({ row, session, past }: PlanBodyProps) => {
  const { value, error } = session
  if (!value) return <p className="nothing">{error ?? "Reading the plan"}</p>
  const { unheard } = value
  const isEmpty = (value.plan?.todos.length ?? 0) === 0
  return (
    <>
      {isEmpty && !past && (
        <p className="nothing">
          {row.planTool === "absent"
            ? "This agent has no todo tool here, so it has no plan. Most agents have a switch that turns one on."
            : "No plan yet."}
        </p>
      )}
      <PlanSection row={row} session={session} past={past} isMain />
      {unheard && unheard.untold.length + unheard.against.length > 0 && !past && (
        <div className="untold">
          {unheard.untold.length > 0 && (
            <p>
              <b>{row.agentName} does not know yet:</b>
            </p>
          )}
          <ul>
            {unheard.untold.map((line) => (
              <li key={line}>
                <Text of={line} most={400} />
              </li>
            ))}
            {unheard.against.map((line) => (
              <li key={line}>
                <Text of={`${row.agentName} ${line}`} most={400} />
              </li>
            ))}
          </ul>
          <WhenTold says={unheard.hearing} connect={value.connect} />
        </div>
      )}
    </>
  )
}

const SubAgent = ({ row }: { row: Row }) => {
  const session = useLoaded<SessionReply>(row.todos > 0 ? sessionPath(row.key) : undefined, row.version)
  return (
    <section className={`sub ${classOf(row.state)}`} aria-label={`Sub-agent ${titleOf(row).slice(0, 100)}`}>
      <h2>
        <span className="dot" aria-hidden="true" />
        <span>
          Sub-agent · <Text of={titleOf(row)} most={200} />
        </span>
        <span className="count">
          {row.todos > 0 ? `${row.progress.completed} of ${row.progress.total}` : "no plan"}
        </span>
      </h2>
      {session.value && <PlanSection row={row} session={session} isMain={false} />}
    </section>
  )
}
