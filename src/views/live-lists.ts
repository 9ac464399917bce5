/** Decides which agents' lists a live view shows after each event (behaviour A7). Pure: a state and the changes to it. */
import { isFinished, type TodoStatus } from "../plan/todo.ts"

/** The facts about a list; a `TodoListEvent` has them. */
export type ListChange = {
  type: "todo_list"
  agentId: string
  /** The agent that a sub-agent works for. Absent for a main agent. */
  parentId?: string | undefined
  /** The whole list. An empty one removes the agent's list from the view. */
  items: readonly unknown[]
}

/** The facts about a turn; a `TurnEvent` has them. */
export type TurnChange = {
  type: "turn"
  agentId: string
  parentId?: string | undefined
  state: "started" | "ended" | "failed"
}

/** The person stopped the agent, the agent failed, or the conversation is over. */
export type ClearChange = { type: "clear" }

export type ShownList<List> = {
  list: List
  /** Whether the agent's turn is over. Its open todos are then shown as completed and marked as assumed. */
  hasEnded: boolean
}

/** The main agent's list, then those of its sub-agents in the order of their first appearance. */
export type LiveLists<List> = readonly ShownList<List>[]

export const noLists: LiveLists<never> = []

/**
 * Returns the lists after a change. A list replaces its agent's previous one. Another main agent, with a list or a
 * turn, takes over the view; a sub-agent's list is shown next to the main one, and removed when it has ended and the
 * main agent continues.
 */
export const nextLists = <List extends ListChange>(
  shown: LiveLists<List>,
  change: NoInfer<List> | TurnChange | ClearChange,
): LiveLists<List> => {
  if (change.type === "clear") return noLists
  const current = isMain(change) ? roomFor(change.agentId, shown) : shown
  return change.type === "todo_list" ? withList(current, change) : afterTurn(current, change)
}

/** Whether a todo is shown as completed when its agent's turn ends. Blocked and cancelled todos are not. */
export const isAssumedAtEnd = (status: TodoStatus): boolean => status === "pending" || status === "in_progress"

/** How many todos an agent has left open. */
export const countOpen = (items: readonly { status: TodoStatus }[]): number =>
  items.filter(({ status }) => !isFinished(status)).length

const isMain = ({ parentId }: Pick<ListChange, "parentId">): boolean => parentId === undefined

/**
 * The lists that stay when a main agent begins, writes its list or ends: its own, and those of sub-agents still at
 * work.
 */
const roomFor = <List extends ListChange>(agentId: string, shown: LiveLists<List>): LiveLists<List> => {
  const isOther = shown.some(({ list }) => isMain(list) && list.agentId !== agentId)
  return isOther ? noLists : shown.filter(({ list, hasEnded }) => isMain(list) || !hasEnded)
}

const withList = <List extends ListChange>(shown: LiveLists<List>, list: List): LiveLists<List> => {
  const isOwn = (one: ShownList<List>): boolean => one.list.agentId === list.agentId
  if (list.items.length === 0) return shown.filter((one) => !isOwn(one))
  const next = { list, hasEnded: false }
  if (shown.some(isOwn)) return shown.map((one) => (isOwn(one) ? next : one))
  return isMain(list) ? [next, ...shown] : [...shown, next]
}

const afterTurn = <List extends ListChange>(shown: LiveLists<List>, turn: TurnChange): LiveLists<List> => {
  const { agentId, state } = turn
  if (state === "failed") return isMain(turn) ? noLists : shown.filter(({ list }) => list.agentId !== agentId)
  const hasEnded = state === "ended"
  return shown.map((one) => (one.list.agentId === agentId ? { ...one, hasEnded } : one))
}
