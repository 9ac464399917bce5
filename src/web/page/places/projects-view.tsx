/** The sessions by project folder. */
import { useMemo, useState } from "react"
import { type Family, familiesOf } from "../../../views/board/families.ts"
import { foldedBefore } from "../../../views/board/fold.ts"
import { useCommands } from "../keys/keyboard.ts"
import { EmptyBoard } from "../now/empty-board.tsx"
import { Cards } from "../now/now-view.tsx"
import { useCardCommands } from "../now/use-card-commands.ts"
import { useShownRows } from "../parts/filter.ts"
import { FilterChoice } from "../parts/filter-choice.tsx"
import { Text } from "../parts/text.tsx"

export const ProjectsView = () => {
  const { rows, shown } = useShownRows()
  const [isUnfolded, setUnfolded] = useState(false)
  const { projects, older } = useMemo(() => projectsOf(familiesOf(shown), isUnfolded), [shown, isUnfolded])
  useCardCommands()
  useCommands((command) => {
    if (command.kind !== "action" || command.action.type !== "unfold") return false
    setUnfolded(!isUnfolded)
    return true
  })
  if (rows.length === 0) return <EmptyBoard />
  return (
    <>
      <h1 className="title" tabIndex={-1}>
        Projects
      </h1>
      <FilterChoice />
      <div className="projects">
        {projects.map(([name, families]) => (
          <section
            key={name}
            className={`project ${widths[families.length] ?? "full"}`}
            data-pane={name}
            aria-label={name.slice(0, 200)}
          >
            <h2>
              <b>
                <Text of={name} most={200} />
              </b>{" "}
              <span className="count">{families.length}</span>
            </h2>
            <Cards families={families} label={name.slice(0, 200)} isPlaced />
          </section>
        ))}
      </div>
      {(older > 0 || isUnfolded) && (
        <p className="older">
          <button type="button" className="button" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
            {isUnfolded ? "Fold older sessions" : `${older} older`} <kbd>A</kbd>
          </button>
        </p>
      )}
    </>
  )
}

/** Projects with one or two sessions are shown side by side. */
const widths: Readonly<Record<number, string>> = { 1: "one", 2: "two-wide" }

/** Projects, ordered by their newest session. Old ones are left out unless unfolded. */
const projectsOf = (families: readonly Family[], isUnfolded: boolean) => {
  const before = foldedBefore(new Date())
  const isOld = ({ section, time }: Family): boolean => section === "rest" && time < before
  const shown = isUnfolded ? families : families.filter((family) => !isOld(family))
  const projects = new Map<string, Family[]>()
  for (const family of shown.toSorted((one, other) => other.time - one.time)) {
    const { project } = family.root
    projects.set(project, [...(projects.get(project) ?? []), family])
  }
  return { projects: [...projects], older: families.length - shown.length }
}
