/** Plans as files in Headway's home: a journal that is the truth, a published list others can read, a cache to be quick. */
import { existsSync, readFileSync, realpathSync, rmSync, statSync, unlinkSync } from "node:fs"
import { basename, dirname, join, sep } from "node:path"
import { hashedNameOf, nameOf } from "../home/file-names.ts"
import { makeFolder, removeOrphans, replaceFile, syncFolder } from "../home/write-file.ts"
import { HeadwayError, isHeadwayError, type Problem, warning } from "../plan/index.ts"
import { type Index, loadIndex, saveIndex, unreadOf } from "./_index.ts"
import { appendToJournal, isUnchanged, markOf, readJournal, readOwner } from "./_journal.ts"
import { problemsOf } from "./_lines.ts"
import { lookAtJournal, ownerOf } from "./_look.ts"
import { publishList, readPublished } from "./_published.ts"
import { isSnapshotDue, loadSnapshot, saveSnapshot } from "./_snapshots.ts"
import { journalNames, sweepJournals } from "./_sweep.ts"
import type { PlanKey, Store } from "./store.ts"

/** The files of one plan. */
type Paths = { journal: string; list: string; snapshot: string; mark: string }

export type FileStoreOptions = {
  home: string
  /** Plans lie in a project: what only this machine needs is kept out of its repository. */
  isInProject?: boolean
}

export const createFileStore = ({ home, isInProject = false }: FileStoreOptions): Store => {
  const journals = join(home, "journal")
  const lists = join(home, "todos")
  const cache = join(home, "cache")
  const temporary = join(home, "tmp")
  const index = join(cache, "plans.json")
  const names = new Map<string, string>()
  const snapshotOffsets = new Map<string, number>()
  let isPrepared = false

  /** The plain name, unless a disk that ignores case gave it to other ids before. */
  const nameFor = (key: PlanKey): string => {
    const id = JSON.stringify([key.session, key.agent])
    const known = names.get(id)
    if (known !== undefined) return known
    const plain = nameOf(key)
    const other = nameOnDisk(join(journals, `${plain}.jsonl`)) ?? plain
    const isTaken = other !== plain && other.toLowerCase() === plain.toLowerCase()
    const name = isTaken ? hashedNameOf(key) : plain
    names.set(id, name)
    return name
  }

  const filesOf = (name: string): Paths => ({
    journal: join(journals, `${name}.jsonl`),
    list: join(lists, `${name}.json`),
    snapshot: join(cache, `${name}.json`),
    mark: join(cache, `${name}.published.json`),
  })

  /** Looked up with every write; the tracker of a plan always comes with the same key. */
  const paths = new WeakMap<PlanKey, Paths>()
  const pathsOf = (key: PlanKey): Paths => {
    const known = paths.get(key)
    if (known) return known
    const made = filesOf(nameFor(key))
    paths.set(key, made)
    return made
  }
  const journalOf = (key: PlanKey): string => pathsOf(key).journal
  const listOf = (key: PlanKey): string => pathsOf(key).list
  const snapshotOf = (key: PlanKey): string => pathsOf(key).snapshot
  const publishedMarkOf = (key: PlanKey): string => pathsOf(key).mark

  const prepare = (): void => {
    if (isPrepared) return
    const isNew = !existsSync(journals)
    for (const folder of [home, journals, lists, cache, temporary]) makeFolder(folder)
    if (isNew) for (const folder of [home, dirname(home)]) syncFolder(folder)
    const ignored = join(home, ".gitignore")
    if (isInProject && !existsSync(ignored)) replaceFile(ignored, "cache/\ntmp/\nsessions/\nerrors.log\n", temporary)
    isPrepared = true
  }

  /** Does something in the home, which somebody may have removed since it was made. */
  const inHome = <Result>(action: () => Result): Result => {
    prepare()
    try {
      return action()
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause
      isPrepared = false
      prepare()
      return action()
    }
  }

  removeOrphans(temporary)

  return {
    name: `file:${home}`,
    isPersistent: true,
    async load(key, from) {
      const path = journalOf(key)
      const mark = markOf(from)
      if (isUnchanged(path, mark)) return { entries: [], cursor: mark, problems: [] }
      return orExplain(path, "read", () => readJournal(path, mark))
    },
    async append(key, entry, from) {
      const path = journalOf(key)
      return orExplain(path, "written", () => inHome(() => appendToJournal(path, entry, markOf(from))))
    },
    async publish(key, plan, change) {
      const list = listOf(key)
      return orExplain(list, "written", () =>
        inHome(() => publishList({ list, mark: publishedMarkOf(key), temporary }, plan, change)),
      )
    },
    async readList(key) {
      const path = listOf(key)
      return existsSync(path) ? (readPublished(readFileSync(path, "utf8")).items ?? []) : []
    },
    wantsSnapshot: (key, cursor) =>
      isSnapshotDue(snapshotOf(key), snapshotOffsets.get(snapshotOf(key)) ?? 0, markOf(cursor)),
    async readSnapshot(key) {
      const snapshot = loadSnapshot(snapshotOf(key), journalOf(key))
      snapshotOffsets.set(snapshotOf(key), markOf(snapshot?.cursor).offset)
      // Revisions count from the start of a journal: those of another one say nothing about the list.
      if (!snapshot && existsSync(publishedMarkOf(key))) ignoring(() => unlinkSync(publishedMarkOf(key)))
      return snapshot
    },
    async writeSnapshot(key, { cursor, state }) {
      const mark = markOf(cursor)
      snapshotOffsets.set(snapshotOf(key), mark.offset)
      orExplain(snapshotOf(key), "written", () => saveSnapshot(snapshotOf(key), mark, state, temporary))
    },
    async list() {
      const known = loadIndex(index)
      const { found, problems, isNew } = orExplain(journals, "read", () => indexPlans(journals, known))
      if (isNew) ignoring(() => saveIndex(index, found, temporary))
      return { plans: [...found.values()].flatMap(({ summary }) => summary ?? []), problems }
    },
    async watch(listener) {
      orExplain(journals, "watched", prepare)
      const { watchFolder } = await import("./_watch.ts")
      const owners = new Map<string, PlanKey | undefined>()
      return watchFolder(journals, (file) => {
        if (!file.endsWith(".jsonl")) return
        const name = file.replace(/\.jsonl$/, "")
        const key = owners.get(name) ?? ownerOf(name, readOwner(join(journals, file)))
        owners.set(name, key)
        if (key) listener(key)
      })
    },
    async remove(key) {
      for (const path of [journalOf(key), listOf(key), snapshotOf(key), publishedMarkOf(key)]) {
        orExplain(path, "removed", () => rmSync(path, { force: true }))
      }
    },
    async sweep(condition) {
      const { found, problems } = orExplain(journals, "read", () => indexPlans(journals, loadIndex(index)))
      const held = [...found].flatMap(([name, { summary }]) => (summary && condition(summary) ? [name] : []))
      const swept = sweepJournals(held, {
        folder: journals,
        condition,
        forget: (name) => {
          const { list, snapshot, mark } = filesOf(name)
          for (const path of [list, snapshot, mark]) rmSync(path, { force: true })
        },
        publish: (name, plan) => void publishList({ ...filesOf(name), temporary }, plan, undefined),
      })
      return { removed: swept.removed, problems: [...problems, ...swept.problems] }
    },
    async close() {},
  }
}

/** Summaries of all journals of a folder: known ones as they are, new and changed ones folded. */
const indexPlans = (folder: string, known: Index): { found: Index; problems: Problem[]; isNew: boolean } => {
  const found: Index = new Map()
  const problems: Problem[] = []
  let isNew = false
  for (const name of journalNames(folder)) {
    const path = `${folder}${sep}${name}.jsonl`
    try {
      const stats = statSync(path, { throwIfNoEntry: false })
      if (!stats) continue
      const { size, ctimeMs: time } = stats
      const old = known.get(name)
      const isOld = old?.size === size && old.time === time
      const row = isOld ? old : { size, time, ...lookAtJournal(path, name) }
      found.set(name, row)
      if (unreadOf(row.skipped) > 0) problems.push(...problemsOf(path, row.skipped))
      if (!isOld) isNew = true
    } catch (cause) {
      problems.push(warning("unreadable-plan", `${path} could not be read: ${reasonOf(cause)}`))
    }
  }
  return { found, problems, isNew: isNew || found.size !== known.size }
}

/** How a journal is really spelled on the disk: what it says of itself could be anything. */
const nameOnDisk = (path: string): string | undefined => {
  try {
    return basename(realpathSync.native(path), ".jsonl")
  } catch {
    return undefined
  }
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** A cache that cannot be written is only slower. */
const ignoring = (action: () => void): void => {
  try {
    action()
  } catch {}
}

/** What the system refuses is said in a sentence that names the file. */
const orExplain = <Result>(path: string, what: string, action: () => Result): Result => {
  try {
    return action()
  } catch (cause) {
    if (isHeadwayError(cause)) throw cause
    throw new HeadwayError("store-failed", `${path} could not be ${what}: ${reasonOf(cause)}`, { cause })
  }
}
