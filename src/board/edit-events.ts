/** Turns a person's edit into plan events. Pure: the board commits the events, and the page shows them at once. */
import {
  edits,
  HeadwayError,
  isFinished,
  limits,
  normalise,
  type Plan,
  type PlanEvent,
  sanitise,
  sanitiseNote,
  type Todo,
  todoById,
} from "../plan/index.ts"
import type { BoardEdit } from "../views/board/session.ts"
import { phaseGroups } from "../views/plan/phases.ts"
import { movedBy, movedTo } from "./moved-by.ts"

/** Renaming a session does not change its plan. */
export type PlanEdit = Exclude<BoardEdit, { kind: "rename" }>

export type TodoEdit = Exclude<PlanEdit, { kind: "undo" | "redo" | "text" }>

/**
 * `seen` is the plan as the viewer saw it. Throws a `HeadwayError` if the edit cannot be made, for example because the
 * todo has been replaced since.
 */
export const eventsOf = (edit: TodoEdit, plan: Plan, seen: Plan | undefined): PlanEvent[] => {
  if (edit.kind === "add") {
    const content = wording(edit.content)
    const after = edit.after === undefined ? undefined : sameTodo(edit.after, plan, seen)
    return edits.add(content, after?.phase === undefined ? {} : { phase: after.phase }, after?.id)
  }
  const todo = target(edit.todo, plan, seen)
  // A toggle key is judged by the state its viewer saw, not by what others have changed since.
  const { status } = (seen && todoById(seen, edit.todo)) ?? todo
  const reason = "reason" in edit ? sanitise(whole(edit.reason ?? "", "A reason")) || undefined : undefined
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
  const content = sanitise(whole(text, "A todo"))
  if (content === "") throw new HeadwayError("empty", "A todo needs text.")
  return content
}

/** Throws if a text is too long. A prompt accepts one character more than a todo, so nothing is cut off silently. */
const whole = (text: string, what: string): string => {
  if (text.length <= limits.content) return text
  throw new HeadwayError("too-long", `${what} has at most ${limits.content} characters, and this text is longer.`)
}

const noted = (todo: Todo, text: string): PlanEvent[] => {
  const note = sanitiseNote(whole(text, "A note"))
  if (note === "") throw new HeadwayError("empty", "A note needs text.")
  return edits.note(todo, note)
}

/** A todo that has already been restarted stays as it is. */
const reopened = (todo: Todo): PlanEvent[] => (isFinished(todo.status) ? edits.reopen(todo) : [])

/** Returns the todo the edit names, or throws if it no longer exists. */
const target = (id: string, plan: Plan, seen: Plan | undefined): Todo => {
  const todo = sameTodo(id, plan, seen)
  if (todo) return todo
  throw new HeadwayError("changed-meanwhile", "That todo was changed in the meantime, so nothing was done.")
}

/** Finds the phase by its sanitised name, as the viewer saw it; empty for no phase. */
const phaseNamed = (name: string, plan: Plan): string => {
  const found = ["", ...phaseGroups(plan).map((group) => group.name ?? "")].find(
    (one) => one === name || sanitise(one) === sanitise(name),
  )
  if (found !== undefined) return found
  throw new HeadwayError("changed-meanwhile", "That phase is no longer in the plan, so nothing was done.")
}

/** Finds the todo a person means by an id they saw: by that id, or by its text if the ids have changed. */
const sameTodo = (id: string, plan: Plan, seen: Plan | undefined): Todo | undefined => {
  const meant = seen && todoById(seen, id)
  const isMeant = ({ content }: Todo): boolean => !meant || normalise(content) === normalise(meant.content)
  const named = todoById(plan, id)
  if (named && isMeant(named)) return named
  const [only, ...others] = meant ? plan.todos.filter(isMeant) : []
  return others.length === 0 ? only : undefined
}
