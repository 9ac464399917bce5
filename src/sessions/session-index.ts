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
  /** About how many characters it takes in the index. */
  size: number
  kept: Kept
}

/** The state of a file as JSON: at hand where it is new, else still in the index. Thousands are never asked for. */
type Kept = string | { from: States; at: number; length: number }

/** The states in an index, by their places in it. */
type States = {
  /** Undefined where they can no longer be read. */
  read(path: string, at: number, length: number): string | undefined
  all(): Buffer | undefined
}

/** Where an index of texts rests. Reading and writing it is the host's. */
export type IndexFile = {
  /** Undefined when there is none. */
  load(): string | undefined
  save(text: string): void
}

/** The same for an index of which most stays where it is. */
export type PartedIndexFile = {
  load(): IndexBytes | undefined
  save(content: Buffer): void
}

/** An index as it is on the disk. */
export type IndexBytes = {
  size: number
  /** Undefined once another one has taken its place. */
  read(start: number, length: number): Buffer | undefined
}

const version = 11

/** The facts of one file, and where its state is among all states. */
type Row = readonly [
  path: string,
  stamp: FileStamp,
  agents: AgentFacts[],
  at: number,
  length: number,
  refusal?: Refusal,
]

/** The sum tells an index as it was written from one that a hand or a failing disk has been at. */
const headingOf = (sum: number, length: number): string => `headway-sessions ${version} ${sum} ${length}\n`
const longestHeading = 64
/** In bytes: so much is summed up at a time. */
const chunkSize = 1 << 20

/** One that is damaged counts as not there: everything is read again from the agents' files. */
export const readIndex = (index: PartedIndexFile | undefined): Map<string, Indexed> => {
  const entries = new Map<string, Indexed>()
  const bytes = loaded(index)
  const start = bytes && checked(bytes)
  if (!index || !bytes || !start) return entries
  const { rows, statesAt } = start
  const from = statesIn(index, bytes, statesAt)
  for (const [path, stamp, agents, at, length, refusal] of rows) {
    const size = length + Math.round(statesAt / rows.length)
    entries.set(path, { path, stamp, agents, size, kept: { from, at, length }, ...(refusal ? { refusal } : {}) })
  }
  return entries
}

const loaded = (index: PartedIndexFile | undefined): IndexBytes | undefined => {
  try {
    return index?.load()
  } catch {
    return undefined
  }
}

const checked = ({ read, size }: IndexBytes): { rows: Row[]; statesAt: number } | undefined => {
  const text = read(0, Math.min(size, longestHeading))?.toString("latin1") ?? ""
  const [heading = "", sum, length] = /^headway-sessions \d+ (\d+) (\d+)\n/.exec(text) ?? []
  if (heading === "" || heading !== headingOf(Number(sum), Number(length))) return undefined
  const statesAt = heading.length + Number(length)
  const facts = read(heading.length, Number(length))
  let found = facts ? crc32(facts) : 0
  for (let at = statesAt; at < size; at += chunkSize) {
    const chunk = read(at, Math.min(chunkSize, size - at))
    if (chunk) found = crc32(chunk, found)
  }
  if (!facts || found !== Number(sum)) return undefined
  try {
    return { rows: JSON.parse(facts.toString("utf8")) as Row[], statesAt }
  } catch {
    return undefined
  }
}

const statesIn = (index: PartedIndexFile, bytes: IndexBytes, start: number): States => {
  let others: Map<string, Indexed> | undefined
  return {
    read(path, at, length) {
      const own = bytes.read(start + at, length)
      if (own?.length === length) return own.toString("utf8")
      // Another process has put its index there: what it knows of the file is the same, or newer.
      others ??= readIndex(index)
      const other = others.get(path)
      return other && stateText(other)
    },
    all: () => bytes.read(start, bytes.size - start),
  }
}

const stateText = ({ path, kept }: Indexed): string | undefined =>
  typeof kept === "string" ? kept : kept.from.read(path, kept.at, kept.length)

export const createIndexed = (path: string, stamp: FileStamp, agents: AgentFacts[], state: FileState): Indexed => {
  const kept = JSON.stringify(state)
  return { path, stamp, agents, kept, size: kept.length + JSON.stringify(agents).length }
}

export const createRefused = (path: string, stamp: FileStamp, refusal: Refusal): Indexed => ({
  path,
  stamp,
  agents: [],
  refusal,
  kept: '{"plans":{}}',
  size: refusal.message.length,
})

/** Undefined when it is damaged. */
export const stateIn = (entry: Indexed): FileState | undefined => {
  try {
    return JSON.parse(stateText(entry) ?? "") as FileState
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

/** Keeps all of them for the next time. From then on their states are read from there. Throws what the disk reports. */
export const saveIndex = (index: PartedIndexFile, entries: Iterable<Indexed>): void => {
  const whole = new Map<States, Buffer | undefined>()
  const stateBytes = (entry: Indexed): Buffer | undefined => {
    const { kept } = entry
    if (typeof kept === "string") return Buffer.from(kept)
    if (!whole.has(kept.from)) whole.set(kept.from, kept.from.all())
    const known = whole.get(kept.from)?.subarray(kept.at, kept.at + kept.length) ?? stateText(entry)
    return typeof known === "string" ? Buffer.from(known) : known
  }
  let end = 0
  const all = Array.from(entries).flatMap((entry) => {
    const state = stateBytes(entry)
    // One whose state is lost is read again the next time.
    if (!state) return []
    end += state.length
    return [{ entry, state, at: end - state.length }]
  })
  const rows = all.map(({ entry: { path, stamp, agents, refusal }, state, at }): Row => {
    return refusal ? [path, stamp, agents, at, state.length, refusal] : [path, stamp, agents, at, state.length]
  })
  const facts = Buffer.from(JSON.stringify(rows))
  const sum = all.reduce((sum, { state }) => crc32(state, sum), crc32(facts))
  const heading = Buffer.from(headingOf(sum, facts.length))
  index.save(Buffer.concat([heading, facts, ...all.map(({ state }) => state)]))
  const bytes = loaded(index)
  if (bytes?.read(0, heading.length)?.equals(heading) !== true) return
  const from = statesIn(index, bytes, heading.length + facts.length)
  for (const { entry, state, at } of all) entry.kept = { from, at, length: state.length }
}

export const isSameStamp = (one: FileStamp, other: FileStamp): boolean =>
  one.every((part, index) => part === other[index])
