/** Reads one entry of a log that anybody may have touched: what is not surely an entry is none. */
import type { Actor, Entry, PlanEvent } from "./event.ts"
import { type Todo, todoStatuses } from "./todo.ts"

export const entryVersion = 1

/** The entry a parsed line holds, `future` when a newer Headway wrote it, or undefined. */
export const readEntry = (value: unknown): Entry | "future" | undefined => {
  if (!isRecord(value)) return undefined
  if (typeof value.v === "number" && value.v > entryVersion) return "future"
  const { v, id, at, by, events } = value
  const isEntry =
    v === entryVersion &&
    typeof id === "string" &&
    typeof at === "string" &&
    isRecord(by) &&
    actorKinds.has(by.kind) &&
    typeof by.id === "string" &&
    Array.isArray(events) &&
    events.every(isEvent) &&
    (value.settle === undefined || isRecord(value.settle)) &&
    (value.via === undefined || isRecord(value.via))
  return isEntry ? (value as Entry) : undefined
}

const actorKinds: ReadonlySet<unknown> = new Set<Actor["kind"]>(["agent", "person", "system", "other"])

/** An event whose parts are there. One of a kind nobody knows yet is kept: it changes nothing here. */
const isEvent = (value: unknown): value is PlanEvent => {
  if (!isRecord(value) || typeof value.type !== "string") return false
  switch (value.type) {
    case "todo-added":
    case "todo-removed":
      return isTodo(value.todo)
    case "todo-changed":
      return typeof value.id === "string" && isRecord(value.to) && isPatch(value.to) && isPatch(value.from ?? {})
    case "todo-moved":
      return typeof value.id === "string"
    case "todo-claimed":
      return typeof value.id === "string" && typeof value.owner === "string" && typeof value.minutes === "number"
    case "todo-released":
      return typeof value.id === "string" && typeof value.owner === "string"
    case "phase-added":
    case "phase-removed":
      return typeof value.name === "string"
    case "plan-cleared":
      return Array.isArray(value.todos) && value.todos.every(isTodo) && isTextList(value.phases)
    case "agent-told":
      return isTextList(value.entries)
    default:
      return true
  }
}

export const isTodo = (value: unknown): value is Todo =>
  isRecord(value) &&
  typeof value.id === "string" &&
  typeof value.content === "string" &&
  isStatus(value.status) &&
  hasSoundFields(value)

const isPatch = (value: unknown): boolean =>
  isRecord(value) &&
  (value.status === undefined || isStatus(value.status)) &&
  (value.content === undefined || typeof value.content === "string") &&
  hasSoundFields(value)

const textFields = ["activeForm", "phase", "description", "owner", "reason", "waitsFor"]

const hasSoundFields = (todo: Record<string, unknown>): boolean =>
  textFields.every((field) => isNone(todo[field]) || typeof todo[field] === "string") &&
  (isNone(todo.notes) || isTextList(todo.notes)) &&
  (isNone(todo.blockedBy) || isTextList(todo.blockedBy)) &&
  (isNone(todo.extra) || isRecord(todo.extra))

const isNone = (value: unknown): boolean => value === undefined || value === null

const isTextList = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((one) => typeof one === "string"))

const isStatus = (value: unknown): boolean => todoStatuses.some((status) => status === value)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
