/** The head of a session: its title, state, folder and question. */
import { progressOf } from "../../../plan/progress.ts"
import type { Plan } from "../../../plan/todo.ts"
import { stateMeanings, stateWords } from "../../../views/board/glyphs.ts"
import { placeOf } from "../../../views/board/names.ts"
import { promptLabels } from "../../../views/board/prompt.ts"
import { elapsedText } from "../../../views/text/elapsed.ts"
import type { Row, SessionReply } from "../../api.ts"
import { useClock } from "../live/clock.ts"
import { classOf } from "../now/card.tsx"
import { OpenButtons } from "../now/open-buttons.tsx"
import { Question } from "../now/question.tsx"
import { titleOf } from "../now/title.ts"
import { usePage } from "../page.ts"
import { ProgressBar } from "../parts/progress.tsx"
import { RouteLink } from "../parts/route-link.tsx"
import { Ago } from "../parts/since.tsx"
import { Text } from "../parts/text.tsx"
import { Doubt } from "./done-mark.tsx"
import { editSession } from "./edit-session.ts"
import { WhenTold } from "./when-told.tsx"

type SessionHeadProps = {
  row: Row
  session: SessionReply | undefined
  /** In a replay: the plan as it was. */
  past: Plan | undefined
  /** How many entries of the history were made by the person. */
  changes: number
}

export const SessionHead = ({ row, session, past, changes }: SessionHeadProps) => {
  const page = usePage()
  const isAsking = row.state === "waiting" || row.state === "failed"
  const rename = (): void =>
    page.prompts.ask({
      label: promptLabels.rename,
      text: row.title ?? "",
      does: "Rename",
      mayBeEmpty: true,
      answer: (title) => void editSession(page, row.key, { kind: "rename", title }),
    })
  const { unheard } = session ?? {}
  // If there are untold changes, they are shown below the plan.
  const whenTold = unheard && unheard.untold.length > 0 ? undefined : session?.hearing
  return (
    <div className={`head ${classOf(row.state)}`}>
      <nav className="crumb" aria-label="Breadcrumb">
        <RouteLink to={{ view: "now" }}>Now</RouteLink>
        <span aria-hidden="true"> / </span>
        <RouteLink to={{ view: "projects" }}>
          <Text of={placeOf(row)} most={80} />
        </RouteLink>
      </nav>
      <h1 tabIndex={-1}>
        <Text of={titleOf(row)} most={400} />
        <button type="button" className="quiet" onClick={rename}>
          Rename
        </button>
      </h1>
      <p className="meta">
        <span className="state" title={stateMeanings[row.state]}>
          <span className="dot" aria-hidden="true" />
          <span>
            {capital(stateWords[row.state])}
            {row.state !== "working" && (
              <>
                {" · "}
                <Ago at={row.updated} />
              </>
            )}
          </span>
        </span>
        <Doubt count={row.contradicted} />
        <span className="agent">{row.agentName}</span>
        <Text of={row.project} most={200} />
        {row.branch !== undefined && <Text of={row.branch} most={100} className="branch" />}
        {row.who !== undefined && <Text of={row.who} most={100} className="who" />}
        {!row.isEditable && <span>read only</span>}
      </p>
      {isAsking && (
        <div className="question">
          <Question row={row}>{row.canOpen && <OpenButtons row={row} />}</Question>
        </div>
      )}
      {row.canOpen && !isAsking && <OpenButtons row={row} isFew />}
      {row.todos > 0 && (
        <ProgressBar progress={past ? progressOf(past) : row.progress}>
          {!past && <Facts row={row} session={session} changes={changes} />}
        </ProgressBar>
      )}
      {whenTold !== undefined && row.isEditable && <WhenTold says={whenTold} connect={session?.connect} />}
    </div>
  )
}

/** How long the session lasted, and how many changes the person made. */
const Facts = ({ row, session, changes }: Pick<SessionHeadProps, "row" | "session" | "changes">) => {
  const starts = Object.values(session?.times ?? {}).flatMap(({ started }) => started ?? [])
  const first = starts.reduce((one, other) => (other < one ? other : one), row.updated)
  const isLive = row.state === "working" || row.state === "stalled"
  // Updated by the minute, because seconds would be distracting here.
  const end = useClock((now) => (isLive ? Math.floor(now.getTime() / 60_000) * 60_000 : Date.parse(row.updated)))
  const worked = end - Date.parse(first)
  return (
    <>
      {worked >= 60_000 && ` · ${elapsedText(worked)}`}
      {changes > 0 && ` · ${changes === 1 ? "1 change" : `${changes} changes`} by you`}
    </>
  )
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
