/** What a key means for the plan in sight: the edit to make, what to ask first, or why nothing can be done. */
import type { Plan } from "../../plan/todo.ts"
import type { TodoRef } from "./plan.ts"
import type { BoardPrompt, PromptPurpose } from "./prompt.ts"
import type { BoardEdit, BoardSession } from "./session.ts"
import { type BoardView, selectedSession } from "./view.ts"

export type BoardWish = "toggle" | "add" | "block" | "drop" | "undo" | "text"

/** An edit, the session it is for, and the plan that was in sight when it was decided. */
export type SeenEdit = { edit: BoardEdit; session: string; seen: Plan | undefined }

export type WishAnswer =
  | SeenEdit
  | { ask: PromptPurpose }
  /** To be written in an editor first. */
  | { write: BoardSession }
  | { refusal: string }

type Sessions = readonly BoardSession[]

export const wished = (view: BoardView, sessions: Sessions, wish: BoardWish): WishAnswer => {
  const session = target(view, sessions)
  if (!session) return { refusal: "There is no session to change." }
  if (!session.isEditable) return { refusal: "This plan is read-only." }
  const { key, plan: seen } = session
  if (wish === "undo") return { edit: { kind: "undo" }, session: key, seen }
  if (wish === "add") return { ask: { kind: "add", session: key, after: todoAt(view)?.todo, seen } }
  if (wish === "text") return seen ? { write: session } : { refusal: "There is no plan to edit yet; a adds a todo." }
  const ref = todoAt(view)
  if (!ref) return { refusal: "Choose a todo first: enter goes to the plan." }
  return wish === "toggle"
    ? { edit: { kind: "toggle", todo: ref.todo }, session: key, seen }
    : { ask: { kind: wish, ...ref, seen } }
}

/** What a finished line comes to; nothing when it only filtered or says nothing. */
export const answered = (prompt: BoardPrompt): SeenEdit | undefined => {
  const text = prompt.text.trim()
  if (prompt.kind === "filter") return undefined
  const { session, seen } = prompt
  if (prompt.kind !== "add") {
    return { session, seen, edit: { kind: prompt.kind, todo: prompt.todo, ...(text === "" ? {} : { reason: text }) } }
  }
  if (text === "") return undefined
  return {
    session,
    seen,
    edit: { kind: "add", content: text, ...(prompt.after === undefined ? {} : { after: prompt.after }) },
  }
}

/** The cursor may be in the plan of a sub-agent: then that one is meant. */
const target = (view: BoardView, sessions: Sessions): BoardSession | undefined => {
  const ref = todoAt(view)
  return (ref && sessions.find(({ key }) => key === ref.session)) ?? selectedSession(view, sessions)
}

const todoAt = ({ pane, cursor }: BoardView): TodoRef | undefined => (pane === "plan" ? cursor : undefined)
