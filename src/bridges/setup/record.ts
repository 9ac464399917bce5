/** What set-up did, noted in Headway's home: by this it is taken back, byte for byte where that is possible. */
import { createHash } from "node:crypto"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { replaceFile } from "../../home/write-file.ts"
import type { Scope } from "../agents/agent.ts"
import { isObject, type Path, type Value } from "../config/edit.ts"

/** A value that was set in the agent's own words, and what stood there before. */
export type NotedValue = { path: Path; value: Value; before?: Value; isListed?: boolean }

export type FileRecord = {
  agent: string
  scope: Scope
  path: string
  /** The file as it was before; null when there was none. Absent when it was changed by others in between. */
  before?: { hash: string; backup: string } | null
  /** The file as we left it. */
  after: string
  values: NotedValue[]
  /** What we had to make for our parts to stand in: places in the file, and folders for it. */
  made: Path[]
  folders?: string[]
  /** Who could use the file before, where that had to change. */
  mode?: number
}

export const hashOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex")

const fileIn = (home: string): string => join(home, "setup.json")

export const loadRecords = (home: string): FileRecord[] => {
  try {
    const saved: unknown = JSON.parse(readFileSync(fileIn(home), "utf8"))
    const files = isObject(saved) && Array.isArray(saved.files) ? saved.files : []
    return files.filter(isRecord)
  } catch {
    return []
  }
}

const isRecord = (value: unknown): value is FileRecord =>
  isObject(value) &&
  [value.agent, value.scope, value.path, value.after].every((field) => typeof field === "string") &&
  Array.isArray(value.values) &&
  Array.isArray(value.made)

export const saveRecords = (home: string, files: readonly FileRecord[]): void => {
  if (files.length === 0) rmSync(fileIn(home), { force: true })
  else replaceFile(fileIn(home), `${JSON.stringify({ v: 1, files }, null, 2)}\n`, join(home, "tmp"))
}

/** Keeps a file as it is, readable by its owner only: configuration holds keys. Answers where. */
export const keepBackup = (home: string, agent: string, path: string, bytes: Buffer, now: Date): string => {
  const time = now.toISOString().replaceAll(":", "-")
  const name = join(home, "backups", agent, `${time}-${basename(path)}`)
  let backup = name
  for (let number = 2; existsSync(backup); number += 1) backup = `${name}.${number}`
  replaceFile(backup, bytes, join(home, "tmp"))
  return backup
}

/** The file as it was, if the backup is still what was kept. */
export const readBackup = ({ before }: FileRecord): Buffer | undefined => {
  if (!before) return undefined
  try {
    const bytes = readFileSync(before.backup)
    return hashOf(bytes) === before.hash ? bytes : undefined
  } catch {
    return undefined
  }
}
