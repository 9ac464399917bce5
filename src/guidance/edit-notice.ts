/** The notice about a person's changes: what changed, and that it was intended. */
import { asSeen, type PlanEvent, partOf, restOf, type ToldPart, textForModel, type Untold } from "../plan/index.ts"
import { describeEvent, describeEvents } from "../views/index.ts"
import { shortenedInside } from "./shortened.ts"

export type EditNotice = (
  untold: readonly Untold[],
  contentOf: (id: string) => string,
  options?: NoticeOptions,
) => string | undefined

export type NoticeOptions = {
  /** Returns the agent's own id of a todo for ours; empty if it has none. @default ours */
  idOf?: (id: string) => string
  /** How many parts of the last change remain for the next notices. @default 0 */
  left?: number
}

/** The most changes in one notice. */
const maxChanges = 12

/** The changes of one notice. If it has only a part of one change, `part` says which, and `left` how much remains. */
export type NoticeChanges = { changes: readonly Untold[]; part?: ToldPart; left: number }

/**
 * The changes that fit into one notice. The others remain untold until the next notice. A change with too many parts,
 * such as an import, is told in parts.
 */
export const changesForNotice = (untold: readonly Untold[]): NoticeChanges => {
  const rest = untold.map(restOf)
  const [first, ...others] = rest
  if (!first) return { changes: [], left: 0 }
  const room = roomIn(first)
  if (first.events.length > room) {
    const from = untold[0]?.told ?? 0
    const part = { entry: first.entry, from, to: from + room }
    return { changes: [partOf(first, 0, room)], part, left: first.events.length - room }
  }
  let taken = first.events.length
  const end = others.findIndex(({ events }) => {
    taken += events.length
    return taken > maxChanges
  })
  return { changes: end < 0 ? rest : rest.slice(0, end + 1), left: 0 }
}

/** How many parts of a change fit into one notice without being shortened. */
const roomIn = ({ events }: Untold): number => {
  let characters = 0
  const end = events.findIndex((event) => {
    characters += lengthOf(event)
    return characters > mostCharacters
  })
  return end < 0 ? events.length : Math.max(end, maxChanges)
}

/** The length of the clause that describes an event, with the text before it. */
const lengthOf = (event: PlanEvent): number => (describeEvent(event, () => "")?.length ?? 0) + besides

/** Room for "undid a change", and for the text of a todo that an event only names. */
const besides = 60

/**
 * The limit for all changes together. A long text is shortened instead of dropping the next change, because all changes
 * in a notice count as told.
 */
const mostCharacters = 3600

/** In characters. Less would not identify a todo. */
const leastRoom = 40

/** The notice about untold changes; undefined if there is nothing to say. */
export const editNotice: EditNotice = (untold, contentOf, { idOf, left = 0 } = {}) => {
  const changes = untold.flatMap((entry) => {
    const seen = asSeen(entry, contentOf)
    // If a person's entry is the first one, it also opens the plan.
    const made = seen.events.filter(({ type }) => type !== "plan-opened")
    const clauses = describeEvents(made, seen.contentOf, idOf)
    const isElsewhere = entry.by.isElsewhere === true
    return clauses.map((clause) => ({ isElsewhere, text: entry.isUndo ? `undid a change: ${clause}` : clause }))
  })
  if (changes.length === 0) return undefined
  const room = Math.max(leastRoom, Math.floor(mostCharacters / changes.length))
  const lines = changes.flatMap(({ isElsewhere, text }, index) => {
    const line = `- ${shortenedInside(text, room)}`
    return isElsewhere === changes[index - 1]?.isElsewhere ? [line] : [isElsewhere ? elsewhere : here, line]
  })
  const more = left > 0 ? [`${left} more ${left === 1 ? "change follows" : "changes follow"} with your next call.`] : []
  const removals = untold.some(({ isUndo, events }) => !isUndo && events.some(isRemoval))
    ? ["Removed todos were removed on purpose: do not add them again unless you are asked to."]
    : []
  const text = [...lines, ...more, ...removals, closing].join("\n")
  return textForModel(text)
}

const here = "The person changed the plan by hand:"

/** Names no person, because everyone who may write to a team's plans can do so under any name. */
const elsewhere = "The plan was changed by hand on another machine, by a person of the team:"

const closing = "Continue from the plan as it is now."

const isRemoval = ({ type }: PlanEvent): boolean => type === "todo-removed" || type === "plan-cleared"
