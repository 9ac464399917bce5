/** What a person does to a plan from the board, and one line that says what really happened. */

import type { Actor, PlanEvent } from "../plan/index.ts"
import {
  check,
  defaultRules,
  edits,
  HeadwayError,
  normalise,
  type Plan,
  sanitise,
  type Todo,
  todoById,
} from "../plan/index.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { BoardEdit } from "../views/board/session.ts"
import { describeEvent } from "../views/index.ts"
import { ignoredLines, readChecklistEdit } from "./checklist-edit.ts"
import { undoEdit } from "./undo-edit.ts"

/**
 * Throws a `HeadwayError` where the edit cannot be done. `shown` is the plan the person had before their eyes: a todo that
 * is another one by now stays as it is.
 */
export const applyBoardEdit = async (
  tracker: Tracker,
  edit: BoardEdit,
  { by, shown }: { by: Actor; shown: Plan | undefined },
): Promise<string> => {
  if (edit.kind === "undo") {
    const undone = await undoEdit(tracker, by)
    if (!undone) throw new HeadwayError("nothing-to-undo", "There is no edit of yours to undo.")
    return `undone: ${sentence(undone.events, tracker.plan)}`
  }
  if (edit.kind === "text") return applyText(tracker, edit, by)
  const events = await tracker.edit(by, (plan) => eventsOf(edit, plan, shown))
  return sentence(events, tracker.plan)
}

const eventsOf = (
  edit: Exclude<BoardEdit, { kind: "undo" | "text" }>,
  plan: Plan,
  shown: Plan | undefined,
): PlanEvent[] => {
  if (edit.kind === "add") {
    const content = sanitise(edit.content)
    if (content === "") throw new HeadwayError("empty", "A todo needs a text.")
    const [refusal] = check(defaultRules, [{ content }])
    if (refusal) throw new HeadwayError("too-long", refusal.message)
    const after = edit.after === undefined ? undefined : sameTodo(edit.after, plan, shown)
    return edits.add(content, after?.phase === undefined ? {} : { phase: after.phase }, after?.id)
  }
  const todo = sameTodo(edit.todo, plan, shown)
  if (!todo) throw new HeadwayError("changed-meanwhile", "That todo has changed meanwhile, so nothing was done.")
  const reason = "reason" in edit ? sanitise(edit.reason ?? "") || undefined : undefined
  switch (edit.kind) {
    case "toggle":
      return todo.status === "completed" || todo.status === "cancelled" ? edits.reopen(todo) : edits.done(todo)
    case "drop":
      return edits.drop(todo, reason)
    case "block":
      return todo.status === "blocked" && reason === undefined ? edits.unblock(todo) : edits.block(todo, reason)
  }
}

/** The todo a person means by an id they saw: under that id, or, where the ids have changed, with those words. */
const sameTodo = (id: string, plan: Plan, shown: Plan | undefined): Todo | undefined => {
  const seen = shown?.todos.find((todo) => todo.id === id)
  const isMeant = ({ content }: Todo): boolean => !seen || normalise(content) === normalise(seen.content)
  const named = plan.todos.find((todo) => todo.id === id)
  if (named && isMeant(named)) return named
  const [only, ...others] = seen ? plan.todos.filter(isMeant) : []
  return others.length === 0 ? only : undefined
}

const applyText = async (
  tracker: Tracker,
  { text, shown }: Extract<BoardEdit, { kind: "text" }>,
  by: Actor,
): Promise<string> => {
  const { events, ignored } = readChecklistEdit(shown, text)
  const happened = await tracker.edit(by, (plan) => {
    // Only the person's difference to what they saw is applied; its ids must still mean what they meant.
    if (shown.todos.some((todo) => isAnother(todo, plan)))
      throw new HeadwayError("changed-meanwhile", "The plan has become another one meanwhile, so nothing was changed.")
    return events
  })
  return [sentence(happened, tracker.plan), ignoredLines(ignored)].filter((part) => part !== undefined).join("; ")
}

const isAnother = ({ id, content }: Todo, plan: Plan): boolean => {
  const there = todoById(plan, id)
  return there !== undefined && normalise(there.content) !== normalise(content)
}

/** So many changes are told one by one; of more only the number. */
const mostTold = 3

const sentence = (events: readonly PlanEvent[], plan: Plan): string => {
  const nameOf = (id: string): string => todoById(plan, id)?.content ?? id
  const parts = events.flatMap((event) => describeEvent(event, nameOf) ?? [])
  if (parts.length === 0) return "unchanged"
  const more = parts.length - mostTold
  return [...parts.slice(0, mostTold), ...(more > 0 ? [`and ${more} more`] : [])].join("; ")
}
