/**
 * What a key means for the visible plan: the edit to make, a question to ask first, or the reason why nothing can be
 * done.
 */
import { todoById } from "../../plan/lookup.ts"
import type { Plan } from "../../plan/todo.ts"
import type { TodoRef } from "./plan.ts"
import type { BoardPrompt, PromptPurpose } from "./prompt.ts"
import type { BoardEdit, BoardSession } from "./session.ts"
import { type BoardView, selectedSession } from "./view.ts"

export type EditAction =
  | "toggle"
  | "start"
  | "add"
  | "note"
  /** Rewords the todo under the cursor; in the list of sessions, renames the session. */
  | "reword"
  | "block"
  | "drop"
  | "remove"
  | "up"
  | "down"
  | "undo"
  | "redo"
  /** Opens the whole plan in an editor. */
  | "text"

/** An edit, its session, and the plan that was visible at the time. */
export type SeenEdit = { edit: BoardEdit; session: string; seen: Plan | undefined }

export type EditStart =
  | SeenEdit
  | { ask: PromptPurpose }
  /** The session whose plan the person edits in an editor. */
  | { write: BoardSession }
  | { refusal: string }

type Sessions = readonly BoardSession[]

export const startEdit = (view: BoardView, sessions: Sessions, action: EditAction): EditStart => {
  const session = target(view, sessions)
  if (!session) return { refusal: "There is no session to change." }
  const { key, plan: seen } = session
  const ref = todoAt(view)
  if (!session.isEditable) return { refusal: "This plan is read-only." }
  if (action === "reword" && view.pane === "sessions")
    return { ask: { kind: "rename", session: key, text: session.title } }
  if (action === "undo" || action === "redo") return { edit: { kind: action }, session: key, seen }
  if (action === "add") return { ask: { kind: "add", session: key, after: ref?.todo, seen } }
  if (action === "text") return seen ? { write: session } : { refusal: "There is no plan to edit yet; a adds a todo." }
  if (!ref) return { refusal: "Choose a todo first: enter goes to the plan." }
  const made = (edit: BoardEdit): SeenEdit => ({ edit, session: key, seen })
  switch (action) {
    case "toggle":
    case "start":
    case "remove":
      return made({ kind: action, todo: ref.todo })
    case "up":
      return made({ kind: "move", todo: ref.todo, by: -1 })
    case "down":
      return made({ kind: "move", todo: ref.todo, by: 1 })
    case "reword":
      return { ask: { kind: action, ...ref, seen, text: seen && todoById(seen, ref.todo)?.content } }
    default:
      return { ask: { kind: action, ...ref, seen } }
  }
}

/** The edit that a finished line means; undefined for a filter and for an empty line that changes nothing. */
export const editFromPrompt = (prompt: BoardPrompt): SeenEdit | undefined => {
  if (prompt.kind === "filter") return undefined
  const edit = editOf(prompt, prompt.text.trim())
  return edit && { session: prompt.session, seen: prompt.seen, edit }
}

const editOf = (prompt: Exclude<BoardPrompt, { kind: "filter" }>, text: string): BoardEdit | undefined => {
  switch (prompt.kind) {
    case "rename":
      return { kind: "rename", title: text }
    case "drop":
    case "block":
      return { kind: prompt.kind, todo: prompt.todo, ...(text === "" ? {} : { reason: text }) }
    case "note":
      return text === "" ? undefined : { kind: "note", todo: prompt.todo, text }
    case "reword":
      return text === "" ? undefined : { kind: "reword", todo: prompt.todo, content: text }
    case "add":
      return text === ""
        ? undefined
        : { kind: "add", content: text, ...(prompt.after === undefined ? {} : { after: prompt.after }) }
  }
}

/** The session to edit. If the cursor is in the plan of a sub-agent, it is the sub-agent. */
const target = (view: BoardView, sessions: Sessions): BoardSession | undefined => {
  const ref = todoAt(view)
  return (ref && sessions.find(({ key }) => key === ref.session)) ?? selectedSession(view, sessions)
}

const todoAt = ({ pane, cursor }: BoardView): TodoRef | undefined => (pane === "plan" ? cursor : undefined)
