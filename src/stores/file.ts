/** Plans as files in Headway's home: a journal that is the truth, a published list others can read, a cache to be quick. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, unlinkSync } from "node:fs"
import { join, sep } from "node:path"
import { hashedNameOf, keyOf, nameOf } from "../home/file-names.ts"
import { makeFolder, removeOrphans, replaceFile } from "../home/write-file.ts"
import { createFold, HeadwayError, isHeadwayError, type Problem, warning } from "../plan/index.ts"
import { type Index, loadIndex, saveIndex } from "./_index.ts"
import { appendToJournal, isUnchanged, type ReadJournal, readJournal, readOwner } from "./_journal.ts"
import { publishList, readPublished } from "./_published.ts"
import { isSnapshotDue, loadSnapshot, saveSnapshot } from "./_snapshots.ts"
import { summarise } from "./_summary.ts"
import type { Cursor, Loaded, PlanKey, PlanSummary, Store } from "./store.ts"

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
  const snapshotCursors = new Map<string, Cursor>()
  /** Journals whose last line has no end: the next entry must not be glued to it. */
  const openEnded = new Set<string>()
  let isPrepared = false

  /** The plain name, unless a disk that ignores case gave it to other ids before. */
  const nameFor = (key: PlanKey): string => {
    const id = JSON.stringify([key.session, key.agent])
    const known = names.get(id)
    if (known !== undefined) return known
    const plain = nameOf(key)
    const owner = readOwner(join(journals, `${plain}.jsonl`))
    // A name that leads to no plan yet is not remembered: there is no end of such names.
    if (!owner) return plain
    const other = nameOf(owner)
    const isTaken = other !== plain && other.toLowerCase() === plain.toLowerCase()
    const name = isTaken ? hashedNameOf(key) : plain
    names.set(id, name)
    return name
  }

  /** Looked up with every write; the tracker of a plan always comes with the same key. */
  const paths = new WeakMap<PlanKey, Paths>()
  const pathsOf = (key: PlanKey): Paths => {
    const known = paths.get(key)
    if (known) return known
    const name = nameFor(key)
    const made = {
      journal: join(journals, `${name}.jsonl`),
      list: join(lists, `${name}.json`),
      snapshot: join(cache, `${name}.json`),
      mark: join(cache, `${name}.published.json`),
    }
    paths.set(key, made)
    return made
  }
  const journalOf = (key: PlanKey): string => pathsOf(key).journal
  const listOf = (key: PlanKey): string => pathsOf(key).list
  const snapshotOf = (key: PlanKey): string => pathsOf(key).snapshot
  const markOf = (key: PlanKey): string => pathsOf(key).mark

  const prepare = (): void => {
    if (isPrepared) return
    for (const folder of [home, journals, lists, cache, temporary]) makeFolder(folder)
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

  const noted = (path: string, { endsOpen, ...loaded }: ReadJournal): Loaded => {
    if (endsOpen) openEnded.add(path)
    else openEnded.delete(path)
    return loaded
  }

  removeOrphans(temporary)

  return {
    name: `file:${home}`,
    isPersistent: true,
    async load(key, from = 0) {
      const path = journalOf(key)
      if (!openEnded.has(path) && isUnchanged(path, from)) return { entries: [], cursor: from, problems: [] }
      return orExplain(path, "read", () => noted(path, readJournal(path, from)))
    },
    async append(key, entry, from = 0) {
      const path = journalOf(key)
      return orExplain(path, "written", () =>
        inHome(() => noted(path, appendToJournal(path, entry, openEnded.has(path), from))),
      )
    },
    async publish(key, plan, change) {
      const list = listOf(key)
      return orExplain(list, "written", () =>
        inHome(() => publishList({ list, mark: markOf(key), temporary }, plan, change)),
      )
    },
    async readList(key) {
      const path = listOf(key)
      return existsSync(path) ? (readPublished(readFileSync(path, "utf8")).items ?? []) : []
    },
    wantsSnapshot: (key, cursor) => isSnapshotDue(snapshotOf(key), snapshotCursors.get(snapshotOf(key)) ?? 0, cursor),
    async readSnapshot(key) {
      const snapshot = loadSnapshot(snapshotOf(key), journalOf(key))
      if (snapshot) snapshotCursors.set(snapshotOf(key), snapshot.cursor)
      else snapshotCursors.delete(snapshotOf(key))
      // Revisions count from the start of a journal: those of another one say nothing about the list.
      if (!snapshot && existsSync(markOf(key))) ignoring(() => unlinkSync(markOf(key)))
      return snapshot
    },
    async writeSnapshot(key, snapshot) {
      snapshotCursors.set(snapshotOf(key), snapshot.cursor)
      orExplain(snapshotOf(key), "written", () => saveSnapshot(snapshotOf(key), journalOf(key), snapshot, temporary))
    },
    async list() {
      const known = loadIndex(index)
      const { found, problems, isNew } = orExplain(journals, "read", () => indexPlans(journals, known))
      if (isNew) ignoring(() => saveIndex(index, found, temporary))
      return { plans: [...found.values()].map(({ summary }) => summary), problems }
    },
    async watch(listener) {
      orExplain(journals, "watched", prepare)
      const { watchFolder } = await import("./_watch.ts")
      const owners = new Map<string, PlanKey | undefined>()
      return watchFolder(journals, (file) => {
        const name = file.replace(/\.jsonl$/, "")
        const key = keyOf(name) ?? owners.get(name) ?? readOwner(join(journals, file))
        owners.set(name, key)
        if (key) listener(key)
      })
    },
    async remove(key) {
      for (const path of [journalOf(key), listOf(key), snapshotOf(key), markOf(key)]) {
        orExplain(path, "removed", () => rmSync(path, { force: true }))
      }
    },
    async close() {},
  }
}

/** Summaries of all journals of a folder: known ones as they are, new and changed ones folded. */
const indexPlans = (folder: string, known: Index): { found: Index; problems: Problem[]; isNew: boolean } => {
  const found: Index = new Map()
  const problems: Problem[] = []
  const names = journalNames(folder)
  let isNew = known.size !== names.length
  for (const name of names) {
    const path = `${folder}${sep}${name}.jsonl`
    try {
      const { size, mtimeMs: time } = statSync(path)
      const old = known.get(name)
      if (old?.size === size && old.time === time) {
        found.set(name, old)
        continue
      }
      const { summary, problems: met } = readSummary(path, name)
      problems.push(...met)
      if (summary) found.set(name, { size, time, summary })
      isNew = true
    } catch (cause) {
      problems.push(warning("unreadable-plan", `${path} could not be read: ${reasonOf(cause)}`))
    }
  }
  return { found, problems, isNew }
}

const readSummary = (path: string, name: string): { summary: PlanSummary | undefined; problems: Problem[] } => {
  const fold = createFold()
  const { entries, problems } = readJournal(path)
  for (const entry of entries) fold.add(entry)
  const key = fold.ledger.opened ?? keyOf(name)
  return { summary: key && fold.ledger.entries > 0 ? summarise(key, fold) : undefined, problems }
}

const journalNames = (folder: string): string[] => {
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith(".jsonl") ? [name.slice(0, -".jsonl".length)] : []))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return []
    throw cause
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
