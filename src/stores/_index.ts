/** One line about every plan, kept in the cache by size and time of its journal, so that a listing reads only what is new. */
import { readFileSync } from "node:fs"
import { replaceFile } from "../home/write-file.ts"
import type { Progress } from "../plan/index.ts"
import type { PlanSummary } from "./store.ts"

const version = 3

/** Size and time of the journal the summary was made from. */
export type Indexed = { size: number; time: number; summary: PlanSummary }

export type Index = Map<string, Indexed>

/** A row as it is written: without names of fields, which ten thousand plans would repeat ten thousand times. */
type Row = [
  name: string,
  size: number,
  time: number,
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
    return new Map(v === version ? rows.map((row) => [row[0], unpack(row)]) : [])
  } catch {
    return new Map()
  }
}

export const saveIndex = (path: string, plans: Index, temporary: string): void => {
  const rows = [...plans].map(([name, indexed]) => pack(name, indexed))
  replaceFile(path, JSON.stringify({ v: version, rows }), temporary)
}

const pack = (name: string, { size, time, summary }: Indexed): Row => {
  const { session, agent, updated, progress, todos, isFinished, current, project, agentType, parent } = summary
  const { completed, total, percent } = progress
  const row: Row = [
    name,
    size,
    time,
    session,
    agent,
    updated,
    [completed, total, percent],
    todos,
    isFinished ? 1 : 0,
    current ?? 0,
    project ?? 0,
  ]
  if (agentType !== undefined || parent) row.push(agentType ?? 0)
  if (parent) row.push(parent)
  return row
}

const unpack = ([
  ,
  size,
  time,
  session,
  agent,
  updated,
  [completed, total, percent],
  todos,
  isFinished,
  current,
  project,
  agentType,
  parent,
]: Row): Indexed => {
  const progress: Progress = { completed, total, percent }
  const summary: PlanSummary = { session, agent, updated, progress, todos, isFinished: isFinished === 1 }
  if (current !== 0) summary.current = current
  if (project !== 0) summary.project = project
  if (agentType) summary.agentType = agentType
  if (parent) summary.parent = parent
  return { size, time, summary }
}
