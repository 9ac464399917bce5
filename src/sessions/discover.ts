/** Finds the sessions of all agents on this machine, reads only what is new, and never writes to an agent's folder. */
import { statSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import { HeadwayError, messageOf } from "../plan/headway-error.ts"
import { isHeadwayError, type Problem, sanitise, warning } from "../plan/index.ts"
import { tableOf } from "./agent-tables.ts"
import type { ReadClientState } from "./clients.ts"
import type { AgentTables, DiscoveredSession } from "./join/discovered-session.ts"
import { restedSince } from "./join/left-sessions.ts"
import { createSessionJoin } from "./join/session-join.ts"
import { filesAbout, type Whom } from "./lookup/files-about.ts"
import { createUnpacker, type Unpacker } from "./packed/unpack.ts"
import {
  createIndexed,
  createRefused,
  type IndexEntries,
  type Indexed,
  isSameStamp,
  type PartedIndexFile,
  type Refusal,
  readIndex,
  saveIndex,
  stateIn,
} from "./session-index.ts"
import type { Env, Source } from "./source.ts"
import { type Found, foundAgain, isOneSessions, walk } from "./walk.ts"

export type { DiscoveredSession } from "./join/discovered-session.ts"

export type DiscoverOptions = {
  sources: Readonly<Record<string, Source>>
  env: Env
  /** The person's home. */
  home: string
  /** Scan only here: a person's home, one agent's folder, or a single file. */
  paths?: readonly string[] | undefined
  /** Read only files that may say something about this agent of a session. No index is used for it. @default all sessions */
  only?: Whom | undefined
  index?: PartedIndexFile | undefined
  /** What is known about an agent's process. Absent if the files may come from another machine. */
  readClientState?: ReadClientState | undefined
  now: Date
  onProblem?: (problem: Problem) => void
  onProgress?: (done: number, total: number) => void
  /** Called with the size of every read of a session file, in bytes. */
  onRead?: (bytes: number) => void
  /** How long a packed file may yield nothing, in milliseconds. @default 5000 */
  silenceLimit?: number
}

/** Anything that cannot be read is skipped and reported; nothing is thrown. */
export const discover = async ({ now, ...options }: DiscoverOptions): Promise<DiscoveredSession[]> => {
  const discovery = createDiscovery(options)
  try {
    return await discovery.refresh(now)
  } finally {
    discovery.close()
  }
}

/** Which sessions are only counted if there is an index: all that have ended, except for a few. */
export type OlderSessions = {
  /** In milliseconds since 1970: sessions last active before this time are only counted. */
  before: number
  /** The ids of sessions that must be returned. */
  wanted: { has(session: string): boolean }
  /** How many of the newest sessions must be returned. */
  least: number
}

/** Returns the recent sessions, and the number of older ones that were only counted. */
export const discoverRecent = async ({
  now,
  older,
  ...options
}: DiscoverOptions & { older: OlderSessions }): Promise<{ sessions: DiscoveredSession[]; older: number }> => {
  const discovery = createDiscovery(options)
  try {
    const sessions = await discovery.refresh(now, undefined, older)
    return { sessions, older: discovery.older() }
  } finally {
    discovery.close()
  }
}

/** The state of all sessions, for callers that scan repeatedly. */
export type Discovery = {
  /**
   * Returns all sessions as they are now, except for those that are only counted. If `changed` is given, only these paths are
   * scanned again.
   */
  refresh(now: Date, changed?: ReadonlySet<string>, older?: OlderSessions): Promise<DiscoveredSession[]>
  /** How many sessions the last scan only counted. */
  older(): number
  /** Makes the next scan read this file from its start, for the permanent ids and the times of its todos. */
  wantWhole(path: string): void
  /** The folders that were scanned, most recently active first. */
  folders(): string[]
  /** Saves the index if there is anything new. */
  save(): void
  /** Saves the index and ends helper processes. */
  close(): void
}

export const createDiscovery = (options: Omit<DiscoverOptions, "now">): Discovery => {
  const { only, readClientState, onProblem = () => {}, onProgress, onRead, silenceLimit } = options
  const index = only ? undefined : options.index
  const { homes, files } = placesOf(options)
  const wanted = new Set<string>()
  let entries: IndexEntries | undefined
  let all = new Map<string, Found>()
  let folders: string[] = []
  let tables: AgentTables = { projects: new Map(), titles: new Map() }
  /** In bytes: how much would have to be read again without a saved index. */
  let unsaved = 0
  let isClosed = false
  const unpacker = createUnpacker(silenceLimit)
  /** Helper processes started for one question must not outlive it. */
  const ending = async <Result>(asked: Promise<Result>): Promise<Result> => {
    try {
      return await asked
    } finally {
      if (isClosed) unpacker.close()
    }
  }
  /** What a session's calls do not tell is no problem where its current list is beside it. */
  const reportIn =
    ({ source, whose: { session } }: Found) =>
    (problem: Problem): void => {
      const isBeside = (one: Found): boolean =>
        isOneSessions(one) && one.source === source && one.whose.session === session
      if (problem.code !== "unread-sql" || ![...all.values()].some(isBeside)) onProblem(problem)
    }
  const joined = createSessionJoin({
    async file(found) {
      const there = foundAgain(found, onProblem) ?? found
      const how = { onProblem: reportIn(there), onRead, wantsWhole: true, unpacker, now: new Date(there.stamp[1]) }
      const entry = await ending(readAgain(there, entries?.get(found.path), how))
      if (!entry) return undefined
      entries?.set(found.path, entry)
      joined.set(there, entry)
      unsaved += there.stamp[0]
      return entry
    },
    history: async (found, whose) => {
      const { readHistory } = await import("./file/read-found.ts")
      return ending(readHistory(found, whose, unpacker).catch(() => undefined))
    },
  })

  const findAll = async (known: IndexEntries): Promise<Found[]> => {
    const walked = homes.map(({ source, home }) => walk(source, home, onProblem))
    folders = [...new Set([...walked.flatMap((one) => [...one.folders]), ...files.map((path) => dirname(path))])]
    tables = { projects: tableIn("projects", homes, onProblem), titles: tableIn("titles", homes, onProblem) }
    const named = await filesNamed(files, options)
    const everything = [...walked.flatMap((one) => one.found), ...named].map((one) => inOwnPlace(one, options))
    const found = only ? filesAbout(only, everything) : everything
    all = new Map()
    for (const one of found) if (!all.has(one.path)) all.set(one.path, one)
    // Both are in the order of the scan, nearly always: then no path is looked up.
    const inOrder = all.keys()
    let next = inOrder.next().value
    for (const path of [...known.paths()]) {
      if (path !== next) next = inOrder.next().value
      const isNext = path === next
      if (isNext) next = inOrder.next().value
      if (isNext || all.has(path) || !homes.some(({ home }) => isInside(path, home))) continue
      known.delete(path)
      unsaved = Number.POSITIVE_INFINITY
    }
    joined.keepOnly(all)
    return [...all.values()]
  }

  /**
   * The changed files and those that need a full read; undefined if something appeared or vanished, which needs a full
   * scan.
   */
  const findAgain = (changed: ReadonlySet<string>): Found[] | undefined => {
    const affected = new Set([...wanted].filter((path) => all.has(path)))
    for (const path of changed) {
      const owner = [path, dirname(path), path.replace(/-(?:wal|shm|journal)$/, "")].find((one) => all.has(one))
      if (owner === undefined) return undefined
      affected.add(owner)
    }
    const again: Found[] = []
    for (const path of affected) {
      const found = all.get(path)
      const there = found && foundAgain(found, onProblem)
      if (!there) return undefined
      again.push(there)
    }
    return again
  }

  /** Reads a file if it is another than it was, and takes over what it says. */
  const readFile = async (found: Found, all: IndexEntries, now: Date): Promise<void> => {
    const known = all.get(found.path)
    const wantsWhole = wanted.delete(found.path) && found.place.reading.as === "lines"
    const isCurrent = known && isSameStamp(known.stamp, found.stamp) && !wantsWhole && !mayBeTriedAgain(known, now)
    if (isCurrent && known.refusal) onProblem(refused(found.path, known.refusal))
    const room = mostKept - all.size + (known?.size ?? 0)
    const entry = isCurrent
      ? known
      : await readAgain(found, known, { onProblem: reportIn(found), onRead, wantsWhole, unpacker, now, room })
    if (entry !== known) unsaved += costOf(found, wantsWhole ? undefined : known, entry)
    if (entry) all.set(found.path, entry)
    else all.delete(found.path)
    joined.set(found, entry)
  }

  const save = (): void => {
    if (!index || !entries || unsaved === 0) return
    if (unsaved < (entries.size - alwaysSaved) / 8) return
    saveEntries(index, entries, onProblem)
    unsaved = 0
  }

  return {
    async refresh(now, changed, older) {
      entries ??= readIndex(index)
      const known = entries
      unpacker.begin()
      const again = changed && findAgain(changed)
      const toRead = again ?? (await findAll(known))
      for (const [done, found] of toRead.entries()) {
        const isLeft = older !== undefined && !wanted.has(found.path) && joined.leave(found, known, { ...older, now })
        if (!isLeft) await readFile(found, known, now)
        onProgress?.(done + 1, toRead.length)
      }
      if (older) joined.takeNewest(older.least)
      return joined.sessions({ now, tables, isEverything: again === undefined, readClientState })
    },
    older: joined.left,
    wantWhole: (path) => void wanted.add(path),
    folders: () => byTime(folders, [...all.values()]),
    save,
    close() {
      isClosed = true
      save()
      unpacker.close()
    },
  }
}

type Home = { source: Source; home: string }

const placesOf = ({ sources, env, home, paths }: Omit<DiscoverOptions, "now">): { homes: Home[]; files: string[] } => {
  const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  const files = paths?.filter(isFile) ?? []
  const roots = paths?.filter((path) => !files.includes(path))
  const homes = Object.values(sources).flatMap((source) => {
    const below = [...source.below.home, ...source.below.folder]
    const folders = roots?.flatMap((root) => below.map((folder) => join(root, folder))) ?? source.homes(env, home)
    return [...new Set(folders)].map((folder) => ({ source, home: folder }))
  })
  return { homes, files }
}

/** A file in an agent's own folder is treated as part of it, however it was named. */
const inOwnPlace = (found: Found, { env, home, paths }: Omit<DiscoverOptions, "now">): Found => {
  if (!paths) return found
  const { source, place, path } = found
  const own = source.homes(env, home).filter((folder) => isInside(path, folder))
  const isNamed = place.path.length === 0
  if (!isNamed && own.includes(found.home)) return found
  const there = own.flatMap((folder) => walk(source, folder, () => {}).found).find((one) => one.path === path)
  return there ?? { ...found, isElsewhere: true }
}

/** Compares whole path segments: `.agent-work` is not in `.agent`. */
const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(join(folder, sep))

const filesNamed = async (paths: readonly string[], { sources, onProblem }: Omit<DiscoverOptions, "now">) => {
  if (paths.length === 0) return []
  const { fileNamed } = await import("./named-file.ts")
  const found = await Promise.all(paths.map((path) => fileNamed(path, sources, onProblem)))
  return found.flatMap((one) => one ?? [])
}

/** Folders that only contain folders come first: there are few of them, and new sessions appear there. */
const byTime = (folders: readonly string[], all: readonly Found[]): string[] => {
  const times = new Map<string, number>()
  for (const { path, stamp, place } of all) {
    const folder = place.reading.as === "folder" ? path : dirname(path)
    times.set(folder, Math.max(times.get(folder) ?? 0, stamp[1]))
  }
  const timeOf = (folder: string): number => times.get(folder) ?? Number.POSITIVE_INFINITY
  return folders.toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))
}

const saveEntries = (index: PartedIndexFile, entries: IndexEntries, report: (problem: Problem) => void): void => {
  try {
    saveIndex(index, entries)
  } catch (cause) {
    report(warning("unsaved-index", `The index of the agents' sessions could not be saved: ${messageOf(cause)}`))
  }
}

/** Reasons that are expensive to find out and stay true while the file does not change. */
const lasting = ["too-large", "took-too-long", "damaged-file"]

/**
 * In characters: the limit for all files together, and for each file once that is used up. A few thousand bytes can
 * unpack to a list of eight million.
 */
const [mostKept, little] = [64 << 20, 64 << 10]

/**
 * In characters: an index up to this size is saved whenever anything has changed. A longer one takes longer to write
 * than reading the latest changes of a few agents again.
 */
const alwaysSaved = 4 << 20

/**
 * The cost of reading a file again, in bytes. For a session that has grown, only its new lines and its end are read.
 */
const costOf = ({ stamp, place }: Found, known: Indexed | undefined, entry: Indexed | undefined): number => {
  if (!entry || entry.refusal) return Number.POSITIVE_INFINITY
  const isGrown = place.reading.as === "lines" && known?.stamp[2] === stamp[2] && known.stamp[0] <= stamp[0]
  return isGrown ? stamp[0] - known.stamp[0] + shortestRead : stamp[0] + shortestRead
}

const shortestRead = 128 << 10

/** The machine may have been busy. */
const aDay = 24 * 60 * 60_000

const mayBeTriedAgain = ({ refusal }: Indexed, now: Date): boolean =>
  refusal !== undefined && !(now.getTime() - refusal.at < aDay)

const refused = (path: string, { code, message }: Pick<Refusal, "code" | "message">): Problem =>
  warning(code, `${sanitise(path)} was skipped: ${sanitise(message)}.`)

type ReadAgain = {
  onProblem: (problem: Problem) => void
  onRead: ((bytes: number) => void) | undefined
  wantsWhole: boolean
  unpacker: Unpacker
  now: Date
  /** The remaining space, in characters. @default no limit */
  room?: number
}

const readAgain = async (
  found: Found,
  known: Indexed | undefined,
  { onProblem, onRead, wantsWhole, unpacker, now, room = Number.POSITIVE_INFINITY }: ReadAgain,
): Promise<Indexed | undefined> => {
  const { readFound, unreadable } = await import("./file/read-found.ts")
  const { path, stamp } = found
  try {
    // Only a file of lines is appended to; anything else is compared with its previous state.
    const isSameFile = known?.stamp[2] === stamp[2] && known.stamp[0] <= stamp[0]
    const mayGoOn = found.place.reading.as !== "lines" || isSameFile
    const before = known && mayGoOn ? stateIn(known) : undefined
    const { agents, state, problems } = await readFound(found, before, { onRead, wantsWhole, unpacker })
    const entry = createIndexed(path, stamp, agents, state)
    const rested = restedSince(found, entry, now)
    if (rested !== undefined) entry.rested = rested
    if (entry.size > Math.max(room, little))
      throw new HeadwayError("too-large", "together with the other files, it has more lists than Headway keeps")
    for (const problem of problems) onProblem({ ...problem, message: `${sanitise(path)}: ${problem.message}` })
    return entry
  } catch (cause) {
    if (!isHeadwayError(cause)) {
      onProblem(unreadable(sanitise(path), cause))
      return undefined
    }
    onProblem(refused(path, cause))
    const { code, message } = cause
    return lasting.includes(code) ? createRefused(path, stamp, { code, message, at: now.getTime() }) : undefined
  }
}

const tableIn = (name: keyof AgentTables, homes: readonly Home[], report: (problem: Problem) => void) => {
  const tables = new Map<Source, Record<string, string>>()
  for (const { source, home } of homes) {
    if (source[name]) tables.set(source, { ...tables.get(source), ...tableOf(source[name], [home], report) })
  }
  return tables
}
