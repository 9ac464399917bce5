/** Another program's configuration file: read with care, and whether it may be written. */
import { accessSync, constants, existsSync, lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs"
import { dirname } from "node:path"
import { realPath } from "../../home/paths/on-disk.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { isInside } from "../programs/find-program.ts"
import type { Reads } from "../setup/agent-settings.ts"
import { mostBytesOf, readConfigBytes } from "./config-bytes.ts"
import type { ConfigFormat } from "./edit.ts"
import { beyondPlainJson, jsonText } from "./json-text.ts"
import { tomlText } from "./toml-text.ts"
import { wholeText } from "./whole-text.ts"
import { yamlText } from "./yaml-text.ts"

export type Content = {
  /** Where the agent looks for it, and where it really is. */
  path: string
  target: string
  /** Undefined when there is no such file. */
  bytes: Buffer | undefined
  /** Without a byte order mark. */
  text: string
  mode: number
}

const byteOrderMark = "\ufeff"

const formats: Partial<Record<Reads, ConfigFormat>> = { TOML: tomlText, YAML: yamlText, JavaScript: wholeText }

export const formatOf = (reads: Reads): ConfigFormat => formats[reads] ?? jsonText

/** `where` tells the files of a project, of which less is read. */
export const readConfig = (path: string, where: { home: string; project: string }): Content => {
  const target = targetOf(path)
  const file = readConfigBytes(target, path, mostBytesOf(path, where))
  if (!file) return { path, target, bytes: undefined, text: "", mode: 0o600 }
  const { bytes, stats } = file
  return { path, target, bytes, text: decoded(path, bytes), mode: stats.mode & 0o777 }
}

/** A link is followed to its target, because people keep their configuration elsewhere and link to it. */
const targetOf = (path: string): string => {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path
  try {
    return realpathSync(path)
  } catch (cause) {
    // A link that points back to itself is reported when it is read.
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") return path
    const where = readlinkSync(path)
    throw new HeadwayError(
      "config-file",
      `${path} is a link to ${where}, which does not exist. Remove the link, or create what it points to.`,
    )
  }
}

const decoded = (path: string, bytes: Buffer): string => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text
  } catch (cause) {
    const message = `${path} is not UTF-8 text, so it was not touched. Save it as UTF-8.`
    throw new HeadwayError("config-file", message, { cause })
  }
}

/** The bytes for a changed text: with a byte order mark where there was one. */
export const bytesFor = ({ bytes }: Content, text: string): Buffer =>
  Buffer.from(bytes?.subarray(0, 3).toString("utf8") === byteOrderMark ? `${byteOrderMark}${text}` : text)

const strictReads: readonly Reads[] = ["plain JSON", "JSON with comments"]

/** What the agent itself cannot read in this text, as a sentence. It then ignores the file, or fails. */
export const unreadableFor = (reads: Reads, text: string): string | undefined => {
  if (!strictReads.includes(reads) || text.trim() === "") return undefined
  const beyond = beyondPlainJson(text)
  if (!beyond || (reads === "JSON with comments" && beyond.what === "comments")) return undefined
  return `It has ${beyond.what} (line ${beyond.line}), and the agent reads only ${reads} there.`
}

/** Throws a sentence when the file may not be written, before anything is. `project`: it must not leave this folder. */
export const assertWritable = ({ path, target, bytes, mode }: Content, project?: string): void => {
  const folder = nearestFolder(target)
  const place = bytes === undefined ? folder : target
  const where = target === path ? path : `${path} (a link to ${target})`
  if (project !== undefined && !isInside(realPath(place), realPath(project))) {
    throw new HeadwayError(
      "leaves-project",
      `${path} points outside the project, to ${realPath(place)}. Nothing was changed; make it a file in the project.`,
    )
  }
  if (!statSync(folder).isDirectory()) {
    throw new HeadwayError("config-file", `${where} cannot be created: ${folder} is not a folder. Nothing was changed.`)
  }
  const foreign = [place, folder].find((one) => !isOwn(statSync(one)))
  if (foreign !== undefined) {
    throw new HeadwayError("foreign-owner", `${where}: ${foreign} belongs to another user. Nothing was changed.`)
  }
  // Root may write everything, and still respects a file that is marked as not to be written.
  const isReadOnly = bytes !== undefined && (mode & 0o222) === 0
  if (!isReadOnly && isAllowed(place) && isAllowed(folder)) return
  const what = bytes === undefined ? "cannot be created: its folder is read-only" : "is read-only"
  throw new HeadwayError("read-only", `${where} ${what}. Nothing was changed.`)
}

const nearestFolder = (path: string): string => {
  const folder = dirname(path)
  return existsSync(folder) || folder === path ? folder : nearestFolder(folder)
}

/** Windows has no such numbers. */
const isOwn = ({ uid }: Stats): boolean => process.geteuid === undefined || uid === process.geteuid()

const isAllowed = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
