/** One line about every plan, kept in the cache by size and time of its journal, so that a listing reads only what is new. */
import { readFileSync } from "node:fs"
import { replaceFile } from "../home/write-file.ts"
import type { Progress } from "../plan/index.ts"
import { noneSkipped, type Skipped } from "./_lines.ts"
import type { PlanSummary } from "./store.ts"

const version = 4

/** Size and time of the journal it was made from, what of that was skipped, and the plan, if there was one in it. */
export type Indexed = { size: number; time: number; skipped: Skipped; summary?: PlanSummary }

export type Index = Map<string, Indexed>

/** A row as it is written: without names of fields, which ten thousand plans would repeat ten thousand times. */
type Row = [...Head, ...([] | Rest)]

type Head = [
  name: string,
  size: number,
  time: number,
  skipped: [unreadable: number, future: number, partly: number] | 0,
]

type Rest = [
  session: string,
  agent: string,
  updated: string,
  progress: [completed: number, total: number, percent: number],
  todos: number,
  isFinished: 0 | 1,
  current: string | 0,
  project: string | 0,
  agentType?: string | 0,
  parent?: PlanSummary["parent"],
]

export const loadIndex = (path: string): Index => {
  try {
    const { v, rows } = JSON.parse(readFileSync(path, "utf8")) as { v: number; rows: Row[] }
    // Somebody's hand or a failing disk may have been at it: then all of it is made anew.
    return new Map(v === version && rows.every(isRow) ? rows.map((row) => [row[0], unpack(row)]) : [])
  } catch {
    return new Map()
  }
}

export const saveIndex = (path: string, plans: Index, temporary: string): void => {
  const rows = [...plans].map(([name, indexed]) => pack(name, indexed))
  replaceFile(path, JSON.stringify({ v: version, rows }), temporary)
}

const pack = (name: string, { size, time, skipped, summary }: Indexed): Row => {
  const { unreadable, future, partly } = skipped
  const head: Head = [name, size, time, unreadOf(skipped) > 0 ? [unreadable, future, partly] : 0]
  if (!summary) return head
  const { session, agent, updated, progress, todos, isFinished, current, project, agentType, parent } = summary
  const { completed, total, percent } = progress
  const rest: Rest = [
    session,
    agent,
    updated,
    [completed, total, percent],
    todos,
    isFinished ? 1 : 0,
    current ?? 0,
    project ?? 0,
  ]
  if (agentType !== undefined || parent) rest.push(agentType ?? 0)
  if (parent) rest.push(parent)
  return [...head, ...rest]
}

const unpack = ([, size, time, counts, ...rest]: Row): Indexed => {
  const skipped = counts === 0 ? noneSkipped : { unreadable: counts[0], future: counts[1], partly: counts[2] }
  if (rest.length === 0) return { size, time, skipped }
  const [session, agent, updated, [completed, total, percent], todos, isFinished, current, project, agentType, parent] =
    rest
  const progress: Progress = { completed, total, percent }
  const summary: PlanSummary = { session, agent, updated, progress, todos, isFinished: isFinished === 1 }
  if (current !== 0) summary.current = current
  if (project !== 0) summary.project = project
  if (agentType) summary.agentType = agentType
  if (parent) summary.parent = parent
  const unread = unreadOf(skipped)
  if (unread > 0) summary.unread = unread
  return { size, time, skipped, summary }
}

export const unreadOf = ({ unreadable, future, partly }: Skipped): number => unreadable + future + partly

const isText = (value: unknown): boolean => typeof value === "string"
const isNumber = (value: unknown): boolean => typeof value === "number"
const isTextOrNone = (value: unknown): boolean => value === 0 || isText(value)
const areNumbers = (value: unknown): boolean => Array.isArray(value) && value.length === 3 && value.every(isNumber)

/** What each place of a row holds; those from `agentType` on may be missing. */
const places: readonly ((value: unknown) => boolean)[] = [
  isText,
  isNumber,
  isNumber,
  (value) => value === 0 || areNumbers(value),
  isText,
  isText,
  isText,
  areNumbers,
  isNumber,
  isNumber,
  isTextOrNone,
  isTextOrNone,
  isTextOrNone,
  (value) => isText((value as PlanSummary["parent"])?.agent),
]

const isRow = (row: unknown): boolean =>
  Array.isArray(row) &&
  (row.length === 4 || row.length >= 12) &&
  row.length <= places.length &&
  row.every((value, place) => places[place]?.(value))
