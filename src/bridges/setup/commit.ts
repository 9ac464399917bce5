/** Makes prepared changes real: backups and notes first, then all files or none. */
import { rmdirSync, rmSync } from "node:fs"
import { assertWritable, type Write, writeAll, writeConfig } from "../config/config-file.ts"
import type { ChangedFile, Prepared } from "./prepare.ts"
import { type FileRecord, hashOf, keepBackup, loadRecords, saveRecords } from "./record.ts"

export type CommitOptions = {
  /** Headway's home. */
  home: string
  now: Date
  /** How a file is written. */
  write?: (change: Write) => void
}

/** Answers the backups that were made. */
export const commitChanges = (
  { files, forgotten }: Pick<Prepared, "files" | "forgotten">,
  options: CommitOptions,
): string[] => {
  const { home, write = writeConfig } = options
  for (const { content } of files) assertWritable(content)
  const before = loadRecords(home)
  const fresh = files.map((file) => recorded(file, options))
  const gone = [...forgotten, ...files.map(({ content }) => content.path)]
  const others = before.filter(({ path }) => !gone.includes(path))
  if (files.length === 0 && others.length === before.length) return []
  saveRecords(home, [...others, ...fresh.flatMap((record) => record ?? [])])
  try {
    writeAll(
      files.map(({ content: { target, bytes, mode }, ...to }) => ({
        from: { target, bytes, mode },
        to: { target, bytes: to.bytes, mode: to.mode },
      })),
      write,
    )
  } catch (cause) {
    saveRecords(home, before)
    throw cause
  }
  for (const file of files) tidy(file, before)
  return fresh.flatMap((record) => record?.before?.backup ?? [])
}

const recorded = ({ content, record }: ChangedFile, { home, now }: CommitOptions): FileRecord | undefined => {
  if (!record) return undefined
  const { before, ...rest } = record
  if (before !== undefined && before !== "as it is") return { ...rest, before }
  const { bytes, path } = content
  if (bytes === undefined) return rest
  // Kept even when it cannot be used to undo: the person may want to look at it.
  const backup = keepBackup(home, record.agent, path, bytes, now)
  return before === undefined ? rest : { ...rest, before: { hash: hashOf(bytes), backup } }
}

/** After undoing: a backup that was put back is not needed any more, nor are folders we made and nobody uses. */
const tidy = ({ content, bytes, isExact }: ChangedFile, before: readonly FileRecord[]): void => {
  const record = before.find(({ path }) => path === content.path)
  if (isExact && record?.before) rmSync(record.before.backup, { force: true })
  if (bytes !== undefined) return
  for (const folder of record?.folders?.toReversed() ?? []) {
    try {
      rmdirSync(folder)
    } catch {
      return
    }
  }
}
