/** The second line of a row: what the agent waits for, what went wrong, or what it is doing. */
import { stateWords } from "./glyphs.ts"
import type { BoardSession, WaitsFor } from "./session.ts"

type AtHand = Pick<BoardSession, "current" | "upcoming">
type Told = Pick<BoardSession, "state" | "waitsFor" | "error" | "progress" | "todos" | "planTool"> & AtHand

/** The todo in progress or, named as such, the one the plan continues with; empty if there is none. */
export const atHandText = ({ current = "", upcoming }: AtHand): string => {
  if (current.trim() !== "") return current
  return upcoming && upcoming.content.trim() !== "" ? `${upcoming.kind}: ${upcoming.content}` : ""
}

/** Undefined if the mark says it all: the row then has one line. */
export const newsOf = (session: Told): string | undefined => {
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

/** What an agent waits for or, if its turn ended without a question, where it stopped. */
const waitText = (session: Told): string => {
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

/** Whether its state says more of what is going on than its list: it asks something, or says how it failed. */
export const isStateTelling = ({ state, waitsFor, error }: Pick<Told, "state" | "waitsFor" | "error">): boolean =>
  (state === "waiting" && requestText(waitsFor) !== undefined) || (state === "failed" && error !== undefined)

/** What a session is doing, in words, with what it asks or how it failed. */
export const stateWordsOf = ({ state, waitsFor, error }: Pick<Told, "state" | "waitsFor" | "error">): string => {
  if (state === "failed" && error) return `${stateWords.failed}: ${error}`
  return (state === "waiting" ? requestText(waitsFor) : undefined) ?? stateWords[state]
}

const withoutTodo = ({ planTool, todos, progress }: Told): string => {
  if (todos > 0) return progress.completed === progress.total ? "all todos are done" : "between two todos"
  return planTool === "absent" ? "working, without a plan tool" : "working, no plan yet"
}

const leftText = (session: Told): string => {
  const { progress, todos } = session
  const left = progress.total - progress.completed
  if (todos === 0 || left <= 0) return "ended"
  const todo = atHandText(session)
  return `ended with ${left} left${todo === "" ? "" : `: ${todo}`}`
}
