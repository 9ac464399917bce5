/** What a person does to a recorded agent's plan from the board. */
import { markdown } from "../../dialects/markdown.ts"
import {
  type Actor,
  check,
  defaultRules,
  diff,
  edits,
  hasErrors,
  isFinished,
  type Plan,
  type PlanEvent,
  sanitise,
  type Todo,
  todoById,
} from "../../plan/index.ts"
import type { Tracker } from "../../tracker.ts"
import type { BoardEdit } from "../../views/board-session.ts"
import { describeEvent } from "../../views/index.ts"

/** Answers one line that says what really happened, or why nothing did; never rejects. */
export const editFromBoard = async (tracker: Tracker, by: Actor, edit: BoardEdit): Promise<string> => {
  try {
    const events = edit.kind === "undo" ? await undo(tracker, by) : await apply(tracker, by, edit)
    if (typeof events === "string") return events
    const nameOf = (id: string): string => todoById(tracker.plan, id)?.content ?? id
    const said = events.flatMap((event) => describeEvent(event, nameOf) ?? [])
    return said.length > 0 ? said.join("; ") : "unchanged"
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

/** Takes back the last thing a person did: what the agent does meanwhile is not theirs to lose. */
const undo = async (tracker: Tracker, by: Actor): Promise<readonly PlanEvent[] | string> => {
  const entries = await tracker.entries()
  const undone = new Set(entries.map(({ undoes }) => undoes))
  const last = entries.findLast((entry) => entry.by.kind === "person" && !entry.undoes && !undone.has(entry.id))
  const result = last && (await tracker.undo(by, last.id))
  return result ? result.events : "There is nothing of a person's to undo."
}

const apply = async (
  tracker: Tracker,
  by: Actor,
  edit: Exclude<BoardEdit, { kind: "undo" }>,
): Promise<readonly PlanEvent[] | string> => {
  if (edit.kind === "add") {
    const content = sanitise(edit.content)
    const [refusal] = content === "" ? [] : check(defaultRules, [{ content }])
    if (content === "" || refusal) return refusal?.message ?? "A todo needs a text."
    return tracker.edit(by, () => edits.add(content, {}, edit.after))
  }
  if (edit.kind === "text") {
    const events = differenceTo(edit.shown, edit.text)
    return typeof events === "string" ? events : tracker.edit(by, () => events)
  }
  let isGone = false
  const events = await tracker.edit(by, (plan) => {
    const todo = todoById(plan, edit.todo)
    isGone = todo === undefined
    return todo ? verbs[edit.kind](todo, "reason" in edit ? sanitise(edit.reason ?? "") : "") : []
  })
  return isGone ? "That todo is not on the list any more." : events
}

const verbs = {
  toggle: (todo: Todo): PlanEvent[] => (isFinished(todo.status) ? edits.reopen(todo) : edits.done(todo)),
  drop: (todo: Todo, reason: string): PlanEvent[] => edits.drop(todo, reason),
  block: (todo: Todo, reason: string): PlanEvent[] =>
    todo.status === "blocked" ? edits.unblock(todo) : edits.block(todo, reason),
} as const

/** What a person's text says otherwise than what was shown to them; what the agent did meanwhile stays. */
const differenceTo = (shown: Plan, text: string): PlanEvent[] | string => {
  if (text.trim() === "") return "There is nothing in it, so nothing was changed."
  const { problems, items = [], details } = markdown.decode({ tool: "markdown", input: text }, shown)
  if (hasErrors(problems)) return problems.map(({ message }) => message).join(" ")
  const phases = Array.isArray(details?.phases) ? details.phases.map(String) : []
  return diff(shown, items, { phases }).events
}
