/** The second stage of reading a call: turns a value into a list of items, whatever names the model uses. */
import {
  type Priority,
  type Problem,
  priorities,
  readStatus,
  repair,
  sanitise,
  sanitiseBlock,
  sanitiseData,
  sanitiseNote,
  type Wanted,
  warning,
} from "../../plan/index.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { type ChecklistItem, type ChecklistMarks, houseMarks, isChecklist, readChecklist } from "../checklist.ts"
import { looksLikeData, readText, readValue } from "./read.ts"

export type ItemWords = {
  /** The key of the list in this dialect. */
  list: string
  /** The key of a todo's text in this dialect. */
  text: string
  marks?: ChecklistMarks
  /** Whether todos have descriptions here, so that a description next to an id is not the todo's text. */
  describes?: boolean
  /** Finds the part of the input with the list, if it is wrapped in a protocol. */
  unwrap?: (value: unknown) => unknown
}

export type ListReading =
  | { kind: "nothing"; problems: Problem[] }
  | {
      kind: "unreadable"
      /** The object that was sent instead of a list. */
      top: Record<string, unknown>
      problems: Problem[]
    }
  | {
      kind: "list"
      items: Wanted[]
      /** The items as they were sent. */
      sent: readonly unknown[]
      /**
       * Whether the call had a single todo, was cut off or is partly unreadable, so that missing todos are not removed.
       */
      isPartial: boolean
      /** Whether the last item may be incomplete. */
      lastIsPart: boolean
      /** Whether the last item's text may be incomplete. */
      textIsPart: boolean
      /** The object that contains the list, because a dialect may read other fields of it. */
      top: Record<string, unknown>
      problems: Problem[]
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
const titleKeys = textKeys.filter((key) => key !== "description")
const idKeys = ["id", "taskId", "task_id", "todoId", "todo_id"]
const statusKeys = ["status", "state"]
const doneKeys = ["completed", "done", "checked", "isComplete"]
const activeFormKeys = ["activeForm", "active_form", "activeform"]
const blockerKeys = ["blockedBy", "blocked_by", "dependencies", "depends_on", "dependsOn"]
const reasonKeys = ["reason", "blocker", "blockedReason", "blocked_reason"]
const waitsForKeys = ["waitsFor", "waits_for", "waitingFor", "waiting_for"]

/**
 * Reads the input of a call as a list of items. Never throws. In a call that was only observed, an item with an unknown
 * status is skipped like one without text, and the others are the list.
 */
export const readList = (input: unknown, words: ItemWords, isObserved = false): ListReading => {
  const { value: sent, problems, cutOff, lastIsPart, inString } = readValue(input)
  const value = words.unwrap ? words.unwrap(sent) : sent
  if (value === undefined) return { kind: "nothing", problems }
  // Plain text instead of data is an error message, a page or an answer, not a todo. A list of lines is a list of
  // todos.
  if (typeof value === "string" && !isListOfLines(value)) return { kind: "unreadable", top: {}, problems }
  if (isRecord(value) && Object.values(value).every(isNothing)) return { kind: "nothing", problems }
  const found = findList(value, words)
  if (!found) return { kind: "unreadable", top: isRecord(value) ? value : {}, problems }
  if (found.list === undefined) return { kind: "nothing", problems }
  // No agent's tool accepts plain text as a list. What our own tool accepted is in its reply.
  if (isObserved && found.isWords)
    return {
      kind: "nothing",
      problems: [...problems, warning("words-for-list", "There was text where a list should be; it was skipped.")],
    }
  const items: Wanted[] = []
  problems.push(...found.problems)
  let skipped = 0
  for (const raw of found.list) {
    const met: Problem[] = []
    const item = readItem(raw, words, met)
    for (const problem of met) problems.push(problem)
    if (item && !(isObserved && met.some(({ code }) => code === unknownStatusCode))) items.push(item)
    else skipped += 1
  }
  if (skipped > 0)
    problems.push(
      warning(
        "empty-todo",
        `${skipped} of the todos sent ${skipped > 1 ? "were" : "was"} skipped: no text${isObserved ? ", or an unknown status" : ""}.`,
      ),
    )
  // In a list that was only observed, unreadable items are left out; a list with no readable item is ignored.
  if (items.length === 0 && found.list.length > 0)
    return { kind: isObserved ? "nothing" : "unreadable", top: found.top, problems }
  const isCutOff = cutOff || found.cutOff
  if (isCutOff)
    problems.push(warning("cut-off", "The list was cut off, so todos missing from it were kept. Send the rest."))
  const isPartial = found.isPartial || isCutOff || (skipped > 0 && !isObserved)
  return {
    kind: "list",
    items,
    sent: found.list,
    isPartial,
    lastIsPart: lastIsPart || found.lastIsPart,
    textIsPart: (inString || found.inString) && (found.isText || endsWithText(found.list.at(-1), words)),
    top: found.top,
    problems,
  }
}

/** Whether the text is the last field of an item. */
const endsWithText = (raw: unknown, words: ItemWords): boolean =>
  !isRecord(raw) || [words.text, ...textKeys].includes(Object.keys(raw).at(-1) ?? "")

const lineStart = /^\s*(?:[-*+•]|\d+[.)])\s+/

const isListOfLines = (text: string): boolean =>
  isChecklist(text) || text.split(/[\r\n]/).filter((line) => lineStart.test(line.trimEnd())).length > 1

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === ""

type Found = {
  list: unknown[] | undefined
  isPartial: boolean
  cutOff: boolean
  lastIsPart: boolean
  inString: boolean
  /** Whether the items were lines of a text. */
  isText: boolean
  /** Whether the text was not a checklist. */
  isWords: boolean
  top: Record<string, unknown>
  problems: Problem[]
}

const plain = {
  isPartial: false,
  cutOff: false,
  lastIsPart: false,
  inString: false,
  isText: false,
  isWords: false,
  top: {},
  problems: [],
}

/** No model wraps its list more deeply. */
const deepest = 8

/** Looks for the list: the value itself, under a known key, or one level further down. */
const findList = (value: unknown, words: ItemWords, level = 0): Found | undefined => {
  if (level > deepest) return undefined
  if (Array.isArray(value)) return { ...plain, list: value }
  if (typeof value === "string") return readTextList(value, words, level)
  if (!isRecord(value)) return undefined
  if (isItem(value, words)) {
    const problems = [repair("one-object", "One todo was sent instead of a list.")]
    return { ...plain, list: [value], isPartial: true, top: value, problems }
  }
  return findUnderKey(value, words, level) ?? (level === 0 ? findFurtherDown(value, words) : undefined)
}

const findUnderKey = (value: Record<string, unknown>, words: ItemWords, level: number): Found | undefined => {
  const holds = (key: string): boolean => Object.hasOwn(value, key) && !isNothing(value[key])
  const keys = holds(words.list) ? [] : [words.list, ...listKeys].filter((key) => Object.hasOwn(value, key))
  const key = holds(words.list) ? words.list : (keys.find(holds) ?? keys[0])
  if (key === undefined) return undefined
  if (isNothing(value[key])) return { ...plain, list: undefined }
  const found = findList(value[key], words, level + 1)
  if (!found) return undefined
  const inPlace = found.top === plain.top ? { ...found, top: value } : found
  if (key === words.list) return inPlace
  return withProblem(inPlace, repair("list-key", `The list was under "${key}" instead of "${words.list}".`))
}

/** An array under an unknown name may be anything, so it only adds todos and does not remove any. */
const findFurtherDown = (value: Record<string, unknown>, words: ItemWords): Found | undefined => {
  for (const [key, inner] of Object.entries(value)) {
    if (key === "__proto__" || !isList(inner)) continue
    const found = findList(inner, words, 1)
    if (found?.list === undefined || (Array.isArray(inner) && inner.length === 0)) continue
    const problem = repair("nested-list", "The list was nested one level too deep.")
    return withProblem({ ...found, isPartial: found.isPartial || Array.isArray(inner) }, problem)
  }
  return undefined
}

const withProblem = (found: Found, problem: Problem): Found => ({ ...found, problems: [...found.problems, problem] })

const isList = (value: unknown): boolean => Array.isArray(value) || isRecord(value)

/** Whether an object is itself a todo. An object with only a name or title may be what a list is wrapped in. */
const isItem = (value: Record<string, unknown>, words: ItemWords): boolean => {
  const has = (keys: readonly string[]) =>
    keys.some((key) => typeof value[key] === "string" || typeof value[key] === "number")
  if (isList(value[words.list])) return false
  if (has([words.text]) || (has(statusKeys) && has([...textKeys, ...idKeys]))) return true
  return has(textKeys) && !holdsList(value, words)
}

const holdsList = (value: Record<string, unknown>, words: ItemWords): boolean =>
  listKeys.some((key) => isList(value[key])) ||
  Object.values(value).some((inner) => isRecord(inner) && isList(inner[words.list]))

/** Reads a list that was sent as text: data in a string, a checklist, or lines of words. */
const readTextList = (text: string, words: ItemWords, level: number): Found | undefined => {
  const { value, problems, cutOff, lastIsPart, inString } = readText(text)
  if (value === undefined) return { ...plain, list: undefined }
  if (isList(value)) {
    const inner = findList(value, words, level + 1)
    const asString = repair("list-in-string", "The list was sent as a string.")
    if (inner) return { ...inner, cutOff, lastIsPart, inString, problems: [asString, ...problems, ...inner.problems] }
  }
  if (looksLikeData(text)) return undefined
  const written = typeof value === "string" ? value : text
  const items = checklistItems(readChecklist(written, words.marks ?? houseMarks).items)
  if (items.length > 0) {
    const problems = [repair("checklist", "The list was sent as a checklist.")]
    return { ...plain, list: items, isText: true, problems }
  }
  const lines = written.split(/\r?\n|\\n/).flatMap((line) => line.replace(lineStart, "").trim() || [])
  return {
    ...plain,
    list: lines,
    isPartial: true,
    isText: true,
    isWords: true,
    problems: [repair("plain-text", "The list was sent as plain text.")],
  }
}

/** An unknown mark is an unknown status. */
export const checklistItems = (items: readonly ChecklistItem[]): Record<string, unknown>[] =>
  items.map(({ rawMark, droppedBy: _, ...item }) => (rawMark === undefined ? item : { ...item, status: rawMark }))

/** Reads one item. Returns undefined if it has neither text nor id. */
export const readItem = (raw: unknown, words: ItemWords, problems: Problem[]): Wanted | undefined => {
  if (isRecord(raw)) return readFields(raw, words, problems)
  if (typeof raw !== "string") return undefined
  const text = raw.trim()
  const inner = text.startsWith("{") && text.endsWith("}") ? readText(text).value : undefined
  const content = sanitise(raw)
  return (
    (isRecord(inner) ? readFields(inner, words, problems) : undefined) ?? (content === "" ? undefined : { content })
  )
}

const readFields = (value: Record<string, unknown>, words: ItemWords, problems: Problem[]): Wanted | undefined => {
  const take = fieldTaker(value)
  const item: Wanted = {}
  const set = <Field extends keyof Wanted>(field: Field, read: Wanted[Field] | undefined): void => {
    if (read !== undefined) item[field] = read
  }
  set("id", readId(take(idKeys)))
  const content = take([words.text, ...titleKeys, words.list])
  const isPatch = words.describes && item.id !== undefined
  set("content", readLine(content ?? (isPatch ? undefined : take(["description"]))))
  const rawStatus = take(statusKeys)
  const status = readStatus(rawStatus)
  set("status", status ?? readStatus(take(doneKeys)))
  if (status === undefined && !isNothing(rawStatus)) {
    problems.push(unknownStatus(rawStatus, item))
  }
  set("activeForm", readLine(take(activeFormKeys)))
  set("description", readBlock(take(["description"])))
  set("phase", readLine(take(["phase"])))
  set("owner", readLine(take(["owner"])))
  set("reason", readBlock(take(reasonKeys)))
  set("waitsFor", readLine(take(waitsForKeys)))
  set("priority", readPriority(take, value))
  set(
    "notes",
    readStrings(take(["notes"]))?.flatMap((note) => sanitiseNote(note) || []),
  )
  set(
    "blockedBy",
    readStrings(take(blockerKeys))?.flatMap((name) => sanitise(name).replace(/^#(?=\d)/, "") || []),
  )
  const extra = take.rest()
  if (item.content === undefined && item.id === undefined) return undefined
  return Object.keys(extra).length > 0 ? { ...item, extra } : item
}

type Taker = ((keys: readonly string[]) => unknown) & { rest(): Record<string, unknown> }

/** Takes fields out of an object by the first of several names that has a value. Everything else is kept as it is. */
const fieldTaker = (value: Record<string, unknown>): Taker => {
  const left = new Map(Object.entries(value))
  const take = (keys: readonly string[]): unknown => {
    // Faster, because most items have two or three fields, but there are forty names to look for.
    if (left.size === 0) return undefined
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
    if (left.size === 0 && native === undefined) return {}
    const found = sanitiseData({ ...(isRecord(native) ? native : {}), ...Object.fromEntries(left) })
    return isRecord(found) ? found : {}
  }
  return Object.assign(take, { rest })
}

const unknownStatusCode = "unknown-status"

const unknownStatus = (raw: unknown, { content, id }: Wanted): Problem => {
  const word = sanitise(typeof raw === "string" ? raw : (JSON.stringify(sanitiseData(raw)) ?? typeof raw)).slice(0, 40)
  const name = content === undefined ? `todo ${id}` : `"${content.slice(0, 60)}"`
  return warning(
    unknownStatusCode,
    `The status "${word}" of ${name} is unknown and was ignored. Use pending, in_progress, completed, blocked or cancelled.`,
  )
}

/** Our ids are short strings. Models also write them as numbers, or with a leading #. */
export const readId = (raw: unknown): string | undefined => {
  if (typeof raw === "number" && Number.isFinite(raw)) return String(raw)
  if (typeof raw !== "string") return undefined
  return sanitise(raw.slice(0, 500)).replace(/^#(?=\d)/, "") || undefined
}

export const readLine = (raw: unknown): string | undefined => {
  const text = typeof raw === "number" ? String(raw) : raw
  return typeof text === "string" ? sanitise(text) || undefined : undefined
}

export const readBlock = (raw: unknown): string | undefined =>
  typeof raw === "string" ? sanitiseBlock(raw) || undefined : undefined

/** Reads a list of strings from an array, JSON in a string, or a single value. */
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
  if (known || isNothing(raw)) take(["priority"])
  return known
}
