/** One reader and one printer of markdown checklists, for every dialect that uses them and for people's editors. */

import { sanitise, sanitiseNote } from "../plan/text/sanitise.ts"
import type { Plan, Todo, TodoStatus } from "../plan/todo.ts"

/** The marks between the brackets, and their statuses. A status is printed with its first mark. */
export type ChecklistMarks = Readonly<Record<string, TodoStatus>>

export const houseMarks: ChecklistMarks = {
  " ": "pending",
  "/": "in_progress",
  ">": "in_progress",
  x: "completed",
  X: "completed",
  "-": "cancelled",
  "~": "cancelled",
  "!": "blocked",
}

export type ChecklistItem = {
  content: string
  /** Absent if the dialect does not have the mark. */
  status?: TodoStatus
  /** The mark as written, only if the dialect does not have it. */
  rawMark?: string
  phase?: string
  notes?: string[]
  /** From `<!-- blocker: … -->` or `<!-- reason: … -->`. */
  reason?: string
  waitsFor?: string
  droppedBy?: string
  id?: string
}

export type Checklist = {
  items: ChecklistItem[]
  /** All headings in order, even those without todos. */
  phases: string[]
  /** Lines that are not a todo, heading, note, blank line or code fence. */
  ignored: string[]
}

export type ChecklistOptions = {
  /** The phase for todos before the first heading. Without it, they have no phase. */
  orphanPhase?: string
}

/** Reads a checklist in any known form. Other lines are reported in `ignored`. */
export const readChecklist = (text: string, marks: ChecklistMarks, options: ChecklistOptions = {}): Checklist => {
  const items: ChecklistItem[] = []
  const phases = new Set<string>()
  const ignored: string[] = []
  let phase = options.orphanPhase
  let current: ChecklistItem | undefined
  let previous: Line["kind"] = "blank"
  for (const line of linesOf(text, marks)) {
    if (line.kind === "heading") {
      phase = line.text
      phases.add(phase)
      current = undefined
    } else if (line.kind === "todo") {
      current = phase === undefined ? line.item : { ...line.item, phase }
      if (phase !== undefined) phases.add(phase)
      items.push(current)
    } else if (line.kind === "quote" && current !== undefined) {
      current.notes = withQuote(current.notes ?? [], line.text, previous === "quote")
    } else if (line.kind !== "blank") ignored.push(line.text)
    previous = line.kind
  }
  return { items, phases: [...phases], ignored }
}

/** Whether at least one line is a todo of a checklist. */
export const isChecklist = (text: string): boolean => linesOf(text, houseMarks).some((line) => line.kind === "todo")

/**
 * Prints the todos without a phase, then each phase under its heading. Reading the result gives the same content, status,
 * phase, notes, reason and waitsFor, whatever the (sanitised) text says.
 */
export const printChecklist = (plan: Pick<Plan, "todos" | "phases">, marks: ChecklistMarks = houseMarks): string =>
  checklistRows(plan, marks)
    .map(({ text }) => `${text}\n`)
    .join("")

/** A line of a printed checklist. `status` is that of its todo; `isHeading` marks the name of a phase. */
export type ChecklistRow = { text: string; status?: TodoStatus; isHeading?: true }

export const checklistRows = (
  plan: Pick<Plan, "todos" | "phases">,
  marks: ChecklistMarks = houseMarks,
): ChecklistRow[] => {
  const sections = new Map<string, ChecklistRow[]>([["", []]])
  for (const name of plan.phases) sections.set(sanitise(name), [])
  for (const todo of plan.todos) {
    // A box without a text would not be read as a todo, and its notes would belong to the previous one.
    if (sanitise(todo.content) === "") continue
    const name = sanitise(todo.phase ?? "")
    const lines = sections.get(name) ?? []
    sections.set(name, lines)
    lines.push(...printTodo(todo, marks).map((text) => ({ text, status: todo.status })))
  }
  const filled = [...sections]
    .map(([name, lines]) => (name === "" ? lines : [{ text: `# ${name}`, isHeading: true } as const, ...lines]))
    .filter((lines) => lines.length > 0)
  return filled.flatMap((lines, index) => (index === 0 ? lines : [{ text: "" }, ...lines]))
}

type Line =
  | { kind: "todo"; item: ChecklistItem }
  | { kind: "heading" | "quote" | "other"; text: string }
  | { kind: "blank" }

const linesOf = (text: string, marks: ChecklistMarks): Line[] => {
  const read = (line: string): Line => readLine(line, marks)
  if (/[\r\n]/.test(text)) return text.split(/\r\n|\n|\r/).map(read)
  // Some models send the two characters \n instead of a line break. They may also be part of a todo, so they count as
  // line breaks only if a todo follows them.
  const lines = text.split(/(?:\\r)?\\n/).map(read)
  return lines.slice(1).some((line) => line.kind === "todo") ? lines : [read(text)]
}

const readLine = (line: string, marks: ChecklistMarks): Line => {
  const text = line.trim()
  if (text === "" || /^(?:`{3}|~{3})/.test(text)) return { kind: "blank" }
  if (text.startsWith(">")) return { kind: "quote", text: text.slice(text.startsWith("> ") ? 2 : 1) }
  const heading = /^#+\s+/.exec(text)
  if (heading !== null) return { kind: "heading", text: text.slice(heading[0].length) }
  const item = readTodo(text, marks)
  return item === undefined ? { kind: "other", text } : { kind: "todo", item }
}

/** Boxes and ticks instead of brackets or between them. From `×` on, they are those of our own views. */
const signs: ChecklistMarks = {
  "☐": "pending",
  "⬜": "pending",
  "☑": "completed",
  "☒": "completed",
  "✓": "completed",
  "✔": "completed",
  "✅": "completed",
  "×": "completed",
  "○": "pending",
  "⭕": "pending",
  "▶": "in_progress",
  "❌": "cancelled",
}

const bullet = /^(?:[-*+•]|\d{1,9}[.)])\s+/
/** Brackets that are not part of a link: `[x](…)`, `[x][…]`, `[x]: …`. */
const brackets = /^(\\?)\[([^[\]\\]{0,20})\\?\](?![([:])/
/** A sign. The view of a member's plan prints two for a todo in progress, of which the second one counts. */
const sign = /^(?:⭕ (?=▶))?[☐⬜☑☒✓✔✅×○⭕▶❌](?=\ufe0f?\s)\ufe0f?/u

const readTodo = (line: string, marks: ChecklistMarks): ChecklistItem | undefined => {
  const start = bullet.exec(line)?.[0] ?? ""
  const text = line.slice(start.length)
  const box = brackets.exec(text) ?? sign.exec(text)
  if (box === null) return undefined
  const [all, backslash = "", inner] = box
  const mark = inner === undefined ? all.replace("⭕ ▶", "▶").charAt(0) : inner.trim()
  const status = statusOf(mark, marks)
  // An unknown mark counts only in a list, and only with one character: "[1] Smith 2020" and "- [draft] text" are
  // prose.
  if (status === undefined && (start === "" || [...mark].length > 1)) return undefined
  const { content, fields } = readComments(text.slice(all.length).trim())
  if (content === "") return undefined
  // An editor that escapes the bracket has escaped the punctuation of the text as well.
  const plain = backslash === "" ? content : content.replace(/\\([!-/:-@[-`{-~])/g, "$1")
  return { content: decode(plain), ...(status === undefined ? { rawMark: mark } : { status }), ...fields }
}

const statusOf = (mark: string, marks: ChecklistMarks): TodoStatus | undefined => {
  const key = mark === "" ? " " : mark.replace("\ufe0f", "")
  return [marks, signs].find((known) => Object.hasOwn(known, key))?.[key]
}

type CommentField = "reason" | "waitsFor" | "droppedBy" | "id"

const commentFields: ReadonlyMap<string, CommentField> = new Map([
  ["blocker", "reason"],
  ["reason", "reason"],
  ["waits-for", "waitsFor"],
  ["dropped-by", "droppedBy"],
  ["id", "id"],
])

/** Removes known comments from the end of a todo. Any other comment is part of its text. */
const readComments = (text: string): { content: string; fields: Partial<Record<CommentField, string>> } => {
  const fields: Partial<Record<CommentField, string>> = {}
  let content = text
  while (content.endsWith("-->")) {
    const start = content.lastIndexOf("<!--")
    if (start < 0) break
    const [key = "", ...value] = content.slice(start + 4, -3).split(":")
    const field = commentFields.get(key.trim())
    if (field === undefined) break
    const decoded = decode(value.join(":").trim())
    if (decoded !== "") fields[field] ??= decoded
    content = content.slice(0, start).trimEnd()
  }
  return { content, fields }
}

/** Consecutive quote lines are the lines of one note, as in markdown; anything between them begins another. */
const withQuote = (notes: string[], text: string, continues: boolean): string[] => {
  if (continues) notes.push(`${notes.pop() ?? ""}\n${text}`)
  else notes.push(text)
  return notes
}

const printTodo = (todo: Todo, marks: ChecklistMarks): string[] => {
  const comments = [
    printComment(todo.status === "blocked" ? "blocker" : "reason", todo.reason),
    printComment("waits-for", todo.waitsFor),
  ]
  const notes = (todo.notes ?? []).map(sanitiseNote).filter((note) => note !== "")
  const quotes = notes.map((note) => note.split("\n").map((line) => `  > ${line}`.trimEnd()))
  const head = `- [${markOf(todo.status, marks)}] ${encode(sanitise(todo.content))}${comments.join("")}`
  return [head, ...quotes.flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]))]
}

/**
 * The substitutes in a dialect without a status: a cancelled todo is printed as completed, because nothing is left to
 * do.
 */
const substitutes: Partial<Record<TodoStatus, TodoStatus>> = { blocked: "pending", cancelled: "completed" }

const markOf = (status: TodoStatus, marks: ChecklistMarks): string => {
  const find = (wanted: TodoStatus | undefined): string | undefined =>
    Object.keys(marks).find((mark) => marks[mark] === wanted)
  return find(status) ?? find(substitutes[status]) ?? " "
}

const printComment = (key: string, value = ""): string => {
  const text = sanitise(value)
  return text === "" ? "" : ` <!-- ${key}: ${encode(text).replace(/(?<=--)>/g, "&gt;")} -->`
}

/**
 * A printed todo must not contain the start of a comment, so its bracket is written as an entity, as is the ampersand
 * of a text that happens to contain such an entity. All other text is printed as it is.
 */
const encode = (text: string): string =>
  text.replace(/&(?=amp;|lt;!--)|(?<=--)&(?=gt;)/g, "&amp;").replace(/<(?=!--)/g, "&lt;")

const decode = (text: string): string =>
  text.replace(/&amp;|&lt;(?=!--)|(?<=--)&gt;/g, (entity) => (entity === "&amp;" ? "&" : entity === "&lt;" ? "<" : ">"))
