/** Another program's configuration file: read with care, and written whole or not at all. */
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs"
import { dirname } from "node:path"
import { replaceFile } from "../../home/write-file.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import type { Reads } from "../agents/agent.ts"
import type { ConfigFormat } from "./edit.ts"
import { beyondPlainJson, jsonText } from "./json-text.ts"
import { tomlText } from "./toml-text.ts"

export type Content = {
  /** Where the agent looks for it, and where it really lies. */
  path: string
  target: string
  /** Undefined when there is no such file. */
  bytes: Buffer | undefined
  /** Without a byte order mark. */
  text: string
  mode: number
}

const mark = "\ufeff"

export const formatOf = (reads: Reads): ConfigFormat => (reads === "TOML" ? tomlText : jsonText)

export const readConfig = (path: string): Content => {
  const target = targetOf(path)
  const stats = statSync(target, { throwIfNoEntry: false })
  if (!stats) return { path, target, bytes: undefined, text: "", mode: 0o600 }
  if (!stats.isFile()) throw new HeadwayError("config-file", `${path} is not a file.`)
  const bytes = readFileSync(target)
  return { path, target, bytes, text: decoded(path, bytes), mode: stats.mode & 0o777 }
}

/** A link is followed to what it stands for, as people keep their configuration elsewhere and link to it. */
const targetOf = (path: string): string => {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path
  try {
    return realpathSync(path)
  } catch {
    throw new HeadwayError("config-file", `${path} is a link to ${readlinkSync(path)}, which is not there.`)
  }
}

const decoded = (path: string, bytes: Buffer): string => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.startsWith(mark) ? text.slice(mark.length) : text
  } catch (cause) {
    throw new HeadwayError("config-file", `${path} is not UTF-8 text, so it was not touched.`, { cause })
  }
}

/** The bytes for a changed text: with a byte order mark where there was one. */
export const bytesFor = ({ bytes }: Content, text: string): Buffer =>
  Buffer.from(bytes?.subarray(0, 3).toString("utf8") === mark ? `${mark}${text}` : text)

/** What the agent itself cannot read in this text, as a sentence. It then ignores the file, or fails. */
export const unreadableFor = (reads: Reads, text: string): string | undefined => {
  if (reads === "TOML" || reads === "JSON with comments and trailing commas" || text.trim() === "") return undefined
  const beyond = beyondPlainJson(text)
  if (!beyond || (reads === "JSON with comments" && beyond.what === "comments")) return undefined
  return `It has ${beyond.what} (line ${beyond.line}), and the agent reads only ${reads} there.`
}

/** Throws a sentence when the file may not be written, before anything is. */
export const assertWritable = ({ path, target, bytes, mode }: Content): void => {
  const place = bytes === undefined ? nearestFolder(target) : target
  // Whoever may write everything still respects a file that is marked as not to be written.
  const isReadOnly = bytes !== undefined && (mode & 0o222) === 0
  if (!isReadOnly && isAllowed(place) && isAllowed(nearestFolder(target))) return
  const where = target === path ? path : `${path} (a link to ${target})`
  const what = bytes === undefined ? "cannot be made: its folder is read-only" : "is read-only"
  throw new HeadwayError("read-only", `${where} ${what}. Nothing was changed.`)
}

const nearestFolder = (path: string): string => {
  const folder = dirname(path)
  return existsSync(folder) || folder === path ? folder : nearestFolder(folder)
}

const isAllowed = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** One file as it should become; undefined bytes mean that it should not be there. */
export type Write = { target: string; bytes: Buffer | undefined; mode: number }

export const writeConfig = ({ target, bytes, mode }: Write): void => {
  if (bytes === undefined) rmSync(target, { force: true })
  else replaceFile(target, bytes, dirname(target), mode)
}

/** Writes all of them or none: when one fails, those before it become what they were. */
export const writeAll = (
  changes: readonly { from: Write; to: Write }[],
  write: (change: Write) => void = writeConfig,
): void => {
  const done: Write[] = []
  try {
    for (const { from, to } of changes) {
      if (!isStill(from))
        throw new HeadwayError("changed-meanwhile", `${from.target} was just changed by another program.`)
      done.unshift(from)
      write(to)
    }
  } catch (cause) {
    for (const from of done) write(from)
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new HeadwayError("setup-failed", `${why} Nothing was changed; try again.`, { cause })
  }
}

const isStill = ({ target, bytes }: Write): boolean => {
  if (!existsSync(target)) return bytes === undefined
  return bytes !== undefined && readFileSync(target).equals(bytes)
}
