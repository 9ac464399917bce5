/** What is already known about session files, so that a second look reads only what is new: a line for each file. */
import { crc32 } from "node:zlib"
import type { Plan } from "../plan/index.ts"
import type { Activity, SessionSignal } from "../streams/stream.ts"
import type { Timed, Times } from "../streams/times.ts"
import type { ScanState } from "./file/scan.ts"
import type { PlanFacts } from "./join/plan-facts.ts"
import type { FileStamp } from "./walk.ts"

/** One agent of a file, in short. */
export type AgentFacts = {
  agent: string
  about: Omit<SessionSignal, "type" | "agent">
  /** Absent when no list was seen. */
  plan?: PlanFacts
  /** The same without the calls whose results may still come, where there are such calls. */
  confirmed?: { plan?: PlanFacts }
  activity?: Activity
  /** When its list was last said. */
  planned?: string
}

/** By what a plan is found in a file of many sessions; elsewhere the agent's name is enough. */
export const planKey = (agent: string, session: string | undefined): string => `${session ?? ""}/${agent}`

/** What is only needed to show a plan, or to go on reading. */
export type FileState = {
  plans: Record<string, Plan>
  /** The lists without the calls whose results may still come, of agents that have made such calls. */
  confirmed?: Record<string, Partial<Timed>>
  /** Of a folder whose files vanish: the list without what was there only before. */
  now?: Plan
  /** Of the todos of these plans, as far as their changes were seen. */
  times?: Record<string, Times>
  /** Every list in the file was applied, so that its todos have the ids that follow from the whole session. */
  isWhole?: true
  /** The same, with the times of the todos. */
  isTimed?: true
  scan?: ScanState | undefined
}

/** Why a file is not read again as long as it stays as it is: finding it out was costly. `at` is in milliseconds. */
export type Refusal = { code: string; message: string; at: number }

export type Indexed = {
  path: string
  stamp: FileStamp
  agents: AgentFacts[]
  refusal?: Refusal
  /** As it is in the index: thousands of sessions are kept in memory only as text. */
  line: string
}

/** Where the index rests. Reading and writing it is the host's. */
export type IndexFile = {
  /** Undefined when there is none. */
  load(): string | undefined
  save(text: string): void
}

const version = 8

/** The sum tells an index as it was written from one that a hand or a failing disk has been at. */
const headingOf = (lines: string): string => `headway-sessions ${version} ${crc32(lines)}\n`

/** One that is damaged counts as not there: everything is read again from the agents' files. */
export const readIndex = (text = ""): Map<string, Indexed> => {
  const entries = new Map<string, Indexed>()
  const start = text.indexOf("\n") + 1
  const lines = text.slice(start)
  if (text.slice(0, start) !== headingOf(lines)) return entries
  for (const line of lines.split("\n")) {
    const entry = readLine(line)
    if (entry) entries.set(entry.path, entry)
  }
  return entries
}

/** Facts come first and are parsed at once; the state behind the tab only when it is asked for. */
const readLine = (line: string): Indexed | undefined => {
  const tab = line.indexOf("\t")
  if (tab < 0) return undefined
  try {
    const [path, stamp, agents, refusal] = JSON.parse(line.slice(0, tab)) as [string, FileStamp, AgentFacts[], Refusal?]
    const isEntry = typeof path === "string" && stamp.length === 3 && Array.isArray(agents)
    return isEntry ? { path, stamp, agents, line, ...(refusal ? { refusal } : {}) } : undefined
  } catch {
    return undefined
  }
}

export const createIndexed = (path: string, stamp: FileStamp, agents: AgentFacts[], state: FileState): Indexed => ({
  path,
  stamp,
  agents,
  line: `${JSON.stringify([path, stamp, agents])}\t${JSON.stringify(state)}`,
})

export const createRefused = (path: string, stamp: FileStamp, refusal: Refusal): Indexed => ({
  path,
  stamp,
  agents: [],
  refusal,
  line: `${JSON.stringify([path, stamp, [], refusal])}\t{"plans":{}}`,
})

/** Undefined when it is damaged. */
export const stateIn = ({ line }: Indexed): FileState | undefined => {
  try {
    return JSON.parse(line.slice(line.indexOf("\t") + 1)) as FileState
  } catch {
    return undefined
  }
}

let shared: { entry: Indexed; state: FileState | undefined } | undefined

/** The same for a file of many sessions, whose plans are asked for one after the other: the last one stays at hand. */
export const sharedState = (entry: Indexed): FileState | undefined => {
  if (shared?.entry !== entry) shared = { entry, state: stateIn(entry) }
  return shared.state
}

export const printIndex = (entries: Iterable<Indexed>): string => {
  const lines = `${Array.from(entries, ({ line }) => line).join("\n")}\n`
  return headingOf(lines) + lines
}

export const isSameStamp = (one: FileStamp, other: FileStamp): boolean =>
  one.every((part, index) => part === other[index])
