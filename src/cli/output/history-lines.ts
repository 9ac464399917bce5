/** The history of a plan for people: local time and age, author, and changes, at a readable width. */
import { asSeen, type Happening, sanitise } from "../../plan/index.ts"
import { describeEvent, type Line } from "../../views/index.ts"
import { wrap } from "../../views/text/wrap.ts"
import { ageText } from "../duration.ts"

export type HistoryOptions = {
  now: Date
  columns: number
  /** Additional remarks about entries, by id. */
  remarkOn?: (entry: string) => string | undefined
}

/** One entry: its head, then a line for each thing it did. An entry without a reportable change has none. */
export const entryLines = (happening: Happening, options: HistoryOptions): Line[] => {
  const { entry, events, names } = happening
  const namesThen = entry.by.kind === "person" && entry.names ? { names: entry.names } : {}
  const seen = asSeen({ events, ...namesThen }, (id) => names.get(id) ?? id)
  const clauses = seen.events.flatMap((event) => describeEvent(event, seen.contentOf) ?? [])
  if (clauses.length === 0) return []
  const { now, columns, remarkOn } = options
  const remark = remarkOn?.(entry.id)
  const sentences = remark === undefined ? clauses : [...clauses, `(${remark})`]
  return [
    ...within(headText(happening, now), columns, ""),
    ...sentences.flatMap((clause) => within(clause, columns, "  ")),
  ]
}

/** Broken at words, and inside one that is longer than a line; lines after the first are indented by two more. */
export const within = (text: string, columns: number, indent: string): Line[] => {
  const { lines } = wrap(text, Math.max(1, columns - indent.length - 2))
  return lines.map((line, index) => [{ text: `${indent}${index === 0 ? "" : "  "}${line}` }])
}

const headText = ({ entry }: Happening, now: Date): string => {
  const tool = entry.via ? ` through ${sanitise(entry.via.tool)} (${sanitise(entry.via.dialect)})` : ""
  const undoes = entry.undoes === undefined ? "" : `, undoing ${sanitise(entry.undoes)}`
  return `${whenText(entry.at, now)}  ${entry.by.kind} ${sanitise(entry.by.id)}${writerText(entry)}${tool}${undoes}  [${sanitise(entry.id)}]`
}

/** In a shared plan: for whom, and on which machine. Both are what the entry says; whether it was written here is known. */
const writerText = ({ by, from }: Happening["entry"]): string => {
  const writer = from ? ` (${sanitise(from.person)}@${sanitise(from.machine)})` : ""
  return by.isElsewhere ? `${writer} on another machine` : writer
}

/** `2026-11-15 21:41:07 (3m ago)`, in the time zone of this machine; what is not a time is shown as it is. */
const whenText = (at: string, now: Date): string => {
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return sanitise(at)
  const two = (part: number): string => String(part).padStart(2, "0")
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-")
  const hour = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":")
  const age = time.getTime() > now.getTime() ? "" : ` (${ageText(at, now)} ago)`
  return `${day} ${hour}${age}`
}
