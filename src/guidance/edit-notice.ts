/** The notice about a person's changes: what changed, and that it was intended. */
import { asSeen, type PlanEvent, textForModel, type Untold } from "../plan/index.ts"
import { describeEvent } from "../views/index.ts"
import { shortenedInside } from "./shortened.ts"

/** `idOf` gives the id that the agent knows a todo by, from ours; none where it is empty. @default ours */
export type EditNotice = (
  untold: readonly Untold[],
  contentOf: (id: string) => string,
  idOf?: (id: string) => string,
) => string | undefined

/** More than this is a new plan rather than an edit: the agent should read it. */
const maxChanges = 12

/**
 * The changes that one notice has room for, of which there is at least one: what it left out would count as told. The others
 * are for the next notice.
 */
export const changesForNotice = (untold: readonly Untold[]): readonly Untold[] => {
  let count = 0
  const end = untold.findIndex(({ events }, index) => {
    count += events.length
    return index > 0 && count > maxChanges
  })
  return end < 0 ? untold : untold.slice(0, end)
}

/** Of all changes together: a long wording must not push out the next change, as all of them count as told. */
const mostCharacters = 3600

/** The notice for changes the agent does not know of yet; undefined when there is nothing to say. */
export const editNotice: EditNotice = (untold, contentOf, idOf) => {
  const changes = untold.flatMap((entry) => {
    const seen = asSeen(entry, contentOf)
    // Where a person's entry is the first one, it opens the plan as well.
    const made = seen.events.filter(({ type }) => type !== "plan-opened")
    const clauses = made.flatMap((event) => describeEvent(event, seen.contentOf, idOf) ?? [])
    const isElsewhere = entry.by.isElsewhere === true
    return clauses.map((clause) => ({ isElsewhere, text: entry.isUndo ? `undid a change: ${clause}` : clause }))
  })
  if (changes.length === 0) return undefined
  const shown = changes.slice(0, maxChanges)
  const room = Math.floor(mostCharacters / shown.length)
  const lines = shown.flatMap(({ isElsewhere, text }, index) => {
    const line = `- ${shortenedInside(text, room)}`
    return isElsewhere === shown[index - 1]?.isElsewhere ? [line] : [isElsewhere ? elsewhere : here, line]
  })
  const more =
    changes.length > maxChanges
      ? [`- and ${changes.length - maxChanges} more changes; read the list before you continue`]
      : []
  const removals = untold.some(({ isUndo, events }) => !isUndo && events.some(isRemoval))
    ? ["Removed todos were removed on purpose: do not add them again unless you are asked to."]
    : []
  const text = [...lines, ...more, ...removals, closing].join("\n")
  return textForModel(text)
}

const here = "The person changed the plan by hand:"

/** Anyone who may write to the plans of a team can do this, under any name, so no name is given. */
const elsewhere = "The plan was changed by hand on another machine, by a person of the team:"

const closing = "Continue from the plan as it is now."

const isRemoval = ({ type }: PlanEvent): boolean => type === "todo-removed" || type === "plan-cleared"
