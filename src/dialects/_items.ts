/** The second stage of reading a call: a value becomes a list of items, under any of the names models give things. */
import {
  deriveActiveForm,
  type Priority,
  type Problem,
  priorities,
  repair,
  sanitise,
  sanitiseBlock,
  sanitiseData,
  type Wanted,
  warning,
} from "../plan/index.ts"
import { type ChecklistMarks, houseMarks, isChecklist, readChecklist } from "./_checklist.ts"
import { readText, readValue } from "./_read.ts"
import { readStatus } from "./_status.ts"

export type ItemWords = {
  /** The key this dialect keeps its list under. */
  list: string
  /** The key this dialect keeps a todo's text under. */
  text: string
  marks?: ChecklistMarks
}

export type ListReading =
  | { kind: "nothing"; problems: Problem[] }
  | { kind: "unreadable"; problems: Problem[] }
  | {
      kind: "list"
      items: Wanted[]
      /** The sender meant one todo, or was cut off, so what is missing proves nothing. */
      isPartial: boolean
      /** The last item may be only part of what was meant. */
      lastIsPart: boolean
      /** The top object, for what a dialect reads beside the list. */
      top: Record<string, unknown>
      problems: Problem[]
      phases?: string[]
    }

const listKeys = [
  "todos",
  "items",
  "tasks",
  "plan",
  "steps",
  "list",
  "todoList",
  "todo_list",
  "task_list",
  "entries",
  "checklist",
]
const textKeys = ["content", "title", "name", "text", "task", "step", "subject", "todo", "item", "description"]
const idKeys = ["id", "taskId", "task_id", "todoId", "todo_id"]
const statusKeys = ["status", "state"]
const doneKeys = ["completed", "done", "checked", "isComplete"]
const activeFormKeys = ["activeForm", "active_form", "activeform"]
const blockerKeys = ["blockedBy", "blocked_by", "dependencies", "depends_on", "dependsOn"]
const reasonKeys = ["reason", "blocker", "blockedReason", "blocked_reason"]
const waitsForKeys = ["waitsFor", "waits_for", "waitingFor", "waiting_for"]

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads the input of a call as a list of items. Never throws. */
export const readList = (input: unknown, words: ItemWords): ListReading => {
  const { value, problems, cutOff, lastIsPart } = readValue(input)
  if (value === undefined) return { kind: "nothing", problems }
  if (isObject(value) && Object.values(value).every(isNothing)) return { kind: "nothing", problems }
  const found = findList(value, words)
  if (!found) return { kind: "unreadable", problems }
  if (found.list === undefined) return { kind: "nothing", problems }
  const items: Wanted[] = []
  problems.push(...found.problems)
  let skipped = 0
  for (const raw of found.list) {
    const item = readItem(raw, words, problems)
    if (item) items.push(item)
    else skipped += 1
  }
  if (skipped > 0)
    problems.push(
      warning("empty-todo", `${skipped} of the todos sent had no text and ${skipped > 1 ? "were" : "was"} skipped.`),
    )
  if (items.length === 0 && found.list.length > 0) return { kind: "unreadable", problems }
  const isPartial = found.isOne || cutOff || found.cutOff
  if (cutOff || found.cutOff)
    problems.push(warning("cut-off", "The list was cut off, so nothing it leaves out was removed. Send the rest."))
  const top = isObject(value) ? value : {}
  const ending = { isPartial, lastIsPart: lastIsPart || found.lastIsPart }
  return { kind: "list", items, ...ending, top, problems, ...(found.phases ? { phases: found.phases } : {}) }
}

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === ""

type Found = {
  list: unknown[] | undefined
  isOne: boolean
  cutOff: boolean
  lastIsPart: boolean
  problems: Problem[]
  phases?: string[]
}

const plain = { isOne: false, cutOff: false, lastIsPart: false, problems: [] }

/** Looks for the list: the value itself, under a known key, or one level further down. */
const findList = (value: unknown, words: ItemWords, level = 0): Found | undefined => {
  if (Array.isArray(value)) return { ...plain, list: value }
  if (typeof value === "string") return readTextList(value, words)
  if (!isObject(value)) return undefined
  if (isItem(value, words) && !isList(value[words.list])) {
    return {
      ...plain,
      list: [value],
      isOne: true,
      problems: [repair("one-object", "One todo was sent instead of a list.")],
    }
  }
  for (const key of [words.list, ...listKeys]) {
    if (!(key in value)) continue
    const inner = value[key]
    if (isNothing(inner)) return { ...plain, list: undefined }
    const found = findList(inner, words, level + 1)
    if (!found) return undefined
    return key === words.list
      ? found
      : withProblem(found, repair("list-key", `The list stood under "${key}" instead of "${words.list}".`))
  }
  if (level > 0) return undefined
  for (const inner of Object.values(value)) {
    if (!isObject(inner) && !Array.isArray(inner)) continue
    const found = findList(inner, words, level + 1)
    if (found) return withProblem(found, repair("nested-list", "The list stood one level too deep."))
  }
  return undefined
}

const withProblem = (found: Found, problem: Problem): Found => ({ ...found, problems: [...found.problems, problem] })

const isList = (value: unknown): boolean => Array.isArray(value) || isObject(value)

const isItem = (value: Record<string, unknown>, words: ItemWords): boolean => {
  const has = (keys: readonly string[]) =>
    keys.some((key) => typeof value[key] === "string" || typeof value[key] === "number")
  return has([words.text, ...textKeys.filter((key) => key !== words.list)]) || (has(idKeys) && has(statusKeys))
}

/** A list that came as text: data in a string, a checklist, or lines of words. */
const readTextList = (text: string, words: ItemWords): Found => {
  if (!isChecklist(text)) {
    const { value, problems, cutOff, lastIsPart } = readText(text)
    if (Array.isArray(value) || isObject(value)) {
      const inner = findList(value, words, 1)
      const inString = repair("list-in-string", "The list was sent as a string.")
      if (inner) return { ...inner, cutOff, lastIsPart, problems: [inString, ...problems, ...inner.problems] }
    }
  }
  const { items, phases } = readChecklist(text, words.marks ?? houseMarks)
  if (items.length > 0) {
    return {
      ...plain,
      list: items,
      problems: [repair("checklist", "The list was sent as a checklist.")],
      ...(phases.length > 0 ? { phases } : {}),
    }
  }
  const lines = text.split(/\r?\n|\\n/).flatMap((line) => line.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, "").trim() || [])
  return {
    ...plain,
    list: lines,
    isOne: lines.length < 2,
    problems: [repair("plain-text", "The list was sent as plain text.")],
  }
}

/** Reads one item, or undefined when it names nothing: no text and no id. */
export const readItem = (raw: unknown, words: ItemWords, problems: Problem[]): Wanted | undefined => {
  let value = raw
  if (typeof value === "string" && /^\s*[[{]/.test(value)) {
    const inner = readText(value).value
    if (isObject(inner)) value = inner
  }
  if (typeof value === "string") {
    const content = sanitise(value)
    return content === "" ? undefined : { content }
  }
  if (!isObject(value)) return undefined
  const take = fieldTaker(value)
  const item: Wanted = {}
  const set = <Field extends keyof Wanted>(field: Field, read: Wanted[Field] | undefined): void => {
    if (read !== undefined) item[field] = read
  }
  set("id", readId(take(idKeys)))
  const content = take([words.text, ...textKeys.filter((key) => key !== "description")]) ?? take(["description"])
  set("content", readLine(content))
  const rawStatus = take(statusKeys)
  const status = readStatus(rawStatus)
  set("status", status ?? readStatus(take(doneKeys)))
  if (status === undefined && !isNothing(rawStatus)) {
    problems.push(unknownStatus(rawStatus, item))
  }
  const activeForm = readLine(take(activeFormKeys))
  // A form that follows from the text is not kept: it would go stale when the text changes.
  if (activeForm !== deriveActiveForm(item.content ?? "")) set("activeForm", activeForm)
  set("description", readBlock(take(["description"])))
  set("phase", readLine(take(["phase"])))
  set("owner", readLine(take(["owner"])))
  set("reason", readBlock(take(reasonKeys)))
  set("waitsFor", readLine(take(waitsForKeys)))
  set("priority", readPriority(take, value))
  set("notes", readStrings(take(["notes"]))?.map(sanitiseBlock))
  set(
    "blockedBy",
    readStrings(take(blockerKeys))?.flatMap((id) => readId(id) ?? []),
  )
  const extra = take.rest()
  if (Object.keys(extra).length > 0) item.extra = extra
  return item.content === undefined && item.id === undefined ? undefined : item
}

type Taker = ((keys: readonly string[]) => unknown) & { rest(): Record<string, unknown> }

/** Takes fields out of an object under the first name that has one; what nobody takes is kept as it came. */
const fieldTaker = (value: Record<string, unknown>): Taker => {
  const left = new Map(Object.entries(value))
  const take = (keys: readonly string[]): unknown => {
    for (const key of keys) {
      if (!left.has(key)) continue
      const found = left.get(key)
      left.delete(key)
      if (found !== null && found !== undefined && found !== "") return found
    }
    return undefined
  }
  const rest = () => {
    const native = left.get("extra")
    left.delete("extra")
    const found = sanitiseData({ ...(isObject(native) ? native : {}), ...Object.fromEntries(left) })
    return isObject(found) ? found : {}
  }
  return Object.assign(take, { rest })
}

const unknownStatus = (raw: unknown, { content, id }: Wanted): Problem => {
  const word = sanitise(typeof raw === "string" ? raw : JSON.stringify(raw)).slice(0, 40)
  const name = content === undefined ? `todo ${id}` : `"${content.slice(0, 60)}"`
  return warning(
    "unknown-status",
    `The status "${word}" of ${name} is unknown and was ignored. Use pending, in_progress, completed, blocked or cancelled.`,
  )
}

/** Ids are short strings to us; a number or a leading # is how models write them too. */
export const readId = (raw: unknown): string | undefined => {
  if (typeof raw === "number" && Number.isFinite(raw)) return String(raw)
  if (typeof raw !== "string") return undefined
  return (
    sanitise(raw)
      .replace(/^#(?=\d)/, "")
      .slice(0, 500) || undefined
  )
}

export const readLine = (raw: unknown): string | undefined => {
  const text = typeof raw === "number" ? String(raw) : raw
  return typeof text === "string" ? sanitise(text) || undefined : undefined
}

export const readBlock = (raw: unknown): string | undefined =>
  typeof raw === "string" ? sanitiseBlock(raw) || undefined : undefined

/** A list of strings, however it came: an array, JSON in a string, words with commas, one value. */
export const readStrings = (raw: unknown): string[] | undefined => {
  if (typeof raw === "number") return [String(raw)]
  if (typeof raw === "string") {
    const inner = /^\s*\[/.test(raw) ? readText(raw).value : undefined
    return Array.isArray(inner) ? readStrings(inner) : [raw]
  }
  if (!Array.isArray(raw)) return undefined
  return raw.flatMap((value) => (typeof value === "string" || typeof value === "number" ? [String(value)] : []))
}

const readPriority = (take: Taker, value: Record<string, unknown>): Priority | undefined => {
  const raw = value.priority
  const word = typeof raw === "string" ? raw.trim().toLowerCase() : ""
  const known = priorities.find((priority) => priority === word)
  if (known) take(["priority"])
  return known
}
