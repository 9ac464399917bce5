/** Describes plan events in words: for histories, change notices and messages to an agent. */
import type { CheckRan, PlanCheck, PlanEvent, TodoPatch } from "../plan/event.ts"
import type { FieldsLeft } from "../plan/log/history.ts"
import { notesBetween } from "../plan/notes.ts"
import { quoted, quotedBlock } from "../plan/text/quoted.ts"
import { sanitise } from "../plan/text/sanitise.ts"
import { isFinished, type Todo } from "../plan/todo.ts"
import { fitted, layoutOf, type ViewOptions } from "./plan/row.ts"
import { widthOf } from "./text/width.ts"

/** A clause for each event worth mentioning, and a single clause for all finished todos that came back together. */
export const describeEvents = (
  events: readonly PlanEvent[],
  contentOf: (id: string) => string,
  idOf?: (id: string) => string,
): string[] => {
  const { clauses, others } = withoutFinishedLists(events)
  return [...clauses, ...others.flatMap((event) => describeEvent(event, contentOf, idOf) ?? [])]
}

/**
 * A change to a finished list brings all its todos back, and undoing the change puts them away again. Each is one
 * clause, not one per todo.
 */
export const withoutFinishedLists = (
  events: readonly PlanEvent[],
): { clauses: string[]; others: readonly PlanEvent[] } => {
  const restored = events.filter(isBroughtBack)
  const back = restored.every(({ todo }) => isFinished(todo.status)) ? restored : []
  const away = events.filter(isPutAway)
  const together = new Set<PlanEvent>([back, away].flatMap((some) => (some.length > 1 ? some : [])))
  return {
    clauses: [
      ...(back.length > 1 ? [`brought back ${back.length} finished todos`] : []),
      ...(away.length > 1 ? [`put ${away.length} finished todos away again`] : []),
    ],
    others: together.size === 0 ? events : events.filter((event) => !together.has(event)),
  }
}

const isBroughtBack = (event: PlanEvent): event is Extract<PlanEvent, { type: "todo-added" }> =>
  event.type === "todo-added" && event.restores === true

const isPutAway = (event: PlanEvent): boolean => event.type === "todo-removed" && event.putsAway === true

/** One event as a short clause; undefined if it is not worth mentioning. `contentOf` returns a todo's text by id. */
export const describeEvent = (
  event: PlanEvent,
  contentOf: (id: string) => string,
  idOf: (id: string) => string = (id) => id,
): string | undefined => {
  const named: Named = (id, content = contentOf(id)) => namedBy(idOf(id), content)
  const wordFor: WordFor = (id) => (idOf(id) === "" ? quoted(contentOf(id)) : shownWord(idOf(id)))
  switch (event.type) {
    case "todo-added":
      return event.restores
        ? `brought back ${named(event.todo.id, event.todo.content)}`
        : describeAdded(event.todo, { named, wordFor })
    case "todo-changed":
      return describeChange(named(event.id, event.from.content ?? contentOf(event.id)), event, { wordFor })
    case "todo-claimed":
      return `${named(event.id)}: taken by ${shownWord(event.owner)}`
    case "todo-released":
      return `${named(event.id)}: no longer taken by ${shownWord(event.owner)}`
    case "todo-removed":
      return event.putsAway
        ? `put ${named(event.todo.id, event.todo.content)} away again`
        : `removed ${named(event.todo.id, event.todo.content)}`
    case "todo-refused":
      return `continued ${quoted(event.content)} (${event.status}) against a change by hand`
    case "todo-moved":
      return `moved ${named(event.id)}${placeText(event.after, wordFor)}`
    case "phase-added":
      return event.was === undefined ? `added phase ${quoted(event.name)}` : `moved phase ${quoted(event.name)}`
    case "phase-removed":
      return `removed phase ${quoted(event.name)}`
    case "plan-cleared":
      return `cleared ${event.todos.length} ${event.todos.length === 1 ? "todo" : "todos"}`
    case "plan-restored":
      return event.context === "resume" ? "restored the plan, paused" : "restored the plan for the agent"
    case "plan-resumed":
      return "resumed the plan"
    case "check-set":
      return `added check ${checkText(event.check, named)}`
    case "check-removed":
      return `removed check ${checkText(event.check, named)}`
    case "check-ran":
      return `ran check ${checkText(event.check, named)}: ${checkOutcomeText(event)}`
    case "plan-moved":
      return event.to === undefined
        ? `copied from session ${sanitise(event.from ?? "")}`
        : `copied to session ${sanitise(event.to)}`
    case "plan-opened":
      return "began the plan"
    default:
      return undefined
  }
}

/** The outcome of a check that Headway ran, in a word or two. */
export const checkOutcomeText = ({ outcome, isNotRunnable }: Pick<CheckRan, "outcome" | "isNotRunnable">): string =>
  isNotRunnable ? "could not run" : outcome.replace("-", " ")

/** The fields of a todo that an undo left unchanged, as a short clause. */
export const describeLeft = ({ id, fields }: FieldsLeft, contentOf: (id: string) => string): string =>
  `left ${namedBy(id, contentOf(id))} as it is: ${fields.map((field) => spokenFields[field] ?? field).join(", ")} changed since`

/** Says why no part of a change could be undone. */
export const overtakenText = ([first, ...others]: readonly FieldsLeft[], contentOf: (id: string) => string): string => {
  if (!first) return "Nothing to undo is left of that change: later changes replaced it."
  const more = others.length > 0 ? `; and ${others.length} more` : ""
  return `Nothing to undo is left of that change: ${describeLeft(first, contentOf)}${more}.`
}

const spokenFields: Record<string, string> = {
  content: "wording",
  activeForm: "active form",
  blockedBy: "blockers",
  waitsFor: "what it waits for",
  extra: "details",
}

/** Behaviour G6: the transition line of a todo whose status changed. Only a long text is cut. */
export const transitionLine = (content: string, status: string, options: ViewOptions = {}): string => {
  const layout = layoutOf({ width: Number.POSITIVE_INFINITY, ...options })
  const [before, after] = ['[Todo: "', `" ${layout.ascii ? "->" : "→"} ${status}]`]
  const room = layout.width - widthOf(before) - widthOf(after)
  if (room < 1) return fitted(before + content + after, layout)
  return before + fitted(content, { ...layout, width: room }) + after
}

/** Names a todo by the id that the reader knows, and by its text. */
type Named = (id: string, content?: string) => string

/** Names a todo by the id that the reader knows, otherwise by its text. */
type WordFor = (id: string) => string

type Names = { named: Named; wordFor: WordFor }

const checkText = ({ todo, command, file }: PlanCheck, named: Named): string =>
  `${quoted(command ?? `file ${file ?? ""}`)}${todo === undefined ? "" : ` of ${named(todo)}`}`

const namedBy = (id: string, content: string): string =>
  id === "" ? quoted(content) : `${shownWord(id)} ${quoted(content)}`

/** Quotes an id, a name or a reason that is more than one plain word, so that its end is clear. */
export const shownWord = (text: string): string => (/^[\w.-]+$/.test(text) ? text : quoted(text))

const placeText = (after: string | undefined, wordFor: WordFor): string => {
  if (after === undefined) return ""
  return after === "" ? " to the start" : ` after ${wordFor(after)}`
}

const describeAdded = ({ id, content, status, ...details }: Todo, { named, wordFor }: Names): string => {
  const parts = Object.entries(details).flatMap(([field, value]) =>
    describeField(field, value, {}, { wordFor, isChange: false }),
  )
  return [`added ${named(id, content)}${status === "pending" ? "" : ` (${status})`}`, ...parts].join(", ")
}

const describeChange = (
  todo: string,
  { from, to }: { from: TodoPatch; to: TodoPatch },
  { wordFor }: Pick<Names, "wordFor">,
): string => {
  const parts = Object.entries(to).flatMap(([field, value]) => describeField(field, value, from, { wordFor }))
  return `${todo}: ${parts.join(", ") || "details changed"}`
}

const describeField = (
  field: string,
  value: unknown,
  from: TodoPatch,
  { wordFor, isChange = true }: { wordFor: WordFor; isChange?: boolean },
): string[] => {
  if (field === "content") return [`reworded to ${quoted(String(value))}`]
  if (field === "status") return [`now ${String(value)}`]
  if (field === "notes") return describeNotes(from.notes ?? [], Array.isArray(value) ? value.map(String) : [])
  if (field === "extra" || field === "activeForm") return []
  if (value === null) return [withoutField[field] ?? `${field} removed`]
  // "because" belongs to a status: a reason that changes alone is named.
  const name = field === "reason" && isChange && from.status === undefined ? field : (fieldNames[field] ?? field)
  if (field === "description") return [`${name} ${quotedBlock(String(value))}`]
  const words = [value].flat().map((one) => (field === "blockedBy" ? wordFor(String(one)) : shownWord(String(one))))
  return words.length > 0 ? [`${name} ${words.join(", ")}`] : []
}

const describeNotes = (old: readonly string[], notes: readonly string[]): string[] => {
  const { added, gone } = notesBetween(old, notes)
  if (added.length + gone.length === 0) return ["notes reordered"]
  return [
    ...gone.map((note) => `note ${quotedBlock(note)} removed`),
    ...added.map((note) => `note ${quotedBlock(note)}`),
  ]
}

/** The words for a field that is now empty. */
const withoutField: Record<string, string> = {
  waitsFor: "no longer waits",
  blockedBy: "no longer waits for another todo",
  reason: "reason removed",
}

const fieldNames: Record<string, string> = { waitsFor: "waits for", blockedBy: "waits for todo", reason: "because" }
