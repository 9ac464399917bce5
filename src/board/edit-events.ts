/** What an edit of a person comes to for a plan, as events. Pure: the board commits them, and the page shows them at once. */
import {
  check,
  defaultRules,
  edits,
  HeadwayError,
  isFinished,
  normalise,
  type Plan,
  type PlanEvent,
  sanitise,
  sanitiseNote,
  type Todo,
  todoById,
} from "../plan/index.ts"
import type { BoardEdit } from "../views/board/session.ts"
import { phaseGroups } from "../views/phases.ts"
import { movedBy, movedTo } from "./moved-by.ts"

/** Another name for a session changes nothing of its plan. */
export type PlanEdit = Exclude<BoardEdit, { kind: "rename" }>

export type TodoEdit = Exclude<PlanEdit, { kind: "undo" | "redo" | "text" }>

/** `seen` is what its viewer had in sight. Throws a `HeadwayError` where the edit cannot be made: a todo that is another one by now stays as it is. */
export const eventsOf = (edit: TodoEdit, plan: Plan, seen: Plan | undefined): PlanEvent[] => {
  if (edit.kind === "add") {
    const content = wording(edit.content)
    const after = edit.after === undefined ? undefined : sameTodo(edit.after, plan, seen)
    return edits.add(content, after?.phase === undefined ? {} : { phase: after.phase }, after?.id)
  }
  const todo = target(edit.todo, plan, seen)
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
    case "place":
      return movedTo(todo, plan, {
        after: edit.after === undefined ? undefined : target(edit.after, plan, seen),
        phase: edit.phase === undefined ? undefined : phaseNamed(edit.phase, plan),
      })
    case "note":
      return noted(todo, edit.text)
    case "answer":
      return [...noted(todo, edit.text), ...edits.unblock(todo)]
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

/** The todo that is meant, where nothing can be done without it. */
const target = (id: string, plan: Plan, seen: Plan | undefined): Todo => {
  const todo = sameTodo(id, plan, seen)
  if (todo) return todo
  throw new HeadwayError("changed-meanwhile", "That todo was changed in the meantime, so nothing was done.")
}

/** The phase as the plan has it, of which the viewer saw what is safe to show; empty for none. */
const phaseNamed = (name: string, plan: Plan): string => {
  const found = ["", ...phaseGroups(plan).map((group) => group.name ?? "")].find(
    (one) => one === name || sanitise(one) === sanitise(name),
  )
  if (found !== undefined) return found
  throw new HeadwayError("changed-meanwhile", "That phase is no longer in the plan, so nothing was done.")
}

/** The todo a person means by an id they saw: under that id, or, where the ids have changed, with those words. */
const sameTodo = (id: string, plan: Plan, seen: Plan | undefined): Todo | undefined => {
  const meant = seen && todoById(seen, id)
  const isMeant = ({ content }: Todo): boolean => !meant || normalise(content) === normalise(meant.content)
  const named = todoById(plan, id)
  if (named && isMeant(named)) return named
  const [only, ...others] = meant ? plan.todos.filter(isMeant) : []
  return others.length === 0 ? only : undefined
}
