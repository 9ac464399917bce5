/** Plans as files in Headway's home: a journal that is the truth, a published list others can read, a cache to be quick. */
import { closeSync, existsSync, lstatSync, readdirSync, rmSync, unlinkSync } from "node:fs"
import { join, sep } from "node:path"
import { hashedNameOf, keyOf, nameOf } from "../home/file-names.ts"
import { assertOwnFolder } from "../home/own-folder.ts"
import { readPlainFile } from "../home/read-file.ts"
import type { Seal } from "../home/seal.ts"
import { makeFolder, makeFolderInside, openToAppend, removeOrphans, replaceFile } from "../home/write-file.ts"
import { createFold, type Entry, HeadwayError, isHeadwayError, type Problem, warning } from "../plan/index.ts"
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
  /** The home is a folder in a repository. */
  project?: ProjectOptions
}

/** Plans in a repository are data of others, too: what only this machine needs is kept out of it. */
export type ProjectOptions = {
  /** Where caches lie instead. */
  local: string
  /** Tells the entries written on this machine from those that came with the repository. */
  seal: (place: readonly string[]) => Seal
  /** The person has not said that the repository may be used: it is only read. */
  isReadOnly: boolean
  /** Called before the folder is made. */
  onBegin?: () => void
}

export const createFileStore = ({ home, project }: FileStoreOptions): Store => {
  const journals = join(home, "journal")
  const lists = join(home, "todos")
  const local = project?.local ?? home
  const cache = join(local, "cache")
  /** Where files come from must be on the same disk as where they go. */
  const temporary = join(home, "tmp")
  const localTemporary = join(local, "tmp")
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
    const other = owner ? nameOf(owner) : plain
    const isTaken = owner
      ? other !== plain && other.toLowerCase() === plain.toLowerCase()
      : existsSync(join(journals, `${plain}.jsonl`)) && existsSync(join(journals, `${hashedNameOf(key)}.jsonl`))
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

  /**
   * Sessions whose names differ only in case may begin at the same moment. On a disk that ignores case the folder shows one
   * name for the file they both made, and whose name that is has it.
   */
  const beginJournal = (key: PlanKey): void => {
    const plain = nameOf(key)
    const path = join(journals, `${plain}.jsonl`)
    if (journalOf(key) !== path) return
    closeSync(openToAppend(path))
    if (readdirSync(journals).includes(`${plain}.jsonl`)) return
    giveHashedName(key)
  }

  const giveHashedName = (key: PlanKey): void => {
    names.set(JSON.stringify([key.session, key.agent]), hashedNameOf(key))
    paths.delete(key)
  }

  const prepare = (): void => {
    if (isPrepared) return
    assertWritable()
    if (project && !existsSync(home)) project.onBegin?.()
    for (const folder of [home, local]) makeFolder(folder)
    // Another user may have been quicker to make it.
    assertOwnFolder(home)
    for (const folder of [journals, lists, cache, temporary, localTemporary]) makeFolderInside(folder)
    const ignored = join(home, ".gitignore")
    if (project && !existsSync(ignored)) replaceFile(ignored, "tmp/\n", temporary)
    isPrepared = true
  }

  const isReadOnly = project?.isReadOnly === true

  const assertWritable = (): void => {
    if (isReadOnly) throw notTrusted(home)
    assertOwnFolder(home)
    if (project) assertOwnFolder(local)
  }

  const sealFor = ({ session, agent }: PlanKey): Seal | undefined => project?.seal([home, session, agent])

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

  if (!isReadOnly) for (const folder of new Set([temporary, localTemporary])) removeOrphans(folder)

  return {
    name: `file:${home}`,
    isPersistent: true,
    async load(key, from = 0) {
      const path = journalOf(key)
      if (!openEnded.has(path) && isUnchanged(path, from)) return { entries: [], cursor: from, problems: [] }
      const loaded = orExplain(path, "read", () => noted(path, readJournal(path, from, sealFor(key))))
      if (from > 0 || !isOfAnother(key, loaded.entries)) return loaded
      giveHashedName(key)
      return this.load(key)
    },
    async append(key, entry, from = 0) {
      return orExplain(journalOf(key), "written", () =>
        inHome(() => {
          if (from === 0) beginJournal(key)
          const path = journalOf(key)
          return noted(path, appendToJournal(path, entry, openEnded.has(path), from, sealFor(key)))
        }),
      )
    },
    async publish(key, plan, change) {
      const list = listOf(key)
      if (isReadOnly) return undefined
      return orExplain(list, "written", () =>
        inHome(() => publishList({ list, mark: markOf(key), temporary, markTemporary: localTemporary }, plan, change)),
      )
    },
    async readList(key) {
      const path = listOf(key)
      if (!existsSync(path) || isReadOnly) return []
      const { items = [] } = readPublished(readPlainFile(path).toString("utf8"))
      // On a disk that ignores case it may be the list of another plan, which has begun since the name was looked up.
      const owner = readOwner(journalOf(key))
      return owner && nameOf(owner) !== nameOf(key) ? [] : items
    },
    wantsSnapshot: (key, cursor) =>
      !isReadOnly && isSnapshotDue(snapshotOf(key), snapshotCursors.get(snapshotOf(key)) ?? 0, cursor),
    async readSnapshot(key) {
      const snapshot = loadSnapshot(snapshotOf(key), journalOf(key))
      snapshotCursors.set(snapshotOf(key), snapshot?.cursor ?? 0)
      // Revisions count from the start of a journal: those of another one say nothing about the list.
      if (!snapshot && !isReadOnly && existsSync(markOf(key))) ignoring(() => unlinkSync(markOf(key)))
      return snapshot
    },
    async writeSnapshot(key, snapshot) {
      snapshotCursors.set(snapshotOf(key), snapshot.cursor)
      orExplain(snapshotOf(key), "written", () =>
        saveSnapshot(snapshotOf(key), journalOf(key), snapshot, localTemporary),
      )
    },
    async list() {
      const known = loadIndex(index)
      const { found, problems, isNew } = orExplain(journals, "read", () => indexPlans(journals, known, sealFor))
      if (isNew && !isReadOnly) ignoring(() => saveIndex(index, found, localTemporary))
      return { plans: [...found.values()].map(({ summary }) => summary), problems }
    },
    async watch(listener) {
      if (!isReadOnly) orExplain(journals, "watched", prepare)
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
      assertWritable()
      // The journal last: while it is there the plan is listed, and removing it can be tried again.
      for (const path of [listOf(key), snapshotOf(key), markOf(key), journalOf(key)]) {
        orExplain(path, "removed", () => rmSync(path, { force: true }))
      }
    },
    async close() {},
  }
}

/** Whether a journal was begun, since its name was looked up, for ids that differ from these only in case. */
const isOfAnother = (key: PlanKey, [first]: readonly Entry[]): boolean => {
  const opened = first?.events.find((event) => event.type === "plan-opened")
  if (!opened || nameOf(opened) === nameOf(key)) return false
  return nameOf(opened).toLowerCase() === nameOf(key).toLowerCase()
}

/** Summaries of all journals of a folder: known ones as they are, new and changed ones folded. */
const indexPlans = (
  folder: string,
  known: Index,
  sealFor: SealFor,
): { found: Index; problems: Problem[]; isNew: boolean } => {
  const found: Index = new Map()
  const problems: Problem[] = []
  const names = journalNames(folder)
  let isNew = known.size !== names.length
  for (const name of names) {
    const path = `${folder}${sep}${name}.jsonl`
    try {
      const { size, mtimeMs: time } = lstatSync(path)
      const old = known.get(name)
      if (old?.size === size && old.time === time) {
        found.set(name, old)
        continue
      }
      const { summary, problems: met } = readSummary(path, name, sealFor)
      problems.push(...met)
      if (summary) found.set(name, { size, time, summary })
      isNew = true
    } catch (cause) {
      problems.push(warning("unreadable-plan", `${path} could not be read: ${reasonOf(cause)}`))
    }
  }
  return { found, problems, isNew }
}

type SealFor = (key: PlanKey) => Seal | undefined

const readSummary = (
  path: string,
  name: string,
  sealFor: SealFor,
): { summary: PlanSummary | undefined; problems: Problem[] } => {
  const fold = createFold()
  const { entries, problems } = readJournal(path, 0, sealFor(keyOf(name) ?? readOwner(path) ?? unknownKey))
  for (const entry of entries) fold.add(entry)
  const key = fold.ledger.opened ?? keyOf(name)
  return { summary: key && fold.ledger.entries > 0 ? summarise(key, fold) : undefined, problems }
}

/** No seal holds for it. */
const unknownKey: PlanKey = { session: "", agent: "" }

const journalNames = (folder: string): string[] => {
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith(".jsonl") ? [name.slice(0, -".jsonl".length)] : []))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return []
    throw cause
  }
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const notTrusted = (home: string): HeadwayError =>
  new HeadwayError(
    "not-trusted",
    `${home} came with this repository, so it is only read. To keep plans there, run "headway project trust".`,
  )

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
