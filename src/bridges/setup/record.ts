/** The record of set-up in Headway's home, used to undo it, byte for byte if possible. */
import { createHash } from "node:crypto"
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { foreignTextIn, readForeignText } from "../../home/reading/foreign-file.ts"
import { makeFolder, replaceFile } from "../../home/writing/write-file.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { readConfigBytes } from "../config/config-bytes.ts"
import type { Path, Value } from "../config/edit.ts"
import type { Scope } from "./agent-settings.ts"

/** A value that was set in the agent's own format, and the previous value. */
export type NotedValue = { path: Path; value: Value; before?: Value; isListed?: boolean }

export type FileRecord = {
  agent: string
  scope: Scope
  path: string
  /** The file as it was before; null if there was none. Absent if others changed it in between. */
  before?: { hash: string; backup: string } | null
  /** The file as we left it, and as we left it the time before, because a killed run may not have written the new one. */
  after: string
  earlier?: string
  /** Backups of other states than the one before set-up, kept for the person until set-up is undone. */
  copies?: string[]
  values: NotedValue[]
  /** What we created as containers for our parts: places in the file, and folders for the file. */
  made: Path[]
  folders?: string[]
  /** The file's permissions before, if they had to be changed. */
  mode?: number
}

export const hashOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex")

/** Whether a file is as set-up left it. */
export const isAsLeft = ({ after, earlier }: FileRecord, bytes: Buffer): boolean => {
  const hash = hashOf(bytes)
  return hash === after || hash === earlier
}

const fileIn = (home: string): string => join(home, "setup.json")

export const loadRecords = (home: string): FileRecord[] => readRecords(home).records

/** `isWhole`: it contains nothing that we do not understand. */
const readRecords = (home: string): { records: FileRecord[]; isWhole: boolean } => {
  let text: string
  try {
    text = readForeignText(fileIn(home))
  } catch (cause) {
    return { records: [], isWhole: (cause as NodeJS.ErrnoException).code === "ENOENT" }
  }
  try {
    const saved: unknown = JSON.parse(text)
    const files = isRecord(saved) && Array.isArray(saved.files) ? saved.files : []
    const records = files.filter(isFileRecord)
    return { records, isWhole: isRecord(saved) && saved.v === 1 && records.length === files.length }
  } catch {
    return { records: [], isWhole: false }
  }
}

const isNewer = (home: string): boolean => {
  const saved = parseJson(foreignTextIn(fileIn(home)) ?? "")
  return isRecord(saved) && typeof saved.v === "number" && saved.v > 1
}

const isFileRecord = (value: unknown): value is FileRecord =>
  isRecord(value) &&
  [value.agent, value.scope, value.path, value.after].every((field) => typeof field === "string") &&
  Array.isArray(value.values) &&
  Array.isArray(value.made) &&
  (value.before === undefined || value.before === null || isBackup(value.before)) &&
  [value.copies, value.folders].every((list) => list === undefined || isTexts(list))

const isBackup = (value: unknown): boolean => isRecord(value) && isTexts([value.hash, value.backup])

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === "string")

/** Throws where notes of a newer Headway would be lost, and with them the way back. */
export const saveRecords = (home: string, files: readonly FileRecord[]): void => {
  if (isNewer(home))
    throw new HeadwayError(
      "newer-file",
      `${fileIn(home)} was written by a newer Headway. Update this one to set agents up or to undo that.`,
    )
  if (files.length === 0) rmSync(fileIn(home), { force: true })
  else
    replaceFile(fileIn(home), `${JSON.stringify({ v: 1, files }, null, 2)}\n`, join(home, "tmp"), { isDurable: true })
}

/** Where a file is kept as it is. Noted before it is made, so that no copy is ever without its note. */
export const backupPath = (home: string, agent: string, path: string, now: Date): string => {
  const time = now.toISOString().replaceAll(":", "-")
  const name = join(home, "backups", agent, `${time}-${basename(path)}`)
  let backup = name
  for (let number = 2; existsSync(backup); number += 1) backup = `${name}.${number}`
  return backup
}

/** Readable by its owner only: configuration holds keys. */
export const keepBackup = (backup: string, bytes: Buffer): void => {
  makeFolder(dirname(backup))
  const descriptor = openSync(backup, "wx", 0o600)
  try {
    writeFileSync(descriptor, bytes)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Backups that no note mentions are useless. Those there are looked up before the notes, as a note comes first. Where the
 * notes cannot be read in full, such as those of a newer Headway, every backup stays.
 */
export const removeStrayBackups = (home: string): void => {
  const folder = join(home, "backups")
  const kept = filesUnder(folder)
  const { records, isWhole } = readRecords(home)
  const noted = new Set(records.flatMap(backupsOf))
  for (const path of kept) if (isWhole && !noted.has(path)) rmSync(path, { force: true })
}

const backupsOf = ({ before, copies = [] }: FileRecord): string[] => [...(before ? [before.backup] : []), ...copies]

const filesUnder = (folder: string): string[] => {
  try {
    const found = readdirSync(folder, { withFileTypes: true, recursive: true })
    return found.filter((one) => !one.isDirectory()).map((one) => join(one.parentPath, one.name))
  } catch {
    return []
  }
}

/** The file as it was, if the backup is still what was kept. */
export const readBackup = ({ before }: FileRecord): Buffer | undefined => {
  if (!before) return undefined
  try {
    // As much as is read of a configuration: whatever was kept can be put back.
    const bytes = readConfigBytes(before.backup)?.bytes
    return bytes && hashOf(bytes) === before.hash ? bytes : undefined
  } catch {
    return undefined
  }
}
