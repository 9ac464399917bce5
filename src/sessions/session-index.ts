/** The index of session files, so that a second scan reads only what is new. */
import type { Plan, Said } from "../plan/index.ts"
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
  /** Without a list: it removed todos of another agent's. */
  isRemoving?: true
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
  /** When the agents last said what these plans say, as far as their calls were seen. */
  said?: Record<string, Said>
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
  /** When its session was last active, in ISO form. Set only if the session has no other file. */
  rested?: string
  /** The approximate number of characters it takes in the index. */
  size: number
  kept: Kept
}

/** The entries of all files by path. An entry is decoded when it is requested. */
export type IndexEntries = {
  get(path: string): Indexed | undefined
  set(path: string, entry: Indexed): void
  delete(path: string): void
  paths(): Iterable<string>
  /** The approximate number of characters that all entries take in the index. */
  readonly size: number
  /** Returns when the session of an unchanged file was last active, if the session has no other file. Decodes nothing. */
  restOf(path: string, stamp: FileStamp): Rest | undefined
}

export type Rest = { updated: string; time: number }

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
  /** Undefined once the index has been replaced. Reads into `into` if given. */
  read(start: number, length: number, into?: Buffer): Buffer | undefined
}

const version = 17

/**
 * The beginning of an index: one row per file, stored by columns. The facts of all files follow as JSON, and then their states.
 */
type Table = {
  paths: readonly string[]
  /** When their sessions were last active; empty if a session has several files. */
  rested: readonly string[]
  /** For each file: its stamp, the lengths of its facts and its state in bytes, and the time of `rested` in milliseconds. */
  numbers: readonly number[]
  /** The checksums of their states, of so many files each. */
  sums: readonly number[]
}

/** For how many files there is one checksum of their states. */
const filesInSum = 256

/** How many numbers each file has, and the positions of some of them. */
const [width, stampAt, factsAt, stateAt, restAt] = [6, 0, 3, 4, 5]

/** The facts of one file. */
type Facts = { agents: AgentFacts[]; refusal?: Refusal }

/** The checksum detects an index that was edited or damaged. It is of everything before the states, most of which are never read. */
const headingOf = (sum: number, table: number, facts: number): string =>
  `headway-sessions ${version} ${sum} ${table} ${facts}\n`
const longestHeading = 80
/** Loaded only if there is an index, because loading it takes as long as a small listing. */
const summing = () => process.getBuiltinModule("node:zlib").crc32
/** In bytes: the block size for the checksum. */
const chunkSize = 1 << 20

/** A damaged index is ignored: everything is read again from the agents' files. */
export const readIndex = (index: PartedIndexFile | undefined): IndexEntries => {
  const bytes = loaded(index)
  const start = bytes && checked(bytes)
  return entriesIn(index && bytes && start ? rowsIn(index, bytes, start) : noRows())
}

/** The files of an index and their positions. */
type Rows = {
  rowOf(path: string): number | undefined
  forget(path: string): void
  paths(): Iterable<string>
  size: number
  /** Undefined when it is damaged. */
  entry(path: string, row: number): Indexed | undefined
  rest(row: number, stamp: FileStamp): Rest | undefined
}

const noRows = (): Rows => ({ ...placesOf([]), size: 0, entry: () => undefined, rest: () => undefined })

/**
 * Where each path is. A scan asks for them in the order in which one before it saved them, so that the one behind the last is nearly always
 * the one: a table of all of them, which takes longer to make and to ask, is made only when it is not.
 */
const placesOf = (paths: readonly string[]): Pick<Rows, "rowOf" | "forget" | "paths"> => {
  const gone = new Set<string>()
  let table: Map<string, number> | undefined
  let last = 0
  const rowOf = (path: string): number | undefined => {
    if (gone.size > 0 && gone.has(path)) return undefined
    if (paths[last] === path) return last
    if (paths[last + 1] === path) {
      last += 1
      return last
    }
    table ??= new Map(paths.map((one, row) => [one, row]))
    const row = table.get(path)
    last = row ?? last
    return row
  }
  return {
    rowOf,
    forget: (path) => void (rowOf(path) !== undefined && gone.add(path)),
    paths: () => (gone.size === 0 ? paths : paths.filter((path) => !gone.has(path))),
  }
}

const entriesIn = ({ rowOf, forget, paths, size: sizeOfRows, entry: entryOf, rest }: Rows): IndexEntries => {
  const made = new Map<string, Indexed>()
  let size = sizeOfRows
  const get = (path: string): Indexed | undefined => {
    const known = made.get(path)
    const row = known ? undefined : rowOf(path)
    if (row === undefined) return known
    const entry = entryOf(path, row)
    if (entry) made.set(path, entry)
    else forget(path)
    return entry
  }
  const remove = (path: string): void => {
    size -= get(path)?.size ?? 0
    made.delete(path)
    forget(path)
  }
  return {
    get,
    set(path, entry) {
      if (made.get(path) === entry) return
      remove(path)
      made.set(path, entry)
      size += entry.size
    },
    delete: remove,
    *paths() {
      yield* paths()
      for (const path of made.keys()) if (rowOf(path) === undefined) yield path
    },
    get size() {
      return size
    },
    restOf(path, stamp) {
      const row = rowOf(path)
      return row === undefined ? undefined : rest(row, stamp)
    },
  }
}

const loaded = (index: PartedIndexFile | undefined): IndexBytes | undefined => {
  try {
    return index?.load()
  } catch {
    return undefined
  }
}

type Start = { table: Table; facts: Buffer; statesAt: number }

const checked = ({ read, size }: IndexBytes): Start | undefined => {
  const text = read(0, Math.min(size, longestHeading))?.toString("latin1") ?? ""
  const [heading = "", sum, table, facts] = /^headway-sessions \d+ (\d+) (\d+) (\d+)\n/.exec(text) ?? []
  if (heading === "" || heading !== headingOf(Number(sum), Number(table), Number(facts))) return undefined
  const crc32 = summing()
  const factsAt = heading.length + Number(table)
  const statesAt = factsAt + Number(facts)
  const start = statesAt <= size ? read(heading.length, statesAt - heading.length) : undefined
  if (!start || crc32(start) !== Number(sum)) return undefined
  try {
    const columns = JSON.parse(start.toString("utf8", 0, Number(table))) as Table
    return { table: columns, facts: start.subarray(Number(table)), statesAt }
  } catch {
    return undefined
  }
}

/** The checksum of bytes of an index; undefined once the index has been replaced. */
const sumOf = ({ read }: IndexBytes, from: number, end: number): number | undefined => {
  const crc32 = summing()
  const chunkBytes = Buffer.allocUnsafe(Math.min(chunkSize, end - from))
  let sum = 0
  for (let at = from; at < end; at += chunkSize) {
    const chunk = read(at, Math.min(chunkSize, end - at), chunkBytes)
    if (!chunk) return undefined
    sum = crc32(chunk, sum)
  }
  return sum
}

const rowsIn = (index: PartedIndexFile, bytes: IndexBytes, { table, facts, statesAt }: Start): Rows => {
  const { paths, rested, numbers, sums } = table
  const from = statesIn(index, bytes, statesAt)
  const number = (row: number, column: number): number => numbers[row * width + column] ?? 0
  // The positions of each file's facts and state.
  const begin = new Float64Array(paths.length)
  const stateBegin = new Float64Array(paths.length)
  let [ofFacts, ofStates] = [0, 0]
  for (let row = 0; row < paths.length; row += 1) {
    begin[row] = ofFacts
    stateBegin[row] = ofStates
    ofFacts += number(row, factsAt)
    ofStates += number(row, stateAt)
  }
  const sound = new Map<number, boolean>()
  /** Whether its state, and those it shares a checksum with, are as they were saved. In an index that was replaced, others are found. */
  const isSound = (row: number): boolean => {
    const group = Math.floor(row / filesInSum)
    const known = sound.get(group)
    if (known !== undefined) return known
    const end = stateBegin[(group + 1) * filesInSum] ?? ofStates
    const found = sumOf(bytes, statesAt + (stateBegin[group * filesInSum] ?? 0), statesAt + end)
    const isSame = found === undefined || found === sums[group]
    sound.set(group, isSame)
    return isSame
  }
  return {
    ...placesOf(paths),
    size: ofFacts + ofStates,
    entry(path, row) {
      if (!isSound(row)) return undefined
      const at = begin[row] ?? 0
      const length = number(row, stateAt)
      const stored = factsFrom(facts.toString("utf8", at, at + number(row, factsAt)))
      const since = rested[row]
      return (
        stored && {
          path,
          stamp: [number(row, stampAt), number(row, stampAt + 1), number(row, stampAt + 2)],
          ...stored,
          ...(since ? { rested: since } : {}),
          size: number(row, factsAt) + length,
          kept: { from, at: stateBegin[row] ?? 0, length },
        }
      )
    },
    rest(row, stamp) {
      const updated = rested[row]
      if (!updated) return undefined
      const isSame = stamp.every((part, index) => part === number(row, stampAt + index))
      return isSame ? { updated, time: number(row, restAt) } : undefined
    },
  }
}

const factsFrom = (text: string): Facts | undefined => {
  try {
    return JSON.parse(text) as Facts
  } catch {
    return undefined
  }
}

const statesIn = (index: PartedIndexFile, bytes: IndexBytes, start: number): States => {
  let others: IndexEntries | undefined
  return {
    read(path, at, length) {
      const own = bytes.read(start + at, length)
      if (own?.length === length) return own.toString("utf8")
      // Another process has saved its index: its entry for this file is the same, or newer.
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
  return { path, stamp, agents, kept, size: kept.length + JSON.stringify({ agents }).length }
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
export const saveIndex = (index: PartedIndexFile, entries: IndexEntries): void => {
  const whole = new Map<States, Buffer | undefined>()
  const stateBytes = (entry: Indexed): Buffer | undefined => {
    const { kept } = entry
    if (typeof kept === "string") return Buffer.from(kept)
    if (!whole.has(kept.from)) whole.set(kept.from, kept.from.all())
    const known = whole.get(kept.from)?.subarray(kept.at, kept.at + kept.length) ?? stateText(entry)
    return typeof known === "string" ? Buffer.from(known) : known
  }
  let end = 0
  const all = Array.from(entries.paths()).flatMap((path) => {
    const entry = entries.get(path)
    const state = entry && stateBytes(entry)
    // A file whose state is lost is read again next time.
    if (!state) return []
    end += state.length
    const { agents, refusal } = entry
    const facts = Buffer.from(JSON.stringify(refusal ? { agents, refusal } : { agents }))
    return [{ entry, facts, state, at: end - state.length }]
  })
  const columns: Table = {
    paths: all.map(({ entry }) => entry.path),
    rested: all.map(({ entry }) => entry.rested ?? ""),
    numbers: all.flatMap(({ entry: { stamp, rested }, facts, state }) => [
      ...stamp,
      facts.length,
      state.length,
      rested === undefined ? 0 : Date.parse(rested),
    ]),
    sums: sumsOf(all.map(({ state }) => state)),
  }
  const start = Buffer.concat([Buffer.from(JSON.stringify(columns)), ...all.map(({ facts }) => facts)])
  const crc32 = summing()
  const ofFacts = all.reduce((sum, { facts }) => sum + facts.length, 0)
  const heading = Buffer.from(headingOf(crc32(start), start.length - ofFacts, ofFacts))
  index.save(Buffer.concat([heading, start, ...all.map(({ state }) => state)]))
  const bytes = loaded(index)
  if (bytes?.read(0, heading.length)?.equals(heading) !== true) return
  const from = statesIn(index, bytes, heading.length + start.length)
  for (const { entry, state, at } of all) entry.kept = { from, at, length: state.length }
}

const sumsOf = (states: readonly Buffer[]): number[] => {
  const crc32 = summing()
  const sums: number[] = []
  for (let from = 0; from < states.length; from += filesInSum)
    sums.push(states.slice(from, from + filesInSum).reduce((sum, state) => crc32(state, sum), 0))
  return sums
}

export const isSameStamp = (one: FileStamp, other: FileStamp): boolean =>
  one.every((part, index) => part === other[index])
