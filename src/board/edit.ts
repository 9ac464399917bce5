/** What a person does to a plan from the board, and one line that says what really happened. */
import {
  type Actor,
  changeInSight,
  check,
  contentById,
  defaultRules,
  edits,
  HeadwayError,
  isFinished,
  lastRedoable,
  normalise,
  type Plan,
  type PlanEvent,
  sanitise,
  sanitiseNote,
  type Todo,
  todoById,
} from "../plan/index.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { BoardEdit } from "../views/board/session.ts"
import { describeEvent } from "../views/index.ts"
import { movedBy } from "./moved-by.ts"

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
export const applyBoardEdit = async (tracker: Tracker, edit: PlanEdit, options: EditOptions): Promise<string> => {
  const { by, seen } = options
  if (edit.kind === "undo") {
    const undone = await tracker.undo(by)
    if (!undone) throw new HeadwayError("nothing-to-undo", "You have no edit to undo.")
    return `undone: ${sentence(undone.events, tracker.plan)}`
  }
  if (edit.kind === "redo") {
    const undo = lastRedoable(await tracker.entries(), by.kind)
    const redone = undo === undefined ? undefined : await tracker.undo(by, undo)
    if (!redone) throw new HeadwayError("nothing-to-redo", "You have taken nothing back that could be done again.")
    return `done again: ${sentence(redone.events, tracker.plan)}`
  }
  if (edit.kind === "text") return applyText(tracker, edit.text, options)
  const events = await tracker.edit(by, (plan, ledger) =>
    changeInSight(plan, ledger, (inSight) => eventsOf(edit, inSight, seen)),
  )
  return sentence(events, tracker.plan)
}

/** Another name for a session changes nothing of its plan. */
export type PlanEdit = Exclude<BoardEdit, { kind: "rename" }>

type TodoEdit = Exclude<PlanEdit, { kind: "undo" | "redo" | "text" }>

const eventsOf = (edit: TodoEdit, plan: Plan, seen: Plan | undefined): PlanEvent[] => {
  if (edit.kind === "add") {
    const content = wording(edit.content)
    const after = edit.after === undefined ? undefined : sameTodo(edit.after, plan, seen)
    return edits.add(content, after?.phase === undefined ? {} : { phase: after.phase }, after?.id)
  }
  const todo = sameTodo(edit.todo, plan, seen)
  if (!todo) throw new HeadwayError("changed-meanwhile", "That todo was changed in the meantime, so nothing was done.")
  // A key that turns something on or off means what its viewer saw, not what others have made of it since.
  const { status } = (seen && todoById(seen, edit.todo)) ?? todo
  const reason = "reason" in edit ? sanitise(edit.reason ?? "") || undefined : undefined
  switch (edit.kind) {
    case "toggle":
      return isFinished(status) ? reopened(todo) : edits.done(todo)
    case "start":
      return edits.start(todo)
    case "remove":
      return edits.remove(todo)
    case "move":
      return movedBy(todo, plan, edit.by)
    case "note":
      return noted(todo, edit.text)
    case "reword":
      return edits.reword(todo, wording(edit.content))
    case "drop":
      return edits.drop(todo, reason)
    case "block":
      return status === "blocked" && reason === undefined ? edits.unblock(todo) : edits.block(todo, reason)
  }
}

const wording = (text: string): string => {
  const content = sanitise(text)
  if (content === "") throw new HeadwayError("empty", "A todo needs text.")
  const [refusal] = check(defaultRules, [{ content }])
  if (refusal) throw new HeadwayError("too-long", refusal.message)
  return content
}

const noted = (todo: Todo, text: string): PlanEvent[] => {
  const note = sanitiseNote(text)
  if (note === "") throw new HeadwayError("empty", "A note needs text.")
  return edits.note(todo, note)
}

/** One that others have begun again already goes on as it is. */
const reopened = (todo: Todo): PlanEvent[] => (isFinished(todo.status) ? edits.reopen(todo) : [])

/** The todo a person means by an id they saw: under that id, or, where the ids have changed, with those words. */
const sameTodo = (id: string, plan: Plan, seen: Plan | undefined): Todo | undefined => {
  const meant = seen && todoById(seen, id)
  const isMeant = ({ content }: Todo): boolean => !meant || normalise(content) === normalise(meant.content)
  const named = todoById(plan, id)
  if (named && isMeant(named)) return named
  const [only, ...others] = meant ? plan.todos.filter(isMeant) : []
  return others.length === 0 ? only : undefined
}

const applyText = async (tracker: Tracker, text: string, { by, seen, checklist }: EditOptions): Promise<string> => {
  if (!seen) throw new HeadwayError("unread-plan", "The plan was not read before it was edited.")
  const { events, remark } = checklist.read(seen, text)
  const happened = await tracker.edit(by, (current, ledger) =>
    changeInSight(current, ledger, (plan) => {
      // Only the person's difference to what they saw is applied; its ids must still mean what they meant.
      if (seen.todos.some((todo) => isAnother(todo, plan)))
        throw new HeadwayError(
          "changed-meanwhile",
          "Todos you saw were reworded or replaced in the meantime, so nothing was changed.",
        )
      return events
    }),
  )
  return [sentence(happened, tracker.plan), remark].filter((part) => part !== undefined).join("; ")
}

const isAnother = ({ id, content }: Todo, plan: Plan): boolean => {
  const there = todoById(plan, id)
  return there !== undefined && normalise(there.content) !== normalise(content)
}

/** This many changes are named one by one; of more only the number. */
const mostNamed = 3

const sentence = (events: readonly PlanEvent[], plan: Plan): string => {
  const parts = events.flatMap((event) => describeEvent(event, (id) => contentById(plan, id)) ?? [])
  if (parts.length === 0) return "unchanged"
  const more = parts.length - mostNamed
  return [...parts.slice(0, mostNamed), ...(more > 0 ? [`and ${more} more`] : [])].join("; ")
}
