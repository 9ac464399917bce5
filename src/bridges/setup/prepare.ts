/** Works out what set-up or its undoing would change, file by file. Nothing is written. */
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { HeadwayError, isHeadwayError } from "../../plan/headway-error.ts"
import type { Agent, ConfigFile, Scope, Setting, Where } from "../agents/agent.ts"
import { bytesFor, type Content, formatOf, readConfig, unreadableFor } from "../config/config-file.ts"
import {
  applyEdits,
  type ConfigFormat,
  isContainer,
  isSame,
  missingOnTheWay,
  type Path,
  valueAt,
} from "../config/edit.ts"
import { type FileRecord, hashOf, type NotedValue, readBackup } from "./record.ts"
import { editsToRemove, editsToSet, noteOf, ourHooks, serverWords } from "./setting-edits.ts"
import { type Wished, wishesToUndo } from "./wishes.ts"

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
  /** Notes that are not needed any more, by the paths they are about. */
  forgotten: string[]
}

type Subject = { agent: Agent; scope: Scope; where: Where; records: readonly FileRecord[] }

export const prepareSetup = (subject: Subject, wishes: readonly Wished[]): Prepared => {
  const { agent, scope, records } = subject
  const files: ChangedFile[] = []
  const warnings: string[] = []
  for (const { file, own } of byFile(wishes)) {
    const content = readConfig(file.path)
    const old = currentRecord(recordOf(records, agent, content.path), content, file, own)
    const edited = naming(file.path, () => edit(file, content, own, old))
    const unreadable = own.some(({ wish }) => wish === "set") ? unreadableFor(file.reads, edited.text) : undefined
    if (unreadable) warnings.push(`${file.path}: ${unreadable} Until that is gone, nothing in it counts.`)
    if (edited.text === content.text) continue
    const bytes = bytesFor(content, edited.text)
    const folders = old?.folders ?? missingFolders(content.target)
    const record = {
      agent: agent.id,
      scope,
      path: file.path,
      before: beforeOf(content, own, old, formatOf(file.reads)),
      after: hashOf(bytes),
      values: edited.values,
      made: edited.made,
      ...(folders.length > 0 ? { folders } : {}),
    }
    const mode = content.bytes === undefined && scope === "project" ? 0o644 : content.mode
    files.push({ content, bytes, text: edited.text, mode, record })
  }
  return { files, warnings, forgotten: [] }
}

/** Byte for byte where nobody touched the file since; else only our parts go. */
export const prepareUndo = (subject: Subject): Prepared => {
  const { agent, scope, where, records } = subject
  const own = records.filter((one) => one.agent === agent.id && one.scope === scope && isHere(one, where))
  const files: ChangedFile[] = []
  const groups = byFile([...tracesOf(agent, where, scope), ...wishesToUndo(agent, where, scope)])
  // A file noted down that the agent would not look at now, because another one has come.
  for (const { path } of own.filter((one) => !groups.some(({ file }) => file.path === one.path))) {
    const file: ConfigFile = { path, reads: path.endsWith(".toml") ? "TOML" : "plain JSON" }
    const wishes = wishesToUndo(agent, where, scope)
    groups.push({ file, own: wishes.map(({ setting, wish }) => ({ setting: { ...setting, file }, wish })) })
  }
  for (const { file, own: wishes } of groups) {
    const content = readConfig(file.path)
    const record = recordOf(own, agent, file.path)
    if (content.bytes === undefined) continue
    const whole = record && restored(content, record)
    if (whole) {
      files.push({ ...whole, content, mode: content.mode, record: undefined, isExact: true })
      continue
    }
    const edited = naming(file.path, () => edit(file, content, wishes, record))
    if (edited.text === content.text) continue
    const isEmpty = record?.before === null && isSame(formatOf(file.reads).parse(edited.text), {})
    const bytes = isEmpty ? undefined : bytesFor(content, edited.text)
    const text = isEmpty ? "" : edited.text
    files.push({ content, bytes, text, mode: content.mode, record: undefined, isExact: false })
  }
  return { files, warnings: [], forgotten: own.map(({ path }) => path) }
}

/** What the agent noted about our hooks goes before them, as it goes by their places. */
const tracesOf = (agent: Agent, where: Where, scope: Scope): Wished[] =>
  (agent.hooks?.("", where, scope) ?? []).flatMap(({ file, path }) => {
    const root = naming(file.path, () => formatOf(file.reads).parse(readConfig(file.path).text))
    return ourHooks(valueAt(root, path)).flatMap((own): Wished[] => {
      const trust = agent.hookTrust?.(where, file, { event: String(path.at(-1)), ...own })
      return trust ? [{ setting: { kind: "trace", value: null, ...trust }, wish: "remove" }] : []
    })
  })

const isHere = ({ scope, path }: FileRecord, { project }: Where): boolean =>
  scope === "user" || path.startsWith(project)

const recordOf = (records: readonly FileRecord[], agent: Agent, path: string): FileRecord | undefined =>
  records.find((one) => one.agent === agent.id && one.path === path)

/** What was noted, unless the person has since made the file their own again: nothing of ours is left in it. */
const currentRecord = (
  record: FileRecord | undefined,
  content: Content,
  file: ConfigFile,
  wishes: readonly Wished[],
): FileRecord | undefined => {
  if (!record || content.bytes === undefined) return undefined
  if (record.after === hashOf(content.bytes)) return record
  const root = naming(file.path, () => formatOf(file.reads).parse(content.text))
  const isAny =
    wishes.some(({ setting }) => isThere(setting, root)) ||
    record.values.some(({ path, value, isListed }) => {
      const there = valueAt(root, path)
      return isListed ? Array.isArray(there) && there.includes(value) : isSame(there, value)
    })
  return isAny ? record : undefined
}

const restored = (content: Content, record: FileRecord): { bytes: Buffer | undefined; text: string } | undefined => {
  if (content.bytes === undefined || hashOf(content.bytes) !== record.after) return undefined
  if (record.before === null) return { bytes: undefined, text: "" }
  const bytes = readBackup(record)
  return bytes && { bytes, text: bytes.toString("utf8").replace(/^\ufeff/, "") }
}

type Group = { file: ConfigFile; own: Wished[] }

const byFile = (wishes: readonly Wished[]): Group[] => {
  const groups = new Map<string, Group>()
  for (const wished of wishes) {
    const { file } = wished.setting
    const group = groups.get(file.path) ?? { file, own: [] }
    group.own.push(wished)
    groups.set(file.path, group)
  }
  return [...groups.values()]
}

/** Errors about a file name it. */
const naming = <Result>(path: string, work: () => Result): Result => {
  try {
    return work()
  } catch (cause) {
    if (!isHeadwayError(cause)) throw cause
    throw new HeadwayError(cause.code, `${path}: ${cause.message} Nothing was changed.`, { cause })
  }
}

type Edited = { text: string; values: NotedValue[]; made: Path[] }

const edit = (file: ConfigFile, content: Content, wishes: readonly Wished[], old: FileRecord | undefined): Edited => {
  const format = formatOf(file.reads)
  const done: Edited = { text: content.text, values: [...(old?.values ?? [])], made: [...(old?.made ?? [])] }
  format.parse(content.text)
  for (const { setting, wish } of wishes) {
    const root = format.parse(done.text)
    const edits = wish === "set" ? editsToSet(setting, root) : editsToRemove(setting, root, done.values)
    if (edits.length === 0) continue
    if (wish === "set") {
      done.values = merged(done.values, noteOf(setting, root))
      for (const path of edits.flatMap((one) => missingOnTheWay(root, one)))
        if (!has(done.made, path)) done.made.push(path)
    } else {
      done.values = done.values.filter(
        ({ path, value }) => !(isSame(path, setting.path) && isSame(value, setting.value)),
      )
    }
    done.text = applyEdits(format, done.text, edits)
    if (wish === "remove") done.text = withoutEmpty(format, done)
  }
  return done
}

const has = (paths: readonly Path[], path: Path): boolean => paths.some((one) => isSame(one, path))

/** What stood there before the first time is what counts. */
const merged = (old: readonly NotedValue[], fresh: readonly NotedValue[]): NotedValue[] => {
  const isSameNote = (one: NotedValue, other: NotedValue): boolean =>
    isSame(one.path, other.path) && (!one.isListed || one.value === other.value)
  const kept = old.filter((one) => !fresh.some((note) => isSameNote(note, one)))
  const renewed = fresh.map(({ before, ...note }): NotedValue => {
    const known = old.find((one) => isSameNote(note, one))
    const first = known ? known.before : before
    return first === undefined ? note : { ...note, before: first }
  })
  return [...kept, ...renewed]
}

/** What we made for our parts goes with the last of them. */
const withoutEmpty = (format: ConfigFormat, { text, made }: Edited): string =>
  made
    .toSorted((one, other) => other.length - one.length)
    .reduce((now, path) => {
      const value = valueAt(format.parse(now), path)
      const isEmpty = isContainer(value) && Object.keys(value).length === 0
      return isEmpty ? applyEdits(format, now, [{ type: "remove", path }]) : now
    }, text)

/** Whether undoing can put the file back as it was: not when it already held something of ours that is not noted. */
const beforeOf = (
  content: Content,
  wishes: readonly Wished[],
  old: FileRecord | undefined,
  format: ConfigFormat,
): "as it is" | FileRecord["before"] => {
  if (content.bytes === undefined) return null
  if (old && old.after === hashOf(content.bytes)) return old.before
  const root = format.parse(content.text)
  return wishes.some(({ setting }) => isThere(setting, root)) ? undefined : "as it is"
}

/** Whether one of our parts that can be recognised stands there. */
const isThere = ({ kind, path }: Setting, root: Record<string, unknown>): boolean => {
  const value = valueAt(root, path)
  if (kind === "server") return serverWords(value) !== undefined
  return kind === "hook" && ourHooks(value).length > 0
}

const missingFolders = (path: string): string[] => {
  const folder = dirname(path)
  return existsSync(folder) || folder === path ? [] : [...missingFolders(folder), folder]
}
