/** The published list: what other programs read of a plan, in the layout agents themselves use. */
import { lstatSync } from "node:fs"
import { readPlainFile } from "../../home/reading/plain-file.ts"
import { type FileStamp, keepAside, replaceFile, stampOf } from "../../home/writing/write-file.ts"
import { messageOf } from "../../plan/headway-error.ts"
import {
  activeFormOf,
  type Plan,
  type Problem,
  readStatus,
  sanitise,
  sanitiseData,
  sortFields,
  type Todo,
  todoById,
  type Wanted,
  warning,
} from "../../plan/index.ts"
import type { InPlaceChange } from "../store.ts"
import type { PastTodos } from "./_past-todos.ts"

/** The list in the format of an agent's own tools, with everything else known about each todo. */
export const publishedText = ({ todos }: Plan): string =>
  todos.length === 0 ? "[]\n" : `[\n${todos.map(publishedItem).join(",\n")}\n]\n`

/** One todo, printed as `JSON.stringify` with two spaces would, in a fraction of its time. */
const publishedItem = ({ id, content, status, activeForm, ...rest }: Todo): string => {
  const form = activeForm ?? activeFormOf({ content })
  const head = [
    `    "content": ${JSON.stringify(content)}`,
    `    "status": "${status}"`,
    `    "activeForm": ${JSON.stringify(form)}`,
    idLine(id),
  ]
  const more = Object.entries(rest).map(
    ([field, value]) => `    ${JSON.stringify(field)}: ${JSON.stringify(value, null, 2).replaceAll("\n", "\n    ")}`,
  )
  return `  {\n${[...head, ...more].join(",\n")}\n  }`
}

const idLine = (id: string): string => `    "id": ${JSON.stringify(id)}`

export type PublishedPaths = {
  list: string
  /** Stored next to a large list: its revision, so that the list need not be read. */
  record: string
  temporary: string
  /** The record may be on another disk than the list. */
  recordTemporary: string
}

/** What is known about the list that is there. */
export type Publishing = {
  /** All that happened since a list was published. */
  change?: InPlaceChange | undefined
  /** Lists as this process left them, by path. */
  left: Map<string, FileStamp>
  wasTodo: PastTodos
}

/** For lists below this size, printing everything again is fastest. */
const largeList = 500

type PublishedRecord = FileStamp & { revision: number }

/**
 * Updates the file from the plan. A file with todos that were never in the plan, or that is not a list, is moved aside
 * and reported.
 */
export const publishList = (paths: PublishedPaths, plan: Plan, how: Publishing): Problem | undefined => {
  const { change, left } = how
  const isLarge = plan.todos.length >= largeList
  const record = isLarge ? publishedRecord(paths) : undefined
  if (record?.revision === plan.revision) return undefined
  const patched = change && record?.revision === change.from ? patchedList(paths, plan, change, record) : undefined
  const { file, problem } = patched
    ? { file: replaceFile(paths.list, patched, paths.temporary), problem: undefined }
    : publishWhole(paths, plan, how)
  if (file) left.set(paths.list, file)
  else left.delete(paths.list)
  // The record describes the file this process wrote, which may have been replaced since.
  if (isLarge && file)
    replaceFile(paths.record, JSON.stringify({ ...file, revision: plan.revision }), paths.recordTemporary)
  return problem
}

/** Whether the file shows the plan. Cheaper than to publish it again: no wording is derived, and so none is compared. */
export const showsPlan = (paths: Pick<PublishedPaths, "list" | "record">, { todos, revision }: Plan): boolean => {
  if (todos.length >= largeList) return publishedRecord(paths)?.revision === revision
  try {
    const items: unknown = JSON.parse(readPlainFile(paths.list).toString("utf8"))
    return Array.isArray(items) && items.length === todos.length && todos.every((todo, at) => isItemOf(items[at], todo))
  } catch {
    return false
  }
}

const isItemOf = (item: Record<string, unknown>, { id, content, status, activeForm, ...rest }: Todo): boolean =>
  JSON.stringify({ content, status, activeForm: activeForm ?? item.activeForm, id, ...rest }) === JSON.stringify(item)

type Published = { file: FileStamp | undefined; problem: Problem | undefined }

const publishWhole = ({ list, temporary }: PublishedPaths, plan: Plan, how: Publishing): Published => {
  const text = publishedText(plan)
  const stood = lstatSync(list, { throwIfNoEntry: false })
  const old = readOld(list)?.toString("utf8")
  if (old === text) return { file: stood && stampOf(stood), problem: undefined }
  const isLeftByUs = stood !== undefined && isSameStamp(stampOf(stood), how.left.get(list))
  const bad = isLeftByUs || old === undefined ? undefined : whatIsLost(old, plan, how.wasTodo)
  const aside = bad && keepAside(list)
  const file = replaceFile(list, text, temporary)
  const problem = bad && warning(bad.code, `${list}: ${bad.message}. It was kept as ${aside} and written again.`)
  return { file, problem }
}

/** What would be lost if the list were overwritten. */
const whatIsLost = (text: string, plan: Plan, wasTodo: PastTodos): Problem | undefined => {
  const { items = [], lost = 0, problem } = readPublished(text)
  const all = items.length + lost
  if (lost > 0) return warning("unreadable-items", `${lost} of its ${all} items could not be read as todos`)
  const known = new Set(plan.todos.map(({ content, status }) => JSON.stringify([content, status])))
  const isKnown = ({ content = "", status = "pending" }: Wanted): boolean =>
    known.has(JSON.stringify([content, status])) || wasTodo(content, status)
  const added = items.filter((item) => !isKnown(item)).length
  return added > 0 ? warning("edited-list", `${added} of its ${all} items were changed outside Headway`) : problem
}

/** What is known of the file, if it is still the one that was published. */
const publishedRecord = ({ list, record }: Pick<PublishedPaths, "list" | "record">): PublishedRecord | undefined => {
  try {
    const known = JSON.parse(readPlainFile(record).toString("utf8")) as PublishedRecord
    return isSameStamp(known, stampOf(lstatSync(list))) ? known : undefined
  } catch {
    return undefined
  }
}

const isSameStamp = (one: FileStamp, other: FileStamp | undefined): boolean =>
  one.id === other?.id && one.size === other.size && one.time === other.time

/** The file with the changed todos printed again and new ones after the others; undefined if that is not the plan. */
const patchedList = (
  { list }: PublishedPaths,
  plan: Plan,
  { ids }: InPlaceChange,
  record: PublishedRecord,
): Buffer | undefined => {
  let bytes = readOld(list)
  // Another process may have replaced it before it was read.
  const stands = lstatSync(list, { throwIfNoEntry: false })
  if (!stands || !isSameStamp(record, stampOf(stands))) return undefined
  const added: Todo[] = []
  for (const id of ids) {
    const todo = todoById(plan, id)
    if (!todo || !bytes) return undefined
    const at = bytes.indexOf(`\n${idLine(id)}`)
    if (at < 0) {
      added.push(todo)
      continue
    }
    const start = bytes.lastIndexOf("\n  {\n", at) + 1
    const end = bytes.indexOf("\n  }", at) + "\n  }".length
    bytes = Buffer.concat([bytes.subarray(0, start), Buffer.from(publishedItem(todo)), bytes.subarray(end)])
  }
  return bytes && added.length > 0 ? extendedList(bytes, plan, added) : bytes
}

const listEnd = "\n]\n"

const extendedList = (bytes: Buffer, { todos }: Plan, added: readonly Todo[]): Buffer | undefined => {
  const last = todos.slice(-added.length)
  const isBehind = todos.length > added.length && added.every(({ id }, at) => id === last[at]?.id)
  if (!isBehind || bytes.toString("latin1", bytes.length - listEnd.length) !== listEnd) return undefined
  const items = added.map((todo) => `,\n${publishedItem(todo)}`).join("")
  return Buffer.concat([bytes.subarray(0, -listEnd.length), Buffer.from(`${items}${listEnd}`)])
}

const readOld = (path: string): Buffer | undefined => {
  try {
    return readPlainFile(path)
  } catch {
    return undefined
  }
}

/** The items of a published list by any writer, and how many other items are not todos. */
export const readPublished = (text: string): { items?: Wanted[]; lost?: number; problem?: Problem } => {
  try {
    const value: unknown = JSON.parse(text)
    if (!Array.isArray(value)) throw new Error("it is not a list")
    const items = value.flatMap((item) => readItem(item) ?? [])
    return { items, lost: value.length - items.length }
  } catch (cause) {
    return { problem: warning("unreadable-list", `the list could not be read: ${messageOf(cause)}`) }
  }
}

/** Another program may have written anything. Unknown fields are kept with the todo. */
const readItem = (item: unknown): Wanted | undefined => {
  const data = typeof item === "string" ? { content: item } : sanitiseData(item)
  const { fields, others } = sortFields(typeof data === "object" && data !== null ? data : {})
  const { status: word, extra: odd, id, ...rest } = others
  const content = sanitise(fields.content ?? "")
  const status = fields.status ?? (word === undefined ? "pending" : readStatus(word))
  if (content === "" || status === undefined) return undefined
  const extra = { ...fields.extra, ...rest, ...(odd === undefined ? {} : { extra: odd }) }
  return {
    ...fields,
    ...(typeof id === "number" ? { id: String(id) } : {}),
    content,
    status,
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  }
}
