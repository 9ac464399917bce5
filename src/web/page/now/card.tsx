/** One session on the board: its title, state, progress, and buttons to resume it in its agent. */
import { memo } from "react"
import type { Family } from "../../../views/board/families.ts"
import { isLive, stateWords } from "../../../views/board/glyphs.ts"
import { isSubAgent, placeOf } from "../../../views/board/names.ts"
import { newsOf } from "../../../views/board/news.ts"
import { doubtSentence, markAppearances } from "../../../views/plan/evidence-marks.ts"
import type { Row } from "../../api.ts"
import { ProgressBar } from "../parts/progress.tsx"
import { RouteLink } from "../parts/route-link.tsx"
import { Ago, Running } from "../parts/since.tsx"
import { Text } from "../parts/text.tsx"
import { OpenButtons } from "./open-buttons.tsx"
import { Question } from "./question.tsx"
import { titleOf } from "./title.ts"

/** The most sub-agents shown by name. */
const mostMembers = 3

type CardProps = {
  family: Family /** Whether the project is named above the card. */
  isPlaced?: boolean
  isCompact?: boolean
}

/** Families are rebuilt for every change, but rows keep their identity, so only rows are compared. */
const isSame = (one: CardProps, other: CardProps): boolean =>
  one.isCompact === other.isCompact &&
  one.family.state === other.family.state &&
  one.family.members.length === other.family.members.length &&
  one.family.members.every(({ session }, index) => session === other.family.members[index]?.session)

export const Card = memo(({ family, isPlaced = false, isCompact = false }: CardProps) => {
  const root = family.root as Row
  const { state } = family
  const members = family.members.map(({ session }) => session as Row)
  const speaker = members.find((row) => row.state === state) ?? root
  const helpers = members.filter((row) => row !== root && row !== speaker && isLive(row))
  const isAsking = state === "waiting" || state === "failed"
  return (
    <article className={`card ${classOf(state)}`} data-key={root.key}>
      <h3>
        <RouteLink to={{ view: "session", key: root.key }} data-stop="card" data-key={root.key} data-state={state}>
          <Text of={titleOf(root)} most={300} />
        </RouteLink>
      </h3>
      <p className="meta">
        <span className="agent">{root.agentName}</span>
        {!isPlaced && <Text of={placeOf(root)} most={80} />}
        {root.branch !== undefined && <Text of={root.branch} most={80} className="branch" />}
        {root.who !== undefined && <Text of={root.who} most={80} className="who" />}
        {state !== "working" && <Ago at={family.updated} />}
        <span className="hidden">{stateWords[state]}</span>
      </p>
      {isAsking && <Question row={speaker} from={speaker === root ? undefined : titleOf(speaker)} />}
      {!isAsking && <Doing row={speaker} state={state} />}
      {root.contradicted !== undefined && (
        <p className="doing">
          <span className="sign doubt" aria-hidden="true">
            {markAppearances.contradicted.sign}
          </span>
          <span>{doubtSentence(root.contradicted)}</span>
        </p>
      )}
      {helpers.length > 0 && <Helpers rows={helpers} />}
      {root.todos > 0 && !isCounted(state) && !isCompact && <ProgressBar progress={root.progress} />}
      {isAsking && root.canOpen && <OpenButtons row={root} isFew={state !== "waiting"} />}
    </article>
  )
}, isSame)

export const classOf = (state: Row["state"]): string =>
  state === "finished" || state === "ended" || state === "idle" ? "done" : state

/** Whether the activity line shows the progress instead of an activity. */
const isCounted = (state: Row["state"]): boolean => state === "finished" || state === "idle"

const Doing = ({ row, state }: { row: Row; state: Row["state"] }) => {
  const { completed, total } = row.progress
  if (isCounted(state)) {
    const words = total === 0 ? stateWords[state] : `${completed} of ${total} done`
    return (
      <p className="doing">
        <span className="sign" aria-hidden="true">
          {completed === total && total > 0 ? "✓" : "·"}
        </span>
        <span>{words}</span>
      </p>
    )
  }
  return (
    <p className="doing">
      <span className="sign" aria-hidden="true">
        {signs[state]}
      </span>
      <Text of={newsOf(row) ?? stateWords[state]} most={300} className="clamp" />
      {state === "working" && row.currentSince !== undefined && <Running since={row.currentSince} />}
    </p>
  )
}

const signs: Readonly<Record<Row["state"], string>> = {
  working: "▶",
  waiting: "◆",
  stalled: "▷",
  ended: "◇",
  finished: "✓",
  failed: "✗",
  idle: "○",
}

/** The session's sub-agents, in short. */
const Helpers = ({ rows }: { rows: readonly Row[] }) => (
  <ul className="helpers" aria-label="Sub-agents">
    {rows.slice(0, mostMembers).map((row) => (
      <li key={row.key} className={classOf(row.state)}>
        <span className="sign" aria-hidden="true">
          {signs[row.state]}
        </span>
        <Text of={isSubAgent(row) ? titleOf(row) : row.agentName} most={120} className="clamp to-one" />
        {row.todos > 0 && (
          <span className="count">
            {row.progress.completed} of {row.progress.total}
          </span>
        )}
      </li>
    ))}
    {rows.length > mostMembers && <li className="faint">and {rows.length - mostMembers} more sub-agents</li>}
  </ul>
)
