/** With a shared store, filters sessions by project, person or machine. */
import { useMemo } from "react"
import type { Row } from "../../api.ts"
import { usePage } from "../page.ts"
import { useStore } from "../store.ts"

export type FilterKind = "project" | "person" | "machine"

export type Filter = { kind: FilterKind; name: string }

export type FilterChoices = Readonly<Record<FilterKind, readonly string[]>>

/** The part of a row that a filter compares. A person's name may contain an @, a machine's name does not. */
const namedIn = ({ project, who }: Row, kind: FilterKind): string | undefined => {
  if (kind === "project") return project
  const at = who?.lastIndexOf("@") ?? -1
  if (who === undefined || at < 0) return undefined
  return kind === "person" ? who.slice(0, at) : who.slice(at + 1)
}

const namesIn = (rows: readonly Row[], kind: FilterKind): string[] => {
  const names = rows.map((row) => namedIn(row, kind)).filter((name) => name !== undefined)
  return [...new Set(names)].toSorted((one, other) => one.localeCompare(other))
}

/** Undefined if one person works on one machine, because there is nothing to filter then. */
const choicesIn = (rows: readonly Row[], chosen?: Filter): FilterChoices | undefined => {
  const [person, machine] = [namesIn(rows, "person"), namesIn(rows, "machine")]
  if (person.length < 2 && machine.length < 2) return undefined
  const choices = { project: namesIn(rows, "project"), person, machine }
  // The current choice stays available even if its last session is gone.
  if (chosen && !choices[chosen.kind].includes(chosen.name)) choices[chosen.kind].push(chosen.name)
  return choices
}

/** All rows, the shown rows, and the available filters. */
export const useShownRows = () => {
  const { board, filter } = usePage()
  const rows = useStore(board.rows)
  const chosen = useStore(filter)
  return useMemo(() => {
    const choices = choicesIn(rows, chosen)
    const shown = choices && chosen ? rows.filter((row) => namedIn(row, chosen.kind) === chosen.name) : rows
    return { rows, shown, choices, chosen }
  }, [rows, chosen])
}
