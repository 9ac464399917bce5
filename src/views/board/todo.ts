/** One todo of the board in lines: cut to one line, or in full where it is selected. */
import type { TodoSpan } from "../../plan/log/history.ts"
import type { Todo, TodoStatus } from "../../plan/todo.ts"
import { type DoneMark, labelOf, markAppearance, signOf } from "../plan/evidence-marks.ts"
import { reasonOf } from "../plan/reason.ts"
import { fitted } from "../plan/row.ts"
import { noteCount } from "../plan/tree.ts"
import { elapsedText, sinceText } from "../text/elapsed.ts"
import { cutLine, inverted, lineWidth, spread } from "../text/line-layout.ts"
import type { Line, Style } from "../text/span.ts"
import { widthOf } from "../text/width.ts"
import { wrapUntrusted } from "../text/wrap.ts"
import type { BoardGlyphs } from "./glyphs.ts"
import type { BoardSession } from "./session.ts"

export type TodoDrawing = {
  width: number
  glyphs: BoardGlyphs
  /** Columns before the mark. */
  indent: number
  /** Whether the cursor is on the todo. */
  isMarked: boolean
  /** How many lines the todo may take under the cursor. */
  most: number
  /** Whether the todo has been begun, so that there is a time to show. */
  isTimed: boolean
  /** The evidence for it, if it is done and evidence is known. */
  mark?: DoneMark | undefined
}

/** Columns kept free for the time at the right of wrapped text, so that a ticking clock never moves a line. */
const timeColumns = 8
/** Lines of notes under a todo in progress that is not selected. */
const notesInPassing = 3

export const todoStyles: Readonly<Record<TodoStatus, { mark: Style; text: Style }>> = {
  pending: { mark: { dim: true }, text: {} },
  in_progress: { mark: { colour: "green", bold: true }, text: { bold: true } },
  blocked: { mark: { colour: "red", bold: true }, text: {} },
  completed: { mark: { colour: "green", dim: true }, text: { dim: true } },
  cancelled: { mark: { dim: true }, text: { dim: true, struck: true } },
}

export const todoLines = (todo: Todo, time: string, drawing: TodoDrawing): Line[] =>
  drawing.isMarked ? readLines(todo, time, drawing) : passedLines(todo, time, drawing)

/**
 * When a todo was begun and finished. Its id may be any word, even the name of an object property such as
 * `constructor`.
 */
export const spanIn = ({ times = {} }: BoardSession, id: string): TodoSpan =>
  (Object.hasOwn(times, id) ? times[id] : undefined) ?? {}

/** How long a todo has been worked on, or took. Its clock stops when its session does. */
export const timeOf = ({ id, status }: Todo, session: BoardSession, now: Date): string => {
  const { started, finished } = spanIn(session, id)
  if (started === undefined) return ""
  if (status === "in_progress") return isAtWork(session) ? sinceText(started, now) : spanText(started, session.updated)
  return finished === undefined || status !== "completed" ? "" : elapsedText(Date.parse(finished) - Date.parse(started))
}

const isAtWork = ({ state }: BoardSession): boolean => state === "working" || state === "stalled"

/** Empty if no time has passed. */
const spanText = (from: string, to: string): string => (to > from ? elapsedText(Date.parse(to) - Date.parse(from)) : "")

type Details = Pick<TodoDrawing, "width" | "glyphs" | "mark"> & { limit: number }

/** Everything shown for a todo in addition to its content, as much as fits in this many lines. */
export const detailLines = (
  todo: Todo,
  { width, glyphs, mark, limit }: Details,
): { lines: Line[]; isWhole: boolean } => {
  const lines: Line[] = []
  for (const { text, style, bullet } of paragraphsOf(todo, glyphs, mark)) {
    const room = width - widthOf(bullet)
    const { lines: wrapped, isWhole } = wrapUntrusted(text, room, limit - lines.length)
    wrapped.forEach((line, index) => {
      lines.push([{ text: (index === 0 ? bullet : " ".repeat(bullet.length)) + line, style }])
    })
    if (!isWhole) return { lines, isWhole: false }
  }
  return { lines, isWhole: true }
}

type Paragraph = { text: string; style: Style; bullet: string }

function* paragraphsOf(todo: Todo, glyphs: BoardGlyphs, mark: DoneMark | undefined): Generator<Paragraph> {
  const { status, description = "", notes = [] } = todo
  const reason = reasonOf(todo)
  if (reason !== "") yield { text: reason, style: reasonStyle(status), bullet: "" }
  if (description.trim() !== "") yield { text: description, style: {}, bullet: "" }
  for (const text of notes) if (text.trim() !== "") yield { text, style: {}, bullet: glyphs.bullet }
  const facts = factsOf(todo)
  if (facts.length > 0) yield { text: facts.join(glyphs.dot), style: { dim: true }, bullet: "" }
  if (!mark) return
  yield { text: labelOf(mark), style: markAppearance(mark).style, bullet: "" }
  for (const text of mark.sentences) yield { text, style: { dim: true }, bullet: glyphs.bullet }
}

const reasonStyle = (status: TodoStatus): Style => (status === "blocked" ? { colour: "red" } : { dim: true })

const factsOf = ({ owner = "", priority, status, blockedBy = [] }: Todo): string[] => [
  ...(owner.trim() === "" ? [] : [`owner ${owner}`]),
  ...(priority === undefined || priority === "medium" ? [] : [`${priority} priority`]),
  ...(status === "blocked" || blockedBy.length === 0 ? [] : [`after ${blockedBy.map((id) => `#${id}`).join(", ")}`]),
]

const passedLines = (todo: Todo, time: string, drawing: TodoDrawing): Line[] => {
  const { width, glyphs } = drawing
  const { status, notes = [] } = todo
  const lead = leadOf(drawing, todo)
  const end = [...doubtSpans(drawing), ...timeSpans(time)]
  const lines = [
    spread(
      [
        ...lead,
        {
          text: fitted(todo.content, { ...glyphs, width: contentRoom(drawing, todo, end) }),
          style: textStyle(todo, drawing),
        },
        { text: noteCount(notes.length, glyphs), style: { dim: true } },
      ],
      end,
      width,
      glyphs.ellipsis,
    ),
  ]
  const reason = reasonOf(todo)
  if (reason !== "") lines.push(belowLine(reason, reasonStyle(status), drawing, todo))
  if (status === "in_progress") {
    for (const note of notesBelow(notes)) lines.push(belowLine(note, { dim: true }, drawing, todo))
  }
  return lines
}

/** The todo's lines up to a limit, with a hint at the key that shows the rest. */
const readLines = (todo: Todo, time: string, drawing: TodoDrawing): Line[] => {
  const { width, glyphs, most } = drawing
  const lead = leadOf(drawing, todo)
  const indent = drawing.indent + markColumns(todo, glyphs)
  const room = width - indent - (drawing.isTimed ? timeColumns : 1)
  const content = wrapUntrusted(todo.content, room, Math.max(1, most))
  const style = textStyle(todo, drawing)
  const [first = "", ...others] = content.lines
  // The mark keeps its colour: only the text is inverted.
  const marked = (before: Line, text: string, end: Line): Line => {
    const line = spread([...before, { text, style }], end, width, glyphs.ellipsis)
    return [...line.slice(0, before.length), ...inverted(line.slice(before.length))]
  }
  const lines = [
    marked(lead, first, timeSpans(time)),
    ...others.map((text) => marked([{ text: " ".repeat(indent) }], text, [])),
  ]
  const details = content.isWhole
    ? detailLines(todo, { ...drawing, width: width - indent - 1, limit: Math.max(0, most - lines.length) })
    : { lines: [], isWhole: false }
  lines.push(...details.lines.map((line) => cutLine([{ text: " ".repeat(indent) }, ...line], width, glyphs.ellipsis)))
  if (content.isWhole && details.isWhole) return lines
  const hint = ["enter shows all of it", "enter"].find((words) => indent + words.length + 4 <= width) ?? ""
  const rest: Line = [{ text: `${" ".repeat(indent)}${glyphs.ellipsis} ${hint}`, style: { dim: true } }]
  const kept = lines.length < most ? lines : lines.slice(0, Math.max(1, most - 1))
  return [...kept, cutLine(rest, width, glyphs.ellipsis)]
}

const timeSpans = (time: string): Line => (time === "" ? [] : [{ text: `${time} `, style: { dim: true } }])

/** The sign for the evidence is next to the tick, in a column that is otherwise empty, so nothing moves when it appears. */
const leadOf = ({ indent, isMarked, glyphs, mark }: TodoDrawing, { status }: Todo): Line => {
  const before = `${isMarked ? ">" : " "}${" ".repeat(Math.max(0, indent - 2))}`
  const appearance = mark && markAppearance(mark)
  return [
    { text: indent > 1 ? before : before.slice(0, 1) },
    ...(indent > 1 ? [{ text: mark ? signOf(mark, glyphs.ascii) : " ", style: appearance?.style }] : []),
    { text: `${glyphs.todos[status]} `, style: isDoubted(mark) ? appearance?.style : todoStyles[status].mark },
  ]
}

const isDoubted = (mark: DoneMark | undefined): boolean => mark?.word === "contradicted"

/** Done todos are dimmed, unless contradicted by the last check. */
const textStyle = ({ status }: Todo, { mark }: TodoDrawing): Style => (isDoubted(mark) ? {} : todoStyles[status].text)

/** The doubt in words, if there is room for them. */
const doubtSpans = ({ mark, width }: TodoDrawing): Line =>
  mark && isDoubted(mark) && width >= leastForWords ? [{ text: "done? ", style: markAppearance(mark).style }] : []

/** In columns. */
const leastForWords = 44

const markColumns = ({ status }: Todo, glyphs: BoardGlyphs): number => widthOf(glyphs.todos[status]) + 1

/** The columns left for the text between the mark and whatever is at the right edge. */
const contentRoom = (drawing: TodoDrawing, todo: Todo, end: Line): number => {
  const { width, glyphs, indent } = drawing
  const notes = widthOf(noteCount(todo.notes?.length ?? 0, glyphs))
  const columns = lineWidth(end)
  const tail = columns === 0 || columns * 2 > width ? 1 : columns + 1
  return width - indent - markColumns(todo, glyphs) - notes - tail
}

const belowLine = (text: string, style: Style, { width, glyphs, indent }: TodoDrawing, todo: Todo): Line => {
  const before = indent + markColumns(todo, glyphs)
  const line: Line = [
    { text: " ".repeat(before) },
    { text: fitted(text, { ...glyphs, width: width - before - 1 }), style },
  ]
  return cutLine(line, width, glyphs.ellipsis)
}

/** The first few lines of the notes, without looking at the others. */
const notesBelow = (notes: readonly string[]): string[] => {
  const lines: string[] = []
  for (const note of notes) {
    for (const line of note.slice(0, 4_000).split("\n")) {
      if (lines.length === notesInPassing) return lines
      if (line.trim() !== "") lines.push(line)
    }
  }
  return lines
}
