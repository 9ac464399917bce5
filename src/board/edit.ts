/** What a person does to a plan from the board, and one line that says what really happened. */
import {
  type Actor,
  asSeen,
  changeInSight,
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
import { deedsOf } from "../views/deeds.ts"
import { eventsOf, type PlanEdit } from "./edit-events.ts"

/** How a plan becomes a text that a person edits, and what their text changes. */
export type Checklist = {
  print(plan: Plan): string
  /** Throws a `HeadwayError` when the text cannot be what the person meant. `remark` is about lines that were left out. */
  read(shown: Plan, text: string): { events: PlanEvent[]; remark?: string | undefined }
}

export type EditOptions = {
  by: Actor
  /** The plan its viewer had in sight. Where they had none, ids are taken at their word. */
  seen: Plan | undefined
  checklist: Checklist
}

/** Throws a `HeadwayError` where the edit cannot be created: a todo that is another one by now stays as it is. */
export const applyBoardEdit = async (tracker: Tracker, edit: PlanEdit, options: EditOptions): Promise<Applied> => {
  const { by, seen } = options
  if (edit.kind === "undo") {
    const undone = await tracker.undo(by, edit.entry)
    if (!undone) throw edit.entry === undefined ? nothingToUndo : undoneAlready
    return { outcome: "changed", message: `undone: ${sentence(deedsThen(undone.undone, tracker.plan))}` }
  }
  if (edit.kind === "redo") {
    const undo = lastRedoable(await tracker.entries(), by.kind)
    const redone = undo === undefined ? undefined : await tracker.undo(by, undo)
    if (!redone) throw new HeadwayError("nothing-to-redo", "You have taken nothing back that could be done again.")
    return { outcome: "changed", message: `done again: ${sentence(deedsIn(redone.events, tracker.plan))}` }
  }
  if (edit.kind === "text") return applyText(tracker, edit.text, options)
  const entry = randomId()
  const decide: Decide = (plan, ledger) => changeInSight(plan, ledger, (inSight) => eventsOf(edit, inSight, seen))
  const events = await tracker.edit(by, decide, {}, entry)
  return appliedAs(events, sentence(deedsIn(events, tracker.plan)), entry)
}

/** An edit that is refused throws. */
type Applied = EditResult & { outcome: "changed" | "unchanged" }

const appliedAs = (events: readonly PlanEvent[], message: string, entry: string): Applied =>
  events.length > 0 ? { outcome: "changed", message, entry } : { outcome: "unchanged", message }

const nothingToUndo = new HeadwayError("nothing-to-undo", "You have no edit to undo.")
const undoneAlready = new HeadwayError("nothing-to-undo", "That edit was taken back already, or is no longer here.")

const applyText = async (tracker: Tracker, text: string, { by, seen, checklist }: EditOptions): Promise<Applied> => {
  if (!seen) throw new HeadwayError("unread-plan", "The plan was not read before it was edited.")
  const { events, remark } = checklist.read(seen, text)
  const entry = randomId()
  const decide: Decide = (current, ledger) =>
    changeInSight(current, ledger, (plan) => {
      // Only the person's difference to what they saw is applied; its ids must still mean what they meant.
      if (seen.todos.some((todo) => isAnother(todo, plan)))
        throw new HeadwayError(
          "changed-meanwhile",
          "Todos you saw were reworded or replaced in the meantime, so nothing was changed.",
        )
      return events
    })
  const happened = await tracker.edit(by, decide, {}, entry)
  const said = [sentence(deedsIn(happened, tracker.plan)), remark].filter((part) => part !== undefined)
  return appliedAs(happened, said.join("; "), entry)
}

const isAnother = ({ id, content }: Todo, plan: Plan): boolean => {
  const there = todoById(plan, id)
  return there !== undefined && normalise(there.content) !== normalise(content)
}

/** This many changes are named one by one; of more only the number. */
const mostNamed = 3

const sentence = (parts: readonly string[]): string => {
  if (parts.length === 0) return "unchanged"
  const more = parts.length - mostNamed
  return [...parts.slice(0, mostNamed), ...(more > 0 ? [`and ${more} more`] : [])].join("; ")
}

const deedsIn = (events: readonly PlanEvent[], plan: Plan): string[] => deedsOf(events, (id) => contentById(plan, id))

/** What was done once, with the words of that time. */
const deedsThen = (entry: Entry, plan: Plan): string[] => {
  const { events, contentOf } = asSeen(entry, (id) => contentById(plan, id))
  return deedsOf(events, contentOf)
}
