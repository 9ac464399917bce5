/** The list in a reminder: sanitised, one line per todo, and limited in length. */
import { idsForAgent, isFinished, lineForModel, type Todo } from "../../plan/index.ts"
import { numberedList, phaseGroups, phaseLine } from "../../views/index.ts"
import type { AttachmentBody } from "../attachment.ts"
import { shortened } from "../shortened.ts"

/** A todo in an attachment: the fields that the model is told. */
export type ListedTodo = Pick<Todo, "content" | "status"> &
  Partial<Pick<Todo, "id" | "activeForm" | "phase" | "reason" | "waitsFor" | "blockedBy">>

export type ListBody = AttachmentBody & {
  content: readonly ListedTodo[]
  /** How many todos there are, including those left out. */
  itemCount: number
}

/** The most characters of a list, about 6,000 tokens. The model reads a longer list with its tool. */
const mostCharacters = 24_000

/**
 * The todos for an attachment: all of them, or of a very long list the first unfinished ones. Uses the agent's own ids
 * if any todo of `plan` has one.
 */
export const listForModel = (
  todos: readonly Todo[],
  plan: readonly Todo[] = todos,
): { content: ListedTodo[]; itemCount: number } => {
  const idOf = idsForAgent(plan)
  const all = fitting(todos, idOf)
  const content =
    all.length === todos.length
      ? all
      : fitting(
          todos.filter(({ status }) => !isFinished(status)),
          idOf,
        )
  return { content, itemCount: todos.length }
}

const fitting = (todos: readonly Todo[], idOf: (id: string) => string | undefined): ListedTodo[] => {
  const shown: ListedTodo[] = []
  let length = 0
  for (const todo of todos) {
    const next = listedTodo(todo, idOf)
    length += JSON.stringify(next).length + 1
    if (length > mostCharacters) break
    shown.push(next)
  }
  return shown
}

export const listedTodo = (todo: Todo, idOf: (id: string) => string | undefined): ListedTodo => {
  const { activeForm, phase, reason, waitsFor } = todo
  const id = idOf(todo.id)
  const blockedBy = todo.blockedBy?.flatMap((blocker) => idOf(blocker) ?? [])
  return {
    ...(id === undefined ? {} : { id: shortened(id, 100) }),
    content: shortened(todo.content, 4000),
    status: todo.status,
    ...(activeForm === undefined ? {} : { activeForm: shortened(activeForm) }),
    ...(phase === undefined ? {} : { phase: shortened(phase, 100) }),
    ...(reason === undefined ? {} : { reason: shortened(reason) }),
    ...(waitsFor === undefined ? {} : { waitsFor: shortened(waitsFor, 100) }),
    ...(blockedBy === undefined ? {} : { blockedBy: blockedBy.slice(0, 20).map((id) => shortened(id, 100)) }),
  }
}

/** Lines such as `#1 [pending] content`, grouped by phase if there are phases. */
export const listLines = ({ content, itemCount }: Pick<ListBody, "content" | "itemCount">): string => {
  const phases = [...new Set(content.flatMap(({ phase }) => (phase === undefined ? [] : [phase])))]
  const groups = phaseGroups({ todos: content.map((todo) => ({ id: "", ...todo })), phases })
  const lines = groups.flatMap(({ name, todos }) => [
    ...(name === undefined ? [] : [phaseLine(name)]),
    numberedList({ todos }),
  ])
  return [...lines, ...notShown(content.length, itemCount)].join("\n")
}

/** The line about todos left out of a long list. */
export const notShown = (shown: number, all: number): string[] =>
  shown >= all ? [] : [`and ${all - shown} more that are not shown here`]

/** Behaviour C20: lines such as `1. [status] content`, enclosed in `[` and `]`. */
export const bracketedList = ({ content, itemCount }: Pick<ListBody, "content" | "itemCount">): string => {
  const lines = content.map((todo, index) => `${index + 1}. [${todo.status}] ${lineForModel(todo.content)}`)
  return `[${[...lines, ...notShown(content.length, itemCount)].join("\n")}]`
}
