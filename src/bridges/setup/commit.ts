/** Applies prepared changes: notes and backups first, then all files or none. */
import { rmdirSync } from "node:fs"
import { assertWritable } from "../config/config-file.ts"
import { isSame } from "../config/edit.ts"
import { type Replacement, replaceAll, replacementOf } from "../config/replace-config.ts"
import type { ChangedFile, Prepared } from "./prepare.ts"
import {
  backupPath,
  type FileRecord,
  hashOf,
  keepBackup,
  loadRecords,
  removeStrayBackups,
  saveRecords,
} from "./record.ts"
import { runAlone } from "./run-note.ts"

export type CommitOptions = {
  /** Headway's home. */
  home: string
  agent: string
  now: Date
  /** The folder the files must not leave, where they are a project's. */
  project?: string
  /** How a file takes its place. */
  put?: (change: Replacement) => void
}

export type Committed = { prepared: Prepared; backups: string[] }

/**
 * Works the changes out and makes them, alone: no other set-up runs at the same time. Killed at any moment, every file is the old
 * one or the new one, and the notes lead back from both.
 */
export const commitChanges = (
  prepare: (records: readonly FileRecord[]) => Prepared,
  options: CommitOptions,
): Committed => {
  const { home } = options
  const known = loadRecords(home)
  const first = prepare(known)
  if (first.files.length === 0 && first.forgotten.length === 0) return { prepared: first, backups: [] }
  // Before anything is made in the home.
  for (const { content } of first.files) assertWritable(content, options.project)
  return runAlone(options, ({ willMake }) => {
    const before = loadRecords(home)
    // A file that has changed is seen when it is replaced; notes are only seen here.
    const prepared = isSame(before, known) ? first : prepare(before)
    for (const { content } of prepared.files) assertWritable(content, options.project)
    const changes = prepared.files.map(({ content: { target, bytes, mode }, ...to }) =>
      replacementOf(target, { bytes, mode }, { bytes: to.bytes, mode: to.mode }),
    )
    willMake(changes.map(({ temporary }) => temporary))
    return { prepared, backups: make(prepared, changes, before, options) }
  })
}

const make = (
  { files, forgotten }: Prepared,
  changes: readonly Replacement[],
  before: readonly FileRecord[],
  options: CommitOptions,
): string[] => {
  const { home, put } = options
  const fresh = files.map((file) => recorded(file, options))
  const gone = [...forgotten, ...files.map(({ content }) => content.path)]
  const others = before.filter(({ path }) => !gone.includes(path))
  const made = fresh.flatMap((one) => one ?? [])
  // Changes that are about to be undone stay recorded until they are.
  const ending = before.filter((old) => gone.includes(old.path) && !made.some(({ record }) => record.path === old.path))
  try {
    saveRecords(home, [...others, ...ending, ...made.map(({ record }) => record)])
    for (const { backup, bytes } of made) if (backup !== undefined && bytes) keepBackup(backup, bytes)
    replaceAll(changes, put)
  } catch (cause) {
    saveRecords(home, before)
    removeStrayBackups(home)
    throw cause
  }
  for (const record of ending) removeFolders(record)
  saveRecords(home, [...others, ...made.map(({ record }) => record)])
  removeStrayBackups(home)
  return made.flatMap(({ backup }) => backup ?? [])
}

type Recorded = { record: FileRecord; backup?: string; bytes?: Buffer }

const recorded = ({ content, record }: ChangedFile, { home, now }: CommitOptions): Recorded | undefined => {
  if (!record) return undefined
  const { before, ...rest } = record
  if (before !== undefined && before !== "as it is") return { record: { ...rest, before } }
  const { bytes, path } = content
  if (bytes === undefined) return { record: rest }
  const backup = backupPath(home, record.agent, path, now)
  if (before === "as it is") return { record: { ...rest, before: { hash: hashOf(bytes), backup } }, backup, bytes }
  if (rest.earlier !== undefined) return { record: rest }
  // It cannot be used to undo, but the person may want to look at it.
  return { record: { ...rest, copies: [...(rest.copies ?? []), backup] }, backup, bytes }
}

/** Folders that were made for a file go with it, unless they are used. */
const removeFolders = ({ folders = [] }: FileRecord): void => {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder)
    } catch {
      return
    }
  }
}
