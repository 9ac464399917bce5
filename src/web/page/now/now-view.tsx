/** The board: sessions that wait, work, have stalled, or were finished or left today. Older ones are folded. */
import { useMemo, useState } from "react"
import type { Family } from "../../../views/board/families.ts"
import { useCommands } from "../keys/keyboard.ts"
import { useClock } from "../live/clock.ts"
import { useShownRows } from "../parts/filter.ts"
import { FilterChoice } from "../parts/filter-choice.tsx"
import { Windowed } from "../parts/windowed.tsx"
import { Card } from "./card.tsx"
import { type ColumnName, columnsOf, columnTitles } from "./columns.ts"
import { EmptyBoard } from "./empty-board.tsx"
import { useCardCommands } from "./use-card-commands.ts"

/** From left to right. Finished and left sessions share a column. */
const shownColumns: readonly (readonly ColumnName[])[] = [["waiting"], ["working"], ["stalled"], ["done", "over"]]
const hour = 3_600_000

export const NowView = () => {
  const { rows, shown } = useShownRows()
  // Checked once an hour, because only the hour decides when yesterday's sessions leave the board.
  const hours = useClock((now) => Math.floor(now.getTime() / hour))
  const columns = useMemo(() => columnsOf(shown, new Date(Math.max(Date.now(), hours * hour))), [shown, hours])
  const [isUnfolded, setUnfolded] = useState(false)
  const { older } = columns
  useCardCommands()
  useCommands((command) => {
    if (command.kind !== "action" || command.action.type !== "unfold" || older.length === 0) return false
    setUnfolded(!isUnfolded)
    return true
  })
  if (rows.length === 0) return <EmptyBoard />
  return (
    <>
      <h1 className="hidden" tabIndex={-1}>
        Now
      </h1>
      <FilterChoice />
      <div className="board">
        {shownColumns.map((names) => (
          <div key={names[0]} className="column">
            {names.map((name) => (
              <Section key={name} name={name} families={columns[name]} />
            ))}
          </div>
        ))}
      </div>
      {older.length > 0 && (
        <section className="older" data-pane="older" aria-label="Older sessions">
          <button type="button" className="button" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
            {isUnfolded ? "Fold older sessions" : `${older.length} older`} <kbd>A</kbd>
          </button>
          {isUnfolded && <Cards families={older} isCompact label="Older sessions" />}
        </section>
      )}
    </>
  )
}

const Section = ({ name, families }: { name: ColumnName; families: readonly Family[] }) => {
  const title = columnTitles[name]
  const isEmpty = families.length === 0
  if (isEmpty && nothing[name] === undefined) return null
  return (
    <section className={`part ${name}`} data-pane={name} aria-label={title} data-empty={isEmpty}>
      <h2>
        <span className="dot" aria-hidden="true" />
        <b>{title}</b> <span className="count">{families.length}</span>
      </h2>
      {isEmpty ? <p className="nothing">{nothing[name]}</p> : <Cards families={families} label={title} />}
    </section>
  )
}

/** The text of an empty section. A section without a text is left out if empty. */
const nothing: Readonly<Partial<Record<ColumnName, string>>> = {
  waiting: "Nothing is waiting for you.",
  working: "No agent is working.",
  stalled: "Nothing has stalled.",
  done: "Nothing has been finished today.",
}

type CardsProps = { families: readonly Family[]; label: string; isCompact?: boolean; isPlaced?: boolean }

export const Cards = ({ families, label, isCompact = false, isPlaced = false }: CardsProps) => (
  <Windowed
    as="ul"
    items={families}
    size={24}
    height={isCompact ? 110 : 170}
    label={label}
    render={(family) => (
      <li key={family.root.key}>
        <Card family={family} isCompact={isCompact} isPlaced={isPlaced} />
      </li>
    )}
  />
)
