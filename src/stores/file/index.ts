/** Plans as files in Headway's home: an authoritative journal, a published list for other programs, and a cache. */
import { closeSync, constants, existsSync, lstatSync, rmSync, unlinkSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import { forgetKept, type KeptFiles, keptFilesOf } from "../../home/aside.ts"
import { hashedNameOf, keyOf, planFileName } from "../../home/file-names.ts"
import { assertOwnFolder, assertOwnInside } from "../../home/own-folder.ts"
import { openPlainFile, readPlainFile } from "../../home/plain-file.ts"
import type { Seal } from "../../home/seal.ts"
import {
  assertNoLink,
  type FileStamp,
  makeFolder,
  makeFolderInside,
  removeOrphans,
  replaceFile,
  syncFolder,
} from "../../home/write-file.ts"
import { type Entry, HeadwayError, isHeadwayError, messageOf, type Problem, warning } from "../../plan/index.ts"
import { type Cursor, type Loaded, type PlanKey, type Store, selectPlans } from "../store.ts"
import {
  appendToJournal,
  cursorOf,
  hasMore,
  isUnchanged,
  lineOf,
  nothingLeft,
  openToAppend,
  readJournal,
  readOwner,
} from "./_journal.ts"
import { isOfAnother, isSpelledOtherwise, journalNameOf } from "./_journal-name.ts"
import { ownerOf, readJournalState, type SealFor } from "./_journal-state.ts"
import { createLastWritten } from "./_last-written.ts"
import { problemsOf } from "./_lines.ts"
import { type PastTodos, readPastTodos } from "./_past-todos.ts"
import {
  type Index,
  isUpToDate,
  loadIndex,
  type Row,
  rowOf,
  saveIndex,
  skippedIn,
  summariesIn,
  summaryIn,
} from "./_plan-index.ts"
import { isSnapshotDue, type KnownSnapshot, loadSnapshot, noSnapshot, saveSnapshot } from "./_snapshots.ts"
import { isTakenAway, journalNames, sweepJournals } from "./_sweep.ts"
import { journalPosition } from "./position.ts"
import { publishList, readPublished, showsPlan } from "./published.ts"

/** The files of one plan. */
type Paths = { journal: string; list: string; snapshot: string; record: string; kept: KeptFiles }

export type FileStoreOptions = {
  home: string
  /** The home of the person, where the launcher looks. @default home */
  person?: string
  /** The home is a folder in a repository. */
  project?: ProjectOptions
}

export type FileStore = Store & {
  /** Appends several entries at the cost of one. After a crash only the first ones may be there. */
  appendLines(key: PlanKey, entries: readonly Entry[], from?: Cursor): Promise<Loaded>
}

/** Plans in a repository are shared: files needed only by this machine are kept elsewhere. */
export type ProjectOptions = {
  /** The home of the person, where the launcher looks. */
  person: string
  /** Where caches are kept instead. */
  local: string
  /** Tells the entries written on this machine from those that came with the repository. */
  seal: (place: readonly string[]) => Seal
  /** The person has not trusted the repository, so it is read-only. */
  isReadOnly: boolean
  /** Called before the folder is made. */
  onBegin?: () => void
  /**
   * Whether an existing folder is trusted. Called each time: a pull may bring one before it is created here, and trust
   * may be revoked. @default it is
   */
  isTrusted?: () => boolean
}

/**
 * Git settings for plans in a repository: ignore temporary files, and merge journals by keeping the lines of both
 * sides.
 */
const gitFiles = [
  [".gitignore", "tmp/\n"],
  [".gitattributes", "journal/*.jsonl merge=union -text\n"],
] as const

export const createFileStore = ({ home, person = home, project }: FileStoreOptions): FileStore => {
  const journals = join(home, "journal")
  const lists = join(home, "todos")
  const local = project?.local ?? home
  const cache = join(local, "cache")
  /** Temporary files must be on the same disk as their destination. */
  const temporary = join(home, "tmp")
  const localTemporary = join(local, "tmp")
  const index = join(cache, "plans.json")
  const names = new Map<string, string>()
  const snapshots = new Map<string, KnownSnapshot>()
  const leftLists = new Map<string, FileStamp>()
  const lastWritten = createLastWritten()
  let isPrepared = false

  const nameFor = (key: PlanKey): string => {
    const id = JSON.stringify([key.session, key.agent])
    const known = names.get(id)
    if (known !== undefined) return known
    const { name, isBegun } = journalNameOf(journals, key)
    // Names without a plan are not cached, because there may be any number of them.
    if (isBegun) names.set(id, name)
    return name
  }

  /**
   * Sessions whose names differ only in case may begin at the same moment. On a disk that ignores case the folder shows one
   * name for the file they both made, and the plan of that name has it.
   */
  const beginJournal = (key: PlanKey): void => {
    const plain = planFileName(key)
    const path = join(journals, `${plain}.jsonl`)
    if (journalOf(key) !== path) return
    closeSync(openPlainFile(path, constants.O_WRONLY | constants.O_CREAT))
    if (isSpelledOtherwise(journals, plain)) giveHashedName(key)
  }

  const giveHashedName = (key: PlanKey): void => {
    names.set(JSON.stringify([key.session, key.agent]), hashedNameOf(key))
    paths.delete(key)
  }

  const filesOf = (name: string): Omit<Paths, "kept"> => ({
    journal: join(journals, `${name}.jsonl`),
    list: join(lists, `${name}.json`),
    snapshot: join(cache, `${name}.json`),
    record: join(cache, `${name}.published.json`),
  })

  /** Looked up with every write; a tracker always passes the same key object. */
  const paths = new WeakMap<PlanKey, Paths>()
  const pathsOf = (key: PlanKey): Paths => {
    const known = paths.get(key)
    if (known) return known
    const made = { ...filesOf(nameFor(key)), kept: keptFilesOf(project?.person ?? person, key) }
    paths.set(key, made)
    return made
  }
  const journalOf = (key: PlanKey): string => pathsOf(key).journal
  const listOf = (key: PlanKey): string => pathsOf(key).list
  const snapshotOf = (key: PlanKey): string => pathsOf(key).snapshot
  const recordOf = (key: PlanKey): string => pathsOf(key).record

  /** The one that was asked for last: others that change the same plan make it needed again and again. */
  let lastPast: { journal: string; wasTodo: PastTodos } | undefined
  const pastTodosOf =
    (key: PlanKey): PastTodos =>
    (content, status) => {
      const journal = journalOf(key)
      if (lastPast?.journal !== journal) lastPast = { journal, wasTodo: readPastTodos(journal, sealFor(key)) }
      return lastPast.wasTodo(content, status)
    }

  const prepare = (): void => {
    if (isPrepared) return
    assertWritable()
    const isNew = !existsSync(journals)
    if (project && !existsSync(home)) project.onBegin?.()
    const made = [...new Set([home, local])].flatMap((folder) => makeFolder(folder))
    // Another user may have created it first.
    assertOwnFolder(home)
    for (const folder of new Set([journals, lists, cache, temporary, localTemporary])) makeFolderInside(folder)
    if (isNew) for (const folder of new Set([home, ...[home, ...made].map((one) => dirname(one))])) syncFolder(folder)
    for (const [name, text] of project ? gitFiles : []) {
      const path = join(home, name)
      if (!existsSync(path)) replaceFile(path, text, temporary)
    }
    isPrepared = true
  }

  const isReadOnly = project?.isReadOnly === true

  const assertWritable = (): void => {
    if (isReadOnly) throw notTrusted(home)
    assertOwnFolder(home)
    if (project) assertOwnFolder(local)
    assertNoLinkTo(journals, lists)
  }

  /** The home itself may be a link made by the person. In a repository it may have come with a pull. */
  const mayNotBeLinks = project ? [home] : []

  const assertTrusted = (): void => {
    if (!project?.isTrusted || isReadOnly || !existsSync(home)) return
    if (!project.isTrusted()) throw notTrusted(home)
  }

  const assertNoLinkTo = (...folders: readonly string[]): void => {
    assertTrusted()
    for (const folder of mayNotBeLinks) assertNoLink(folder)
    // A read-only home is not ours anyway.
    for (const folder of folders) (isReadOnly ? assertNoLink : assertOwnInside)(folder)
  }

  const sealFor = ({ session, agent }: PlanKey): Seal | undefined => project?.seal([home, session, agent])

  const indexAll = (known: Index, session?: string) => {
    assertNoLinkTo(journals)
    return indexPlans(journals, known, { sealFor, isReadOnly, session })
  }

  /**
   * Runs an action in a folder of the home, which may have been removed since it was created. Links are checked every
   * time, because a pull may turn a folder into one while a process runs.
   */
  const inHome = <Result>(folder: string, action: () => Result): Result => {
    prepare()
    assertNoLinkTo(folder)
    try {
      return action()
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause
      isPrepared = false
      prepare()
      return action()
    }
  }

  const appendLines = async (key: PlanKey, entries: readonly Entry[], from?: Cursor): Promise<Loaded> => {
    const cursor = cursorOf(from)
    const seal = sealFor(key)
    return orExplain(journalOf(key), "written", () =>
      inHome(journals, () => {
        const lines = entries.map((entry) => lineOf(entry, seal)).join("")
        if (cursor.offset === 0) beginJournal(key)
        const path = journalOf(key)
        const journal = (cursor.offset > 0 ? lastWritten.find(path) : undefined) ?? openToAppend(path, cursor)
        if (!journal) return nothingLeft(cursor)
        lastWritten.keep(path, journal)
        try {
          return appendToJournal(journal, path, lines, cursor, seal)
        } catch (cause) {
          lastWritten.close()
          throw cause
        } finally {
          forgetKept(pathsOf(key).kept)
        }
      }),
    )
  }

  if (!isReadOnly) for (const folder of new Set([temporary, localTemporary])) removeOrphans(folder)

  return {
    name: `file:${home}`,
    home: local,
    isPersistent: true,
    async load(key, from) {
      const path = journalOf(key)
      const cursor = cursorOf(from)
      const loaded = orExplain(path, "read", () => {
        if (isUnchanged(path, cursor)) return { entries: [], cursor, problems: [] }
        assertNoLinkTo(journals, lists)
        return readJournal(path, cursor, sealFor(key))
      })
      // Started since the lookup, for ids that differ only in case.
      const owner = cursor.offset > 0 ? undefined : openedIn(loaded.entries)
      if (!owner || !isOfAnother(key, owner) || !isSpelledOtherwise(journals, planFileName(key))) return loaded
      giveHashedName(key)
      return this.load(key)
    },
    hasMore: (key, cursor) => hasMore(journalOf(key), cursorOf(cursor)),
    append: (key, entry, from) => appendLines(key, [entry], from),
    appendLines,
    async publish(key, plan, change) {
      const list = listOf(key)
      if (isReadOnly) return undefined
      return orExplain(list, "written", () =>
        inHome(lists, () =>
          publishList({ list, record: recordOf(key), temporary, recordTemporary: localTemporary }, plan, {
            change,
            left: leftLists,
            wasTodo: pastTodosOf(key),
          }),
        ),
      )
    },
    isPublished: (key, plan) => isReadOnly || showsPlan(pathsOf(key), plan),
    async readList(key) {
      const path = listOf(key)
      // On a case-insensitive disk it may be the list of another plan that was started since the lookup.
      const owner = readOwner(journalOf(key))
      if ((owner && isOfAnother(key, owner)) || isReadOnly || !existsSync(path)) return []
      const { items = [] } = readPublished(readPlainFile(path).toString("utf8"))
      // The list came from a journal that may be restored: importing it would duplicate every todo.
      return isTakenAway(journals, nameFor(key), isReadOnly) ? [] : items
    },
    wantsSnapshot: (key, cursor) =>
      !isReadOnly && isSnapshotDue(snapshots.get(snapshotOf(key)) ?? noSnapshot, cursorOf(cursor)),
    async readSnapshot(key) {
      const { snapshot, size } = loadSnapshot(snapshotOf(key), journalOf(key))
      const { offset } = cursorOf(snapshot?.cursor)
      snapshots.set(snapshotOf(key), { offset, size })
      // Revisions count from the start of a journal, so those of another journal say nothing about the list.
      if (!snapshot && !isReadOnly && existsSync(recordOf(key))) ignoring(() => unlinkSync(recordOf(key)))
      return snapshot
    },
    async writeSnapshot(key, { cursor, state }) {
      const journalCursor = cursorOf(cursor)
      const known = { offset: journalCursor.offset, size: snapshots.get(snapshotOf(key))?.size ?? 0 }
      // A snapshot that cannot be written is not retried with every entry.
      snapshots.set(snapshotOf(key), known)
      known.size = orExplain(snapshotOf(key), "written", () =>
        saveSnapshot(snapshotOf(key), journalCursor, state, localTemporary),
      )
    },
    async list(filter) {
      const known = loadIndex(index)
      const { found, problems, isNew } = orExplain(journals, "read", () => indexAll(known, filter?.session))
      if (isNew && !isReadOnly) ignoring(() => saveIndex(index, found, localTemporary))
      return { plans: selectPlans(summariesIn(found), filter), problems }
    },
    async position(key) {
      return journalPosition(journalOf(key))
    },
    async watch(listener, onProblem) {
      if (!isReadOnly) orExplain(journals, "watched", prepare)
      const { watchFolder } = await import("./watch.ts")
      const owners = new Map<string, PlanKey | undefined>()
      const ownerIn = (file: string): PlanKey | undefined => {
        const name = file.slice(0, -".jsonl".length)
        const owner = owners.get(name) ?? ownerOf(name, readOwner(join(journals, file)))
        owners.set(name, owner)
        return owner
      }
      const onFile = (file: string | undefined): void => {
        // A journal whose name says nothing may be gone before it could be read.
        if (file === undefined || file.endsWith(".jsonl")) listener(file === undefined ? undefined : ownerIn(file))
      }
      return watchFolder(journals, onFile, onProblem)
    },
    async remove(key) {
      assertWritable()
      lastWritten.close()
      for (const path of [journalOf(key), listOf(key), snapshotOf(key), recordOf(key)]) {
        orExplain(path, "removed", () => rmSync(path, { force: true }))
      }
    },
    async sweep(condition) {
      assertWritable()
      lastWritten.close()
      const { found, problems } = orExplain(journals, "read", () => indexAll(loadIndex(index)))
      const held = found.flatMap((row) => {
        const summary = summaryIn(row)
        return summary && condition(summary, journalPosition(filesOf(row[0]).journal)) ? [row[0]] : []
      })
      const swept = sweepJournals(held, {
        folder: journals,
        sealFor,
        condition,
        forget: (name) => {
          const { list, snapshot, record } = filesOf(name)
          for (const path of [list, snapshot, record]) rmSync(path, { force: true })
        },
        publish: (name, plan) =>
          void publishList({ ...filesOf(name), temporary, recordTemporary: localTemporary }, plan, {
            left: leftLists,
            // The list was just removed: if it is there again, it was published from the journal.
            wasTodo: () => true,
          }),
      })
      return { removed: swept.removed, problems: [...problems, ...swept.problems] }
    },
    async close() {
      lastWritten.close()
    },
  }
}

/** If only one session is requested, the journals of others are not read. */
type IndexOptions = { sealFor: SealFor; isReadOnly: boolean; session: string | undefined }

/** Summaries of all journals of a folder: known ones as they are, new and changed ones folded. */
const indexPlans = (
  folder: string,
  known: Index,
  { sealFor, isReadOnly, session }: IndexOptions,
): { found: Row[]; problems: Problem[]; isNew: boolean } => {
  const found: Row[] = []
  const problems: Problem[] = []
  let isNew = false
  for (const name of journalNames(folder, isReadOnly)) {
    const path = `${folder}${sep}${name}.jsonl`
    const old = known.find(name)
    if (session !== undefined && (keyOf(name)?.session ?? session) !== session) {
      if (old) found.push(old)
      continue
    }
    try {
      const stats = lstatSync(path, { throwIfNoEntry: false })
      if (!stats) continue
      const { size, ctimeMs: time } = stats
      const isOld = old !== undefined && isUpToDate(old, size, time)
      const row = isOld ? old : rowOf(name, { size, time, ...readJournalState(path, name, { sealFor }) })
      found.push(row)
      const skipped = skippedIn(row)
      if (skipped) problems.push(...problemsOf(path, skipped))
      if (!isOld) isNew = true
    } catch (cause) {
      problems.push(warning("unreadable-plan", `${path} could not be read: ${messageOf(cause)}`))
    }
  }
  return { found, problems, isNew: isNew || found.length !== known.size }
}

const openedIn = ([first]: readonly Entry[]): PlanKey | undefined =>
  first?.events.find((event) => event.type === "plan-opened")

const notTrusted = (home: string): HeadwayError =>
  new HeadwayError(
    "not-trusted",
    `${home} came with this repository, so it is only read. To keep plans there, run "headway project trust".`,
  )

/** Without a writable cache, listing is only slower. */
const ignoring = (action: () => void): void => {
  try {
    action()
  } catch {}
}

/** The error codes for a full disk, quota or file size limit. */
const noRoom = new Set(["ENOSPC", "EDQUOT", "EFBIG"])

/** Turns a system error into a message that names the file. */
const orExplain = <Result>(path: string, what: string, action: () => Result): Result => {
  try {
    return action()
  } catch (cause) {
    if (isHeadwayError(cause)) throw cause
    const code = noRoom.has((cause as NodeJS.ErrnoException).code ?? "") ? "store-full" : "store-failed"
    throw new HeadwayError(code, `${path} could not be ${what}: ${messageOf(cause)}`, { cause })
  }
}
