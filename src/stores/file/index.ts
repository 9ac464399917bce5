/** Plans as files in Headway's home: an authoritative journal, a published list for other programs, and a cache. */
import { rmSync } from "node:fs"
import { forgetKept } from "../../home/notes/aside.ts"
import { planFileName } from "../../home/paths/file-names.ts"
import type { Entry } from "../../plan/index.ts"
import { type Cursor, type Loaded, type PlanKey, type Store, selectPlans } from "../store.ts"
import { orExplain } from "./_explained.ts"
import { createHomeFolders, type ProjectOptions } from "./_home-folders.ts"
import { keepIndexed, readIndexed } from "./_indexed-plans.ts"
import {
  appendToJournal,
  cursorOf,
  hasMore,
  isUnchanged,
  lineOf,
  nothingLeft,
  openToAppend,
  readJournal,
} from "./_journal.ts"
import { isOfAnother, isSpelledOtherwise } from "./_journal-name.ts"
import { createKeptSnapshots } from "./_kept-snapshots.ts"
import { createLastWritten } from "./_last-written.ts"
import { createPlanFiles } from "./_plan-files.ts"
import { summariesIn, summaryIn } from "./_plan-index.ts"
import { createPublishedLists } from "./_published-lists.ts"
import { sweepJournals } from "./_sweep.ts"
import { watchJournals } from "./_watch-journals.ts"
import { journalPosition } from "./position.ts"

export type { ProjectOptions } from "./_home-folders.ts"

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

export const createFileStore = ({ home, person = home, project }: FileStoreOptions): FileStore => {
  const folders = createHomeFolders(home, project)
  const { journals, lists, local, isReadOnly, sealFor, assertNoLinkTo, assertWritable } = folders
  const files = createPlanFiles({ folders, person: project?.person ?? person })
  const { publishAgain, ...publishing } = createPublishedLists(folders, files)
  const lastWritten = createLastWritten()

  const load = async (key: PlanKey, from?: Cursor): Promise<Loaded> => {
    const path = files.of(key).journal
    const cursor = cursorOf(from)
    const loaded = orExplain(path, "read", () => {
      if (isUnchanged(path, cursor)) return { entries: [], cursor, problems: [] }
      assertNoLinkTo(journals, lists)
      return readJournal(path, cursor, sealFor(key))
    })
    // Started since the lookup, for ids that differ only in case.
    const owner = cursor.offset > 0 ? undefined : openedIn(loaded.entries)
    if (!owner || !isOfAnother(key, owner) || !isSpelledOtherwise(journals, planFileName(key))) return loaded
    files.giveHashedName(key)
    return load(key)
  }

  const appendLines: FileStore["appendLines"] = async (key, entries, from) => {
    const cursor = cursorOf(from)
    const seal = sealFor(key)
    return orExplain(files.of(key).journal, "written", () =>
      folders.inHome(journals, () => {
        const lines = entries.map((entry) => lineOf(entry, seal)).join("")
        if (cursor.offset === 0) files.begin(key)
        const { journal: path, kept } = files.of(key)
        const journal = (cursor.offset > 0 ? lastWritten.find(path) : undefined) ?? openToAppend(path, cursor)
        if (!journal) return nothingLeft(cursor)
        lastWritten.keep(path, journal)
        try {
          return appendToJournal(journal, path, lines, cursor, seal)
        } catch (cause) {
          lastWritten.close()
          throw cause
        } finally {
          forgetKept(kept)
        }
      }),
    )
  }

  folders.tidy()

  return {
    name: `file:${home}`,
    home: local,
    isPersistent: true,
    load,
    hasMore: (key, cursor) => hasMore(files.of(key).journal, cursorOf(cursor)),
    append: (key, entry, from) => appendLines(key, [entry], from),
    appendLines,
    ...publishing,
    ...createKeptSnapshots(folders, files),
    async list(filter) {
      const found = readIndexed(folders, filter?.session)
      keepIndexed(folders, found)
      return { plans: selectPlans(summariesIn(found.rows), filter), problems: found.problems }
    },
    async position(key) {
      return journalPosition(files.of(key).journal)
    },
    async watch(listener, onProblem) {
      if (!isReadOnly) orExplain(journals, "watched", folders.prepare)
      return watchJournals(journals, listener, onProblem)
    },
    async remove(key) {
      assertWritable()
      lastWritten.close()
      const { journal, list, snapshot, record } = files.of(key)
      for (const path of [journal, list, snapshot, record]) {
        orExplain(path, "removed", () => rmSync(path, { force: true }))
      }
    },
    async sweep(condition) {
      assertWritable()
      lastWritten.close()
      const { rows, problems } = readIndexed(folders)
      const held = rows.flatMap((row) => {
        const [name] = row
        const summary = summaryIn(row)
        return summary && condition(summary, journalPosition(files.named(name).journal)) ? [name] : []
      })
      const swept = sweepJournals(held, {
        folder: journals,
        sealFor,
        condition,
        forget: (name) => {
          const { list, snapshot, record } = files.named(name)
          for (const path of [list, snapshot, record]) rmSync(path, { force: true })
        },
        publish: publishAgain,
      })
      return { removed: swept.removed, problems: [...problems, ...swept.problems] }
    },
    async close() {
      lastWritten.close()
    },
  }
}

const openedIn = ([first]: readonly Entry[]): PlanKey | undefined =>
  first?.events.find((event) => event.type === "plan-opened")
