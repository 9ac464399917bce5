/** The index of session files, one line per file, so that a second scan reads only what is new. */
import { crc32 } from "node:zlib"
import type { Plan } from "../plan/index.ts"
import type { Activity, SessionSignal } from "../streams/stream.ts"
import type { Timed, Times } from "../streams/times.ts"
import type { ScanState } from "./file/scan.ts"
import type { PlanFacts } from "./join/plan-facts.ts"
import type { FileStamp } from "./walk.ts"

/** The summary of one agent in a file. */
export type AgentFacts = {
  agent: string
  about: Omit<SessionSignal, "type" | "agent">
  /** Absent when no list was seen. */
  plan?: PlanFacts
  /** The same without calls whose results are still pending, if there are any. */
  confirmed?: { plan?: PlanFacts }
  activity?: Activity
  /** When its list was last written. */
  planned?: string
}

/** Identifies a plan in a file of many sessions; elsewhere the agent's name is enough. */
export const planKey = (agent: string, session: string | undefined): string => `${session ?? ""}/${agent}`

/** The data needed only to show a plan, or to continue reading. */
export type FileState = {
  plans: Record<string, Plan>
  /** The lists without calls whose results are still pending, for agents with such calls. */
  confirmed?: Record<string, Partial<Timed>>
  /** For a folder whose files vanish: the list without todos whose files are gone. */
  now?: Plan
  /** The times of the todos of these plans, as far as their changes were seen. */
  times?: Record<string, Times>
  /** Every list in the file was applied, so its todos have their permanent ids. */
  isWhole?: true
  /** The same, with the times of the todos. */
  isTimed?: true
  scan?: ScanState | undefined
}

/** Why a file is not read again until it changes: finding out was expensive. `at` is in milliseconds. */
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

/** The state of a file as JSON: in memory if new, otherwise still in the index. Most are never needed. */
type Kept = string | { from: States; at: number; length: number }

/** The states in an index, by their positions. */
type States = {
  /** Undefined where they can no longer be read. */
  read(path: string, at: number, length: number): string | undefined
  all(): Buffer | undefined
}

/** Storage for an index of texts, provided by the host. */
export type IndexFile = {
  /** Undefined when there is none. */
  load(): string | undefined
  save(text: string): void
}

/** Storage for an index that is mostly left on disk. */
export type PartedIndexFile = {
  load(): IndexBytes | undefined
  save(content: Buffer): void
}

/** An index as it is on the disk. */
export type IndexBytes = {
  size: number
  /** Undefined once it has been replaced. */
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

/** The checksum detects an index that was edited or damaged. */
const headingOf = (sum: number, length: number): string => `headway-sessions ${version} ${sum} ${length}\n`
const longestHeading = 64
/** In bytes: the block size for the checksum. */
const chunkSize = 1 << 20

/** A damaged index is ignored: everything is read again from the agents' files. */
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
      // Another process has saved its index: what it has about the file is the same, or newer.
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

/**
 * The same for a file of many sessions, whose plans are requested one after the other: the last state stays in memory.
 */
export const sharedState = (entry: Indexed): FileState | undefined => {
  if (shared?.entry !== entry) shared = { entry, state: stateIn(entry) }
  return shared.state
}

/** Saves all entries; from then on their states are read from the saved index. Throws file system errors. */
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
    // A file whose state is lost is read again next time.
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
