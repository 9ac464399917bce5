/** Determines what set-up would change, file by file. Nothing is written. */
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { HeadwayError } from "../../plan/headway-error.ts"
import { bytesFor, type Content, formatOf, readConfig, unreadableFor } from "../config/config-file.ts"
import { type ConfigFormat, isSame, valueAt } from "../config/edit.ts"
import type { Agent, ConfigFile, Scope, Setting, Where } from "./agent-settings.ts"
import { editFile, naming } from "./edit-file.ts"
import { faultsIn, type Whose } from "./entry-faults.ts"
import { isOurServer, ourHooks, placeOf, programWords } from "./own-entries.ts"
import { type FileRecord, hashOf, isAsLeft } from "./record.ts"
import type { Wished } from "./wishes.ts"

/** A file that would change. */
export type ChangedFile = {
  content: Content
  /** Undefined when the file would go. */
  bytes: Buffer | undefined
  text: string
  mode: number
  /** What to remember of it; undefined when nothing of ours is left. */
  record: (Omit<FileRecord, "before"> & { before: "as it is" | FileRecord["before"] }) | undefined
  /** How it would be undone, for the person: only said when undoing. */
  isExact?: boolean
}

export type Prepared = {
  files: ChangedFile[]
  warnings: string[]
  /** Notes that are no longer needed, by the paths they are about. */
  forgotten: string[]
}

export type Subject = { agent: Agent; scope: Scope; where: Where; records: readonly FileRecord[] }

export const whoseOf = ({ scope, where: { project } }: Pick<Subject, "scope" | "where">): Whose => ({ scope, project })

export const prepareSetup = (subject: Subject, wishes: readonly Wished[]): Prepared => {
  const { agent, scope, records } = subject
  const whose = whoseOf(subject)
  const files: ChangedFile[] = []
  const warnings: string[] = []
  for (const { file, own } of byFile(wishes)) {
    const content = readConfig(file.path, subject.where)
    if (agent.needsItsOwnFile && content.bytes === undefined && own.some(({ wish }) => wish === "set"))
      throw new HeadwayError(
        "no-config",
        `There is no ${file.path}, and ${agent.title} does not start with one that has only Headway's settings. Create it first. Nothing was changed.`,
      )
    const noted = recordOf(records, agent, content.path)
    const old = currentRecord(noted, content, file, own)
    const edited = editFile(file, content, own, old, whose)
    const unreadable = own.some(({ wish }) => wish === "set") ? unreadableFor(file.reads, edited.text) : undefined
    if (unreadable) warnings.push(`${file.path}: ${unreadable} The agent ignores the file until that is fixed.`)
    warnings.push(...edited.replaced)
    const mode = modeFor(content, scope, own)
    if (edited.text === content.text && mode === content.mode) continue
    if (edited.text === "" && formatOf(file.reads).dropsFile) {
      files.push({ content, bytes: undefined, text: "", mode, record: undefined })
      continue
    }
    const bytes = bytesFor(content, edited.text)
    // Those of a run that was killed before it made the file are ours too.
    const folders = (content.bytes === undefined ? noted : old)?.folders ?? missingFolders(content.target)
    const before = beforeOf(content, own, old, formatOf(file.reads), whose)
    const copies = [...(old?.copies ?? []), ...(before === undefined && old?.before ? [old.before.backup] : [])]
    const record = {
      agent: agent.id,
      scope,
      path: file.path,
      before,
      after: hashOf(bytes),
      ...(old && content.bytes && isAsLeft(old, content.bytes) ? { earlier: hashOf(content.bytes) } : {}),
      ...(copies.length > 0 ? { copies } : {}),
      values: edited.values,
      made: edited.made,
      ...(folders.length > 0 ? { folders } : {}),
      ...modeBefore(content, mode, old),
    }
    files.push({ content, bytes, text: edited.text, mode, record })
  }
  return { files, warnings, forgotten: [] }
}

/** A new file of a project is for all who work in it; one that gets our token is for its owner alone. */
const modeFor = ({ bytes, mode }: Content, scope: Scope, wishes: readonly Wished[]): number => {
  if (wishes.some(({ setting, wish }) => wish === "set" && setting.kind === "server" && setting.isSecret))
    return mode & 0o700
  return bytes === undefined && scope === "project" ? 0o644 : mode
}

const modeBefore = ({ bytes, mode }: Content, now: number, old: FileRecord | undefined): { mode?: number } => {
  const before = old?.mode ?? (bytes === undefined || now === mode ? undefined : mode)
  return before === undefined ? {} : { mode: before }
}

export const recordOf = (records: readonly FileRecord[], agent: Agent, path: string): FileRecord | undefined =>
  records.find((one) => one.agent === agent.id && one.path === path)

/** What was noted, unless the person has since made the file their own again: nothing of ours is left in it. */
const currentRecord = (
  record: FileRecord | undefined,
  content: Content,
  file: ConfigFile,
  wishes: readonly Wished[],
): FileRecord | undefined => {
  if (!record || content.bytes === undefined) return undefined
  if (isAsLeft(record, content.bytes)) return record
  const root = naming(file.path, () => formatOf(file.reads).parse(content.text))
  const isAny =
    wishes.some(({ setting }) => isThere(setting, root)) ||
    record.values.some(({ path, value, isListed }) => {
      const there = valueAt(root, path)
      return isListed ? Array.isArray(there) && there.includes(value) : isSame(there, value)
    })
  return isAny ? record : undefined
}

export type Group = { file: ConfigFile; own: Wished[] }

export const byFile = (wishes: readonly Wished[]): Group[] => {
  const groups = new Map<string, Group>()
  for (const wished of wishes) {
    const { file } = wished.setting
    const group = groups.get(file.path) ?? { file, own: [] }
    group.own.push(wished)
    groups.set(file.path, group)
  }
  return [...groups.values()]
}

/** Whether undoing can put the file back as it was: not when it already held something of ours that is not noted. */
const beforeOf = (
  content: Content,
  wishes: readonly Wished[],
  old: FileRecord | undefined,
  format: ConfigFormat,
  whose: Whose,
): "as it is" | FileRecord["before"] => {
  if (content.bytes === undefined) return null
  if (old && isAsLeft(old, content.bytes)) return old.before
  const root = format.parse(content.text)
  // What only looks like ours came with the file, unless set-up was here before.
  const isOurs = (setting: Setting): boolean =>
    isThere(setting, root) && (old !== undefined || faultsIn(setting, root, whose).length === 0)
  return wishes.some(({ setting }) => isOurs(setting)) ? undefined : "as it is"
}

/** Whether there is already something that is one of our parts, or looks like one. */
const isThere = (setting: Setting, root: Record<string, unknown>): boolean => {
  const { kind } = setting
  const value = valueAt(root, placeOf(setting, root))
  if (kind === "server") return isOurServer(value)
  if (kind === "program") return programWords(value) !== undefined
  return kind === "hook" && ourHooks(value).length > 0
}

const missingFolders = (path: string): string[] => {
  const folder = dirname(path)
  return existsSync(folder) || folder === path ? [] : [...missingFolders(folder), folder]
}
