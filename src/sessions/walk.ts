/** Finds the files of a source by name and time alone: nothing is opened. */

import { type Dirent, readdirSync } from "node:fs"
import { join, sep } from "node:path"
import { statOf } from "../home/paths/on-disk.ts"
import { type Problem, sanitise, warning } from "../plan/index.ts"
import type { Place, Source, Whose } from "./source.ts"

/** Identifies a state of a file: size, time of last change, and inode. */
export type FileStamp = readonly [size: number, time: number, id: number]

export type Found = {
  source: Source
  place: Place
  /** The agent's folder it was found in. */
  home: string
  path: string
  whose: Whose
  stamp: FileStamp
  /** It is a sub-agent's file that looks like a session of its own. */
  isChilds?: boolean
  /**
   * It is outside the agent's own folders on this machine: it may be a copy and claim anything about other sessions.
   */
  isElsewhere?: true
}

/** Whether it holds the list of one session only, as a file of that name. */
export const isOneSessions = ({ place, whose }: Found): boolean =>
  place.isBeside === true && whose.session !== undefined

type Report = (problem: Problem) => void

export type Walked = {
  found: Found[]
  /** Every folder that was scanned: new files would appear in one of them. */
  folders: Iterable<string>
}

export const walk = (source: Source, home: string, report: Report): Walked => {
  const folders = new Map<string, Dirent[]>()
  const entriesOf = (folder: string): Dirent[] => {
    const known = folders.get(folder) ?? readFolder(folder, report)
    folders.set(folder, known)
    return known
  }

  const found: Found[] = []

  /** There may be tens of thousands of names in a folder: of those that do not match, nothing is made. */
  const find = (folder: string, place: Place, depth: number, names: Record<string, string>): void => {
    const wanted = place.path[depth]
    if (wanted === undefined) return
    const isLast = depth === place.path.length - 1
    const wantsFolder = !isLast || place.reading.as === "folder"
    for (const entry of entriesOf(folder)) {
      const { name } = entry
      const isLink = entry.isSymbolicLink()
      if (!isLink && entry.isDirectory() !== wantsFolder) continue
      const captured = capturedIn(name, wanted, names)
      if (!captured) continue
      // Only a home may end with a slash.
      const path = depth === 0 ? join(folder, name) : `${folder}${sep}${name}`
      if (isLink && (statOf(path)?.isDirectory() === true) !== wantsFolder) continue
      if (isLast) take(path, place, captured)
      else find(path, place, depth + 1, captured)
    }
  }

  const take = (path: string, place: Place, captured: Record<string, string>): void => {
    const whose = place.whose?.(captured) ?? {}
    if (place.reading.as === "lines" && whose.agent === "main") {
      report(warning("misnamed-file", `${sanitise(path)} was skipped: no sub-agent is named "main".`))
      return
    }
    const stamp = place.reading.as === "folder" ? folderStamp(path, entriesOf(path)) : fileStamp(path, place)
    if (stamp) found.push({ source, place, home, path, whose, stamp })
  }

  for (const place of source.places) find(home, place, 0, {})
  return { found: withChildren(found), folders: folders.keys() }
}

/** What a name says besides the names above it; undefined when it does not match. */
const capturedIn = (
  name: string,
  wanted: string | RegExp,
  names: Record<string, string>,
): Record<string, string> | undefined => {
  if (typeof wanted === "string") return name === wanted ? names : undefined
  const match = wanted.exec(name)
  if (!match) return undefined
  const { groups } = match
  if (!groups) return names
  for (const above in names) groups[above] ??= names[above] ?? ""
  return groups
}

/** Gives the files of sub-agents that are named in their parents' folders to the sessions they belong to. */
const withChildren = (found: Found[]): Found[] => {
  const parents = new Map(
    found.flatMap(({ place, whose: { agent, session } }) =>
      place.namesChild && agent !== undefined && session !== undefined ? [[agent, session] as const] : [],
    ),
  )
  if (parents.size === 0) return found
  return found.map((one) => {
    const { session } = one.whose
    const isChilds = !one.place.namesChild && session !== undefined && parents.has(session)
    return isChilds
      ? { ...one, isChilds, whose: { ...one.whose, session: rootOf(session, parents), agent: session } }
      : one
  })
}

/** Follows the parents, each once, because notes may form a circle. */
const rootOf = (session: string, parents: ReadonlyMap<string, string>): string => {
  const seen = new Set<string>()
  let root = session
  for (let next = parents.get(root); next !== undefined && !seen.has(next); next = parents.get(root)) {
    seen.add(next)
    root = next
  }
  return root
}

/** The same file or folder as it is now; undefined when it is no longer there. */
export const foundAgain = (found: Found, report: Report): Found | undefined => {
  const { path, place } = found
  const isFolder = place.reading.as === "folder"
  if (isFolder && !statOf(path)?.isDirectory()) return undefined
  const stamp = isFolder ? folderStamp(path, readFolder(path, report)) : fileStamp(path, place)
  return stamp && { ...found, stamp }
}

const readFolder = (folder: string, report: Report): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code !== "ENOENT" && code !== "ENOTDIR")
      report(warning("unreadable-folder", `${sanitise(folder)} could not be opened and was skipped: ${message}`))
    return []
  }
}

/** A pipe or a device is not a session, and reading one may never end. */
const fileStamp = (path: string, { reading }: Place): FileStamp | undefined => {
  const stats = statOf(path)
  if (!stats?.isFile()) return undefined
  const log = reading.as === "database" ? statOf(`${path}-wal`) : undefined
  return [stats.size + (log?.size ?? 0), Math.max(stats.mtimeMs, log?.mtimeMs ?? 0), stats.ino]
}

const folderStamp = (folder: string, entries: readonly Dirent[]): FileStamp => {
  let [size, time, count] = [0, 0, 0]
  for (const { name } of entries) {
    if (name.startsWith(".") || !name.endsWith(".json")) continue
    const stats = statOf(join(folder, name))
    size += stats?.size ?? 0
    time = Math.max(time, stats?.mtimeMs ?? 0)
    count += 1
  }
  return [size, time, count]
}
