/** What a key means for the plan in sight: the edit to make, what to ask first, or why nothing can be done. */
import type { TodoRef } from "./plan.ts"
import type { BoardPrompt, PromptPurpose } from "./prompt.ts"
import type { BoardEdit, BoardSession } from "./session.ts"
import { type BoardView, selectedSession } from "./view.ts"

export type BoardWish = "toggle" | "add" | "block" | "drop" | "undo" | "text"

export type WishAnswer =
  | { edit: BoardEdit; session: string }
  | { ask: PromptPurpose }
  /** To be written in an editor first. */
  | { write: BoardSession }
  | { refusal: string }

type Sessions = readonly BoardSession[]

export const wished = (view: BoardView, sessions: Sessions, wish: BoardWish): WishAnswer => {
  const session = target(view, sessions)
  if (!session) return { refusal: "There is no session to change." }
  if (!session.isEditable) return { refusal: "This plan can only be looked at." }
  const { key } = session
  if (wish === "undo") return { edit: { kind: "undo" }, session: key }
  if (wish === "add") return { ask: { kind: "add", session: key, after: todoAt(view)?.todo } }
  if (wish === "text")
    return session.plan ? { write: session } : { refusal: "There is no plan to edit yet; a adds a todo." }
  const ref = todoAt(view)
  if (!ref) return { refusal: "Choose a todo first: enter goes to the plan." }
  return wish === "toggle"
    ? { edit: { kind: "toggle", todo: ref.todo }, session: key }
    : { ask: { kind: wish, ...ref } }
}

/** What a finished line comes to; nothing when it only filtered or says nothing. */
export const answered = (prompt: BoardPrompt): { edit: BoardEdit; session: string } | undefined => {
  const text = prompt.text.trim()
  if (prompt.kind === "filter") return undefined
  const { session } = prompt
  if (prompt.kind !== "add") {
    return { session, edit: { kind: prompt.kind, todo: prompt.todo, ...(text === "" ? {} : { reason: text }) } }
  }
  if (text === "") return undefined
  return {
    session,
    edit: { kind: "add", content: text, ...(prompt.after === undefined ? {} : { after: prompt.after }) },
  }
}

/** The cursor may stand in the plan of a sub-agent: then that one is meant. */
const target = (view: BoardView, sessions: Sessions): BoardSession | undefined => {
  const ref = todoAt(view)
  return (ref && sessions.find(({ key }) => key === ref.session)) ?? selectedSession(view, sessions)
}

const todoAt = ({ pane, cursor }: BoardView): TodoRef | undefined => (pane === "plan" ? cursor : undefined)
