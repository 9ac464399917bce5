/** The second line of a row: what the agent waits for, what went wrong, or what it is doing. */
import { stateWords } from "./glyphs.ts"
import type { BoardSession, WaitsFor } from "./session.ts"

type AtHand = Pick<BoardSession, "current" | "upcoming">
type SessionFacts = Pick<BoardSession, "state" | "waitsFor" | "error" | "progress" | "todos" | "planTool"> & AtHand

/** The todo in progress, otherwise the next one, labelled as such; empty if there is neither. */
export const atHandText = ({ current = "", upcoming }: AtHand): string => {
  if (current.trim() !== "") return current
  return upcoming && upcoming.content.trim() !== "" ? `${upcoming.kind}: ${upcoming.content}` : ""
}

/** Undefined if the state's mark is enough; the row then has one line. */
export const newsOf = (session: SessionFacts): string | undefined => {
  const { state, error = "" } = session
  const todo = atHandText(session)
  switch (state) {
    case "waiting":
      return waitText(session)
    case "working":
      return todo === "" ? withoutTodo(session) : todo
    case "stalled":
      return todo === "" ? "stalled in the middle of something" : `stalled${isStarted(session) ? " at:" : ","} ${todo}`
    case "failed":
      return error.trim() === "" ? "stopped because of an error" : error
    case "ended":
      return leftText(session)
    default:
      return undefined
  }
}

/** What an agent waits for; if its turn ended without a question, the todo at which it stopped. */
const waitText = (session: SessionFacts): string => {
  const { waitsFor } = session
  const request = requestText(waitsFor)
  if (request !== undefined) return request
  const text = waitsFor?.text?.trim() ?? ""
  if (text !== "") return `your turn: ${text}`
  const todo = atHandText(session)
  return todo === "" ? "your turn" : `your turn,${isStarted(session) ? " at:" : ""} ${todo}`
}

const isStarted = ({ current = "" }: AtHand): boolean => current.trim() !== ""

/** An agent's question to the person; undefined if it only waits for the next message. */
const requestText = (waitsFor: WaitsFor | undefined): string | undefined => {
  const text = waitsFor?.text?.trim() ?? ""
  switch (waitsFor?.kind) {
    case "permission":
      return text === "" ? "needs your permission" : `needs permission: ${text}`
    case "question":
      return text === "" ? "asks you a question" : `asks: ${text}`
    default:
      return undefined
  }
}

/** Whether the state tells more than the list, because the agent asks something or reports an error. */
export const isStateTelling = ({
  state,
  waitsFor,
  error,
}: Pick<SessionFacts, "state" | "waitsFor" | "error">): boolean =>
  (state === "waiting" && requestText(waitsFor) !== undefined) || (state === "failed" && error !== undefined)

/** The session's state in words, with its question or its error. */
export const stateWordsOf = ({
  state,
  waitsFor,
  error,
}: Pick<SessionFacts, "state" | "waitsFor" | "error">): string => {
  if (state === "failed" && error) return `${stateWords.failed}: ${error}`
  return (state === "waiting" ? requestText(waitsFor) : undefined) ?? stateWords[state]
}

const withoutTodo = ({ planTool, todos, progress }: SessionFacts): string => {
  if (todos > 0) return progress.completed === progress.total ? "all todos are done" : "between two todos"
  return planTool === "absent" ? "working, without a plan tool" : "working, no plan yet"
}

const leftText = (session: SessionFacts): string => {
  const { progress, todos } = session
  const left = progress.total - progress.completed
  if (todos === 0 || left <= 0) return "ended"
  const todo = atHandText(session)
  return `ended with ${left} left${todo === "" ? "" : `: ${todo}`}`
}
