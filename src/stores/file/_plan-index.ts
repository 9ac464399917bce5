/** One line about every plan, kept in the cache by size and time of its journal, so that a listing reads only what is new. */
import { readPlainFile } from "../../home/reading/plain-file.ts"
import { replaceFile } from "../../home/writing/write-file.ts"
import { isUpcomingKind, type Progress, type Upcoming } from "../../plan/index.ts"
import type { PlanSummary } from "../store.ts"
import type { Skipped } from "./_lines.ts"

const version = 9

/** Size and time of the journal, what was skipped in it, and the plan, if there was one. */
export type Indexed = { size: number; time: number; skipped: Skipped; summary?: PlanSummary }

/** A row as stored: an array without field names, to keep ten thousand plans small. */
export type Row = [
  name: string,
  size: number,
  time: number,
  skipped: [unreadable: number, future: number, partly: number] | 0,
  // A journal without a plan has no further fields.
  session?: string,
  agent?: string,
  updated?: string,
  progress?: [completed: number, total: number, percent: number],
  todos?: number,
  isFinished?: 0 | 1,
  worked?: string | 0,
  current?: string | readonly [kind: Upcoming["kind"], content: string] | 0,
  project?: string | 0,
  agentType?: string | 0,
  parent?: PlanSummary["parent"] | 0,
  title?: string | 0,
  person?: string | 0,
  machine?: string,
]

export type Index = {
  size: number
  /** The row of a journal. Lookups in row order are free. */
  find(name: string): Row | undefined
}

export const loadIndex = (path: string): Index => {
  try {
    const { v, rows } = JSON.parse(readPlainFile(path).toString("utf8")) as { v: number; rows: Row[] }
    // It may have been edited by hand or damaged; it is then rebuilt.
    return v === version && rows.every(isRow) ? indexOf(rows) : indexOf([])
  } catch {
    return indexOf([])
  }
}

/** A folder lists its files in the same order again, apart from added and removed ones. */
const indexOf = (rows: readonly Row[]): Index => {
  let next = 0
  let byName: Map<string, Row> | undefined
  return {
    size: rows.length,
    find(name) {
      const row = rows[next]
      if (row?.[0] === name) {
        next += 1
        return row
      }
      byName ??= new Map(rows.map((one) => [one[0], one]))
      return byName.get(name)
    },
  }
}

export const saveIndex = (path: string, rows: readonly Row[], temporary: string): void => {
  replaceFile(path, JSON.stringify({ v: version, rows }), temporary)
}

export const rowOf = (name: string, { size, time, skipped, summary }: Indexed): Row => {
  const { unreadable, future, partly } = skipped
  const row: Row = [name, size, time, unreadOf(skipped) > 0 ? [unreadable, future, partly] : 0]
  if (!summary) return row
  const { session, agent, updated, worked, progress, todos, isFinished, project, agentType, parent } = summary
  const { title, person, machine, current, upcoming } = summary
  const isShared = machine !== undefined
  const { completed, total, percent } = progress
  row.push(session, agent, updated, [completed, total, percent], todos, isFinished ? 1 : 0)
  row.push(worked ?? 0, current ?? (upcoming ? [upcoming.kind, upcoming.content] : 0), project ?? 0)
  if (agentType !== undefined || parent || title !== undefined || isShared) row.push(agentType ?? 0)
  if (parent || title !== undefined || isShared) row.push(parent ?? 0)
  if (title !== undefined || isShared) row.push(title ?? 0)
  if (isShared) row.push(person ?? 0, machine)
  return row
}

/** Whether a journal is still the one a row was made from. */
export const isUpToDate = (row: Row, size: number, time: number): boolean => row[1] === size && row[2] === time

/** Undefined where all of the journal was read. */
export const skippedIn = ([, , , counts]: Row): Skipped | undefined =>
  counts === 0 ? undefined : { unreadable: counts[0], future: counts[1], partly: counts[2] }

/** Accessed by index, because converting rows to objects would cost more than all the rest. */
export const summaryIn = (row: Row): PlanSummary | undefined => {
  const session = row[4]
  const numbers = row[7]
  if (session === undefined || numbers === undefined) return undefined
  const progress: Progress = { completed: numbers[0], total: numbers[1], percent: numbers[2] }
  const summary: PlanSummary = {
    session,
    agent: row[5] ?? "",
    updated: row[6] ?? "",
    progress,
    todos: row[8] ?? 0,
    isFinished: row[9] === 1,
  }
  if (row[10]) summary.worked = row[10]
  const shown = row[11]
  if (typeof shown === "string") summary.current = shown
  else if (shown) summary.upcoming = { kind: shown[0], content: shown[1] }
  if (row[12]) summary.project = row[12]
  if (row[13]) summary.agentType = row[13]
  if (row[14]) summary.parent = row[14]
  if (row[15]) summary.title = row[15]
  if (row[16]) summary.person = row[16]
  if (row[17]) summary.machine = row[17]
  const skipped = skippedIn(row)
  if (skipped) summary.unread = unreadOf(skipped)
  return summary
}

export const summariesIn = (rows: readonly Row[]): PlanSummary[] => {
  const summaries: PlanSummary[] = []
  for (const row of rows) {
    const summary = summaryIn(row)
    if (summary) summaries.push(summary)
  }
  return summaries
}

export const unreadOf = ({ unreadable, future, partly }: Skipped): number => unreadable + future + partly

const isTextOrNone = (value: unknown): boolean => typeof value === "string" || value === 0
const isUpcoming = (value: unknown): boolean =>
  Array.isArray(value) && isUpcomingKind(value[0]) && typeof value[1] === "string"
const areNumbers = (value: unknown): boolean =>
  Array.isArray(value) && typeof value[0] === "number" && typeof value[1] === "number" && typeof value[2] === "number"

/** Written out instead of table-driven, because it runs for ten thousand rows. */
const isRow = (row: unknown): boolean =>
  Array.isArray(row) &&
  typeof row[0] === "string" &&
  typeof row[1] === "number" &&
  typeof row[2] === "number" &&
  (row[3] === 0 || areNumbers(row[3])) &&
  (row.length === 4 ||
    (typeof row[4] === "string" &&
      typeof row[5] === "string" &&
      typeof row[6] === "string" &&
      areNumbers(row[7]) &&
      typeof row[8] === "number" &&
      typeof row[9] === "number" &&
      isTextOrNone(row[10]) &&
      (isTextOrNone(row[11]) || isUpcoming(row[11])) &&
      isTextOrNone(row[12]) &&
      (row[13] === undefined || isTextOrNone(row[13])) &&
      (row[14] === undefined || row[14] === 0 || typeof row[14]?.agent === "string") &&
      (row[15] === undefined || isTextOrNone(row[15])) &&
      (row[16] === undefined || isTextOrNone(row[16])) &&
      (row[17] === undefined || typeof row[17] === "string")))
