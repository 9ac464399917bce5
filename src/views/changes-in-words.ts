/**
 * Describes changes to a plan for people: todos by their text, and clauses that can follow a name ("Ada" blocked …).
 */
import type { PlanEvent, TodoPatch } from "../plan/event.ts"
import { notesBetween } from "../plan/notes.ts"
import { quoted, quotedBlock } from "../plan/text/quoted.ts"
import { sanitise, sanitiseNote } from "../plan/text/sanitise.ts"
import { isFinished, type Todo, type TodoStatus } from "../plan/todo.ts"
import { describeEvent, shownWord, withoutFinishedLists } from "./changes.ts"
import { cut } from "./text/width.ts"

type ContentOf = (id: string) => string

/** The most columns quoted of a todo's text, and of a note, reason or owner. The plan has the full text. */
const [mostOfTodo, mostOfText] = [80, 200]

/** A clause such as `blocked "Run the tests": waits for Ada` for each event worth mentioning. */
export const changesInWords = (events: readonly PlanEvent[], contentOf: ContentOf): string[] => {
  const isPhased = new Set(
    events.flatMap((event) => (event.type === "todo-changed" && "phase" in event.to ? event.id : [])),
  )
  const { clauses, others } = withoutFinishedLists(events)
  const changes = others.flatMap((event) => {
    // The clause about the todo's new phase is more useful than one about its new position.
    if (event.type === "todo-moved" && isPhased.has(event.id)) return []
    return changeInWords(event, contentOf) ?? []
  })
  return [...clauses, ...changes]
}

const changeInWords = (event: PlanEvent, contentOf: ContentOf): string | undefined => {
  switch (event.type) {
    case "todo-added":
      return event.restores ? `brought back ${todoText(event.todo.content)}` : addedText(event.todo, contentOf)
    case "todo-changed":
      return changedText(event, contentOf)
    case "todo-claimed":
      return `claimed ${todoText(contentOf(event.id))} for ${shownText(event.owner)}`
    case "todo-released":
      return `released ${todoText(contentOf(event.id))}, claimed for ${shownText(event.owner)} before`
    case "todo-removed":
      return event.putsAway
        ? `put ${todoText(event.todo.content)} away again`
        : `removed ${todoText(event.todo.content)}`
    case "todo-moved":
      return `moved ${todoText(contentOf(event.id))}${placeText(event.after, contentOf)}`
    case "todo-refused":
      return describeEvent({ ...event, content: cut(sanitise(event.content), mostOfTodo) }, contentOf)
    default:
      return describeEvent(event, contentOf)
  }
}

const todoText = (content: string): string => quoted(cut(sanitise(content), mostOfTodo))

const shownText = (text: string): string => shownWord(cut(sanitise(text), mostOfText))

const noteText = (note: string): string => quotedBlock(cut(sanitiseNote(note), mostOfText))

const placeText = (after: string | undefined, contentOf: ContentOf): string => {
  if (after === undefined) return ""
  return after === "" ? " to the start" : ` behind ${todoText(contentOf(after))}`
}

const addedText = ({ id: _, content, status, phase, ...fields }: Todo, contentOf: ContentOf): string => {
  const place = phase === undefined ? "" : ` to phase ${todoText(phase)}`
  const details = detailsOf(fields, {}, contentOf)
  return [
    `added ${todoText(content)}${place}${status === "pending" ? "" : `, ${statusWords[status]}`}`,
    ...(details.length > 0 ? [details.join("; ")] : []),
  ].join(": ")
}

const changedText = ({ id, from, to }: PlanEvent & { type: "todo-changed" }, contentOf: ContentOf): string => {
  const todo = todoText(from.content ?? contentOf(id))
  const note = onlyNoteIn(from, to)
  if (note !== undefined) return `noted on ${todo}: ${noteText(note)}`
  const [head, fields] = headOf(todo, from, to)
  const rest = Object.fromEntries(Object.entries(to).filter(([field]) => !fields.includes(field)))
  // The end of a blocked status already implies that its reason is gone.
  const details = detailsOf(rest, from, contentOf, fields.includes("status"))
  return details.length === 0 ? head : `${head}: ${details.join("; ")}`
}

/** The main change, and the fields that express it. */
const headOf = (todo: string, from: TodoPatch, to: TodoPatch): [head: string, fields: string[]] => {
  if (to.status) return [`${verbOf(from.status ?? undefined, to.status)} ${todo}`, ["status"]]
  if (to.content) return [`reworded ${todo} to ${todoText(to.content)}`, ["content"]]
  if (to.phase) return [`moved ${todo} to phase ${todoText(to.phase)}`, ["phase"]]
  if ("phase" in to) return [`took ${todo} out of its phase`, ["phase"]]
  return [`changed ${todo}`, []]
}

const verbOf = (from: TodoStatus | undefined, to: TodoStatus): string => {
  if (to !== "pending") return verbs[to]
  if (from === "blocked") return "unblocked"
  return from !== undefined && isFinished(from) ? "reopened" : "put back"
}

const verbs: Readonly<Record<Exclude<TodoStatus, "pending">, string>> = {
  in_progress: "started",
  completed: "finished",
  blocked: "blocked",
  cancelled: "dropped",
}

const statusWords: Readonly<Record<TodoStatus, string>> = {
  pending: "to do",
  in_progress: "in progress",
  completed: "done",
  blocked: "blocked",
  cancelled: "dropped",
}

const detailsOf = (to: TodoPatch, from: TodoPatch, contentOf: ContentOf, isStatusGiven = false): string[] => {
  const { content, phase, notes, description, priority, blockedBy, owner, reason, waitsFor } = to
  const ended = (value: unknown, words: string): string[] => (value === null && !isStatusGiven ? [words] : [])
  return [
    ...(content ? [`reworded to ${todoText(content)}`] : []),
    ...(phase ? [`now in phase ${todoText(phase)}`] : []),
    ...(reason ? [shownText(reason)] : ended(reason, "reason removed")),
    ...(waitsFor ? [`waits for ${shownText(waitsFor)}`] : ended(waitsFor, "no longer waits")),
    ...(blockedBy && blockedBy.length > 0
      ? [`waits for ${blockedBy.map((id) => todoText(contentOf(id))).join(", ")}`]
      : ended(blockedBy, "no longer waits for another todo")),
    ...(notes === undefined ? [] : notesText(from.notes ?? [], notes ?? [])),
    ...(description ? [`description ${noteText(description)}`] : description === null ? ["description removed"] : []),
    ...(owner ? [`owner ${shownText(owner)}`] : owner === null ? ["no owner"] : []),
    ...(priority ? [`${priority} priority`] : []),
  ]
}

/** The added note, if nothing else changed. */
const onlyNoteIn = (from: TodoPatch, { notes, ...others }: TodoPatch): string | undefined => {
  if (!notes || Object.keys(others).length > 0) return undefined
  const { added, gone } = notesBetween(from.notes ?? [], notes)
  return added.length === 1 && gone.length === 0 ? added[0] : undefined
}

const notesText = (old: readonly string[], notes: readonly string[]): string[] => {
  const { added, gone } = notesBetween(old, notes)
  if (added.length + gone.length === 0) return ["notes reordered"]
  return [...gone.map((note) => `note ${noteText(note)} removed`), ...added.map((note) => `note ${noteText(note)}`)]
}
