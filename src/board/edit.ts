/** Applies a person's edit from the board to a plan, and returns one line that says what happened. */
import {
  type Actor,
  asSeen,
  contentById,
  type Entry,
  HeadwayError,
  lastRedoable,
  normalise,
  type Plan,
  type PlanEvent,
  type Todo,
  todoById,
} from "../plan/index.ts"
import { type Decide, randomId, type Tracker } from "../tracker/tracker.ts"
import type { EditResult } from "../views/board/session.ts"
import { describeLeft, overtakenText } from "../views/changes.ts"
import { changesInWords } from "../views/changes-in-words.ts"
import { eventsOf, type PlanEdit } from "./edit-events.ts"

/** Converts a plan to editable text, and an edited text back to changes. */
export type Checklist = {
  print(plan: Plan): string
  /** Throws a `HeadwayError` when the text cannot be what the person meant. `remark` is about lines that were left out. */
  read(shown: Plan, text: string): { events: PlanEvent[]; remark?: string | undefined }
}

export type EditOptions = {
  by: Actor
  /** The plan as its viewer saw it. Without one, ids are trusted. */
  seen: Plan | undefined
  checklist: Checklist
}

/** Throws a `HeadwayError` if the edit cannot be made, for example because the todo has been replaced since. */
export const applyBoardEdit = async (tracker: Tracker, edit: PlanEdit, options: EditOptions): Promise<Applied> => {
  const { by, seen } = options
  if (edit.kind === "undo") {
    const undone = await tracker.undo(by, edit.entry)
    if (!undone) throw edit.entry === undefined ? nothingToUndo : undoneAlready
    const { events, left } = undone
    if (events.length === 0) throw new HeadwayError("nothing-to-undo", overtakenText(left, contentIn(tracker.plan)))
    const words = `undone: ${sentence(wordsAtTheTime(undone.undone, tracker.plan))}`
    const kept = left.length > 0 ? [sentence(left.map((one) => describeLeft(one, contentIn(tracker.plan))))] : []
    return { outcome: "changed", message: [words, ...kept].join("; ") }
  }
  if (edit.kind === "redo") {
    const undo = lastRedoable(await tracker.entries(), { by: by.kind, id: by.id })
    const redone = undo === undefined ? undefined : await tracker.undo(by, undo)
    if (!redone || redone.events.length === 0) throw nothingToRedo
    return { outcome: "changed", message: `redone: ${sentence(wordsFor(redone.events, tracker.plan))}` }
  }
  if (edit.kind === "text") return applyText(tracker, edit.text, options)
  const entry = randomId()
  const events = await tracker.edit(by, (plan) => eventsOf(edit, plan, seen), {}, entry)
  return appliedAs(events, sentence(wordsFor(events, tracker.plan)), entry)
}

/** A refused edit throws. */
type Applied = EditResult & { outcome: "changed" | "unchanged" }

const appliedAs = (events: readonly PlanEvent[], message: string, entry: string): Applied =>
  events.length > 0 ? { outcome: "changed", message, entry } : { outcome: "unchanged", message }

const nothingToUndo = new HeadwayError("nothing-to-undo", "You have no edit to undo.")
const undoneAlready = new HeadwayError("nothing-to-undo", "That edit was already undone, or is no longer there.")
const nothingToRedo = new HeadwayError("nothing-to-redo", "There is nothing to redo.")

const applyText = async (tracker: Tracker, text: string, { by, seen, checklist }: EditOptions): Promise<Applied> => {
  if (!seen) throw new HeadwayError("unread-plan", "The plan was not read before it was edited.")
  const { events, remark } = checklist.read(seen, text)
  const entry = randomId()
  const decide: Decide = (plan) => {
    // Only the difference between the text and what the person saw is applied; its ids must still mean the same todos.
    if (seen.todos.some((todo) => isAnother(todo, plan)))
      throw new HeadwayError(
        "changed-meanwhile",
        "Todos you saw were reworded or replaced in the meantime, so nothing was changed.",
      )
    return events
  }
  const happened = await tracker.edit(by, decide, {}, entry)
  const sentences = [sentence(wordsFor(happened, tracker.plan)), remark].filter((part) => part !== undefined)
  return appliedAs(happened, sentences.join("; "), entry)
}

const isAnother = ({ id, content }: Todo, plan: Plan): boolean => {
  const there = todoById(plan, id)
  return there !== undefined && normalise(there.content) !== normalise(content)
}

/** Up to this many changes are listed; beyond that, only their number. */
const mostNamed = 3

const sentence = (parts: readonly string[]): string => {
  if (parts.length === 0) return "unchanged"
  const more = parts.length - mostNamed
  return [...parts.slice(0, mostNamed), ...(more > 0 ? [`and ${more} more`] : [])].join("; ")
}

const contentIn =
  (plan: Plan) =>
  (id: string): string =>
    contentById(plan, id)

const wordsFor = (events: readonly PlanEvent[], plan: Plan): string[] => changesInWords(events, contentIn(plan))

/** Describes events with the wording the todos had at that time. */
const wordsAtTheTime = (entry: Entry, plan: Plan): string[] => {
  const { events, contentOf } = asSeen(entry, (id) => contentById(plan, id))
  return changesInWords(events, contentOf)
}
