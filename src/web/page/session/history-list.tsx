/** Who changed what and when, the newest first. Each entry opens the plan as it was then. */
import type { HistoryReply } from "../../api.ts"
import { Ago } from "../parts/since.tsx"
import { keyed, Text } from "../parts/text.tsx"
import { Windowed } from "../parts/windowed.tsx"

type HistoryListProps = { history: HistoryReply; at: number | undefined; onMove: (at: number | undefined) => void }

/** The most lines shown of one entry; an agent's first plan may have hundreds. */
const mostLines = 4

export const HistoryList = ({ history, at, onMove }: HistoryListProps) => {
  const entries = history.entries.map((entry, index) => ({ entry, index })).toReversed()
  if (entries.length === 0) return <p className="nothing">Headway keeps no history of this plan yet.</p>
  return (
    <div className="history">
      <Windowed
        items={entries}
        height={34}
        label="History"
        render={({ entry, index }) => (
          <li key={entry.id} className={index === at ? "shown" : ""}>
            <button
              type="button"
              data-stop="entry"
              aria-pressed={index === at}
              title="Show the plan as it was then"
              onClick={() => onMove(index === at ? undefined : index)}
            >
              <b>
                <Text of={entry.name} most={60} />
              </b>
              <span className="lines-of">
                {keyed(entry.lines.slice(0, mostLines)).map(([key, line]) => (
                  <Text key={key} of={line} most={400} className="clamp to-two" />
                ))}
                {entry.lines.length > mostLines && (
                  <span className="faint">and {entry.lines.length - mostLines} more changes</span>
                )}
              </span>
              {entry.isTold !== undefined && <span className="told">{entry.isTold ? "told" : "not told"}</span>}
              <Ago at={entry.at} />
            </button>
          </li>
        )}
      />
    </div>
  )
}
