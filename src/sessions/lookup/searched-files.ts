/**
 * Remembers which session files were searched for which calls, and the result, so that unchanged files are not read
 * again.
 */
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import type { FileStamp, Found } from "../walk.ts"

/** An agent that made all the calls, as its session file says. */
export type Maker = {
  session: string
  agent: string
  /** The folder it works in, where the file names it, and the agent's label of that folder. */
  project?: string
  label?: string
}

export type Searched = {
  /** Who made these calls; undefined if the current file was not searched for them. */
  makersOf(found: Found, calls: string): readonly Maker[] | undefined
  /** Whether so many bytes of a file may be read as well. */
  mayRead(found: Found, bytes: number): boolean
  /** The file was read, which took so many milliseconds. */
  keep(found: Found, makers: ReadonlyMap<string, readonly Maker[]>, took: number): void
}

export type KeptSearched = Searched & {
  /** The results as text for the next run; undefined if nothing is new. */
  text(): string | undefined
}

export type SearchedOptions = {
  /** What an earlier one left; anything else is ignored. @default nothing */
  kept?: string | undefined
  /** How many bytes may be read in all. The first file is always read, so that each look gets further. @default any number */
  mostBytes?: number
  now?: Date
}

export const createSearched = ({
  kept = "",
  mostBytes = Number.POSITIVE_INFINITY,
  now = new Date(),
}: SearchedOptions = {}): KeptSearched => {
  const files = filesIn(kept)
  const [paths, ids] = [new Set<string>(), new Set<string>()]
  let isNew = false
  let read = 0

  const makersIn = ({ path, stamp }: Found): SearchedFile["makers"] => {
    const file = files.get(path)
    return file?.stamp.every((part, index) => part === stamp[index]) ? file.makers : new Map()
  }

  return {
    makersOf(found, calls) {
      paths.add(found.path)
      ids.add(calls)
      return makersIn(found).get(calls)
    },
    mayRead({ path }, bytes) {
      const { took = 0, at = 0 } = files.get(path) ?? {}
      // A slow file that is written to continuously would slow down every command.
      if (took >= slow && Math.abs(now.getTime() - at) < took * rest) return false
      if (read > 0 && read + bytes > mostBytes) return false
      read += bytes
      return true
    },
    keep(found, makers, took) {
      const { path, stamp } = found
      files.set(path, { stamp, took, at: now.getTime(), makers: new Map([...makersIn(found), ...makers]) })
      isNew = true
    },
    text: () => {
      if (!isNew) return undefined
      const asked = [...files].filter(([path]) => paths.has(path))
      return JSON.stringify(
        asked.map(([path, { makers, ...file }]) => ({
          path,
          ...file,
          makers: [...makers].filter(([id]) => ids.has(id)),
        })),
      )
    },
  }
}

/** In milliseconds. A file that took longer is left alone for so many times as long. */
const slow = 500
const rest = 20

type SearchedFile = {
  stamp: FileStamp
  took: number
  /** When it was read, in milliseconds. */
  at: number
  makers: ReadonlyMap<string, readonly Maker[]>
}

const filesIn = (text: string): Map<string, SearchedFile> => {
  const value = parseJson(text)
  return new Map(Array.isArray(value) ? value.flatMap(fileIn) : [])
}

const fileIn = (value: unknown): [string, SearchedFile][] => {
  if (!isRecord(value)) return []
  const { path, stamp, took, at, makers } = value
  const isStamp = Array.isArray(stamp) && stamp.length === 3 && stamp.every((part) => typeof part === "number")
  if (typeof path !== "string" || !isStamp || typeof took !== "number" || typeof at !== "number") return []
  if (!Array.isArray(makers)) return []
  const [size, time, id] = stamp as [number, number, number]
  return [[path, { stamp: [size, time, id], took, at, makers: new Map(makers.flatMap(foundIn)) }]]
}

const foundIn = (value: unknown): [string, Maker[]][] => {
  if (!Array.isArray(value) || typeof value[0] !== "string" || !Array.isArray(value[1])) return []
  const makers = value[1].map(makerIn)
  // Half of an answer would be a wrong one.
  return makers.includes(undefined) ? [] : [[value[0], makers.flatMap((maker) => maker ?? [])]]
}

const makerIn = (value: unknown): Maker | undefined => {
  if (!isRecord(value)) return undefined
  const { session, agent, project, label } = value
  if (typeof session !== "string" || typeof agent !== "string") return undefined
  return {
    session,
    agent,
    ...(typeof project === "string" ? { project } : {}),
    ...(typeof label === "string" ? { label } : {}),
  }
}
