/** One file of an agent with our settings added or removed, and the record needed to undo that. */
import { HeadwayError, isHeadwayError } from "../../plan/headway-error.ts"
import { type Content, formatOf } from "../config/config-file.ts"
import {
  applyEdits,
  type ConfigFormat,
  isContainer,
  isSame,
  missingOnTheWay,
  type Path,
  settingNameOf,
  valueAt,
} from "../config/edit.ts"
import type { ConfigFile, Setting } from "./agent-settings.ts"
import { faultsIn, type Whose } from "./entry-faults.ts"
import type { FileRecord, NotedValue } from "./record.ts"
import { editsToRemove, editsToSet, noteOf } from "./setting-edits.ts"
import type { Wished } from "./wishes.ts"

export type Edited = {
  text: string
  values: NotedValue[]
  made: Path[]
  /** What looked like ours and was not, and is replaced: sentences for the person. */
  replaced: string[]
}

export const editFile = (
  file: ConfigFile,
  content: Content,
  wishes: readonly Wished[],
  old: FileRecord | undefined,
  whose: Whose,
): Edited => naming(file.path, () => editText(file, content, wishes, old, whose))

const editText = (
  file: ConfigFile,
  content: Content,
  wishes: readonly Wished[],
  old: FileRecord | undefined,
  whose: Whose,
): Edited => {
  const format = formatOf(file.reads)
  const done: Edited = {
    text: content.text,
    values: [...(old?.values ?? [])],
    made: [...(old?.made ?? [])],
    replaced: [],
  }
  format.parse(content.text)
  for (const { setting, wish } of wishes) {
    const root = format.parse(done.text)
    const edits = wish === "set" ? editsToSet(setting, root, whose) : editsToRemove(setting, root, done.values)
    if (edits.length === 0) continue
    if (edits.length > mostEdits) throw tooMany(setting.path, edits.length)
    if (wish === "set") {
      done.values = merged(done.values, noteOf(setting, root))
      done.replaced.push(...replacedBy(setting, root, whose))
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

/** For one setting. Each reads the whole file again, and a repository may hold any file. */
const mostEdits = 20

const tooMany = (path: Path, count: number): HeadwayError =>
  new HeadwayError(
    "unexpected-config",
    `${settingNameOf(path)} has ${count} entries that look like Headway's, and at most ${mostEdits} are changed at once. Remove them yourself, then try again.`,
  )

const replacedBy = (setting: Setting, root: Record<string, unknown>, whose: Whose): string[] => {
  const how = whose.scope === "project" ? "It is replaced as a whole." : "Its call is replaced."
  return faultsIn(setting, root, whose).map(
    (fault) => `${setting.file.path}: ${settingNameOf(setting.path)} is not as set-up writes it: ${fault}. ${how}`,
  )
}

const has = (paths: readonly Path[], path: Path): boolean => paths.some((one) => isSame(one, path))

/** The value before the first change is what counts. */
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

/** Errors about a file name it. */
export const naming = <Result>(path: string, work: () => Result): Result => {
  try {
    return work()
  } catch (cause) {
    if (!isHeadwayError(cause)) throw cause
    throw new HeadwayError(cause.code, `${path}: ${cause.message} Nothing was changed.`, { cause })
  }
}
