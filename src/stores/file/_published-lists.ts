/** The published lists of a home: kept up to date with their plans, and read once before a plan begins. */
import { existsSync } from "node:fs"
import { readPlainFile } from "../../home/reading/plain-file.ts"
import type { FileStamp } from "../../home/writing/write-file.ts"
import type { Plan } from "../../plan/index.ts"
import type { PlanKey, Store } from "../store.ts"
import { orExplain } from "./_explained.ts"
import type { HomeFolders } from "./_home-folders.ts"
import { readOwner } from "./_journal.ts"
import { isOfAnother } from "./_journal-name.ts"
import { type PastTodos, readPastTodos } from "./_past-todos.ts"
import type { PlanFiles } from "./_plan-files.ts"
import { isTakenAway } from "./_sweep.ts"
import { publishList, readPublished, showsPlan } from "./published.ts"

export type PublishedLists = Required<Pick<Store, "publish" | "isPublished" | "readList">> & {
  /** Publishes the list of a journal whose list was removed. */
  publishAgain(name: string, plan: Plan): void
}

export const createPublishedLists = (folders: HomeFolders, files: PlanFiles): PublishedLists => {
  const { journals, lists, temporary, localTemporary: recordTemporary, isReadOnly, sealFor } = folders
  const left = new Map<string, FileStamp>()
  /** The one that was asked for last: others that change the same plan make it needed again and again. */
  let lastPast: { journal: string; wasTodo: PastTodos } | undefined

  const pastTodosOf =
    (key: PlanKey): PastTodos =>
    (content, status) => {
      const { journal } = files.of(key)
      if (lastPast?.journal !== journal) lastPast = { journal, wasTodo: readPastTodos(journal, sealFor(key)) }
      return lastPast.wasTodo(content, status)
    }

  return {
    async publish(key, plan, change) {
      const { list, record } = files.of(key)
      if (isReadOnly) return undefined
      const paths = { list, record, temporary, recordTemporary }
      return orExplain(list, "written", () =>
        folders.inHome(lists, () => publishList(paths, plan, { change, left, wasTodo: pastTodosOf(key) })),
      )
    },
    isPublished: (key, plan) => isReadOnly || showsPlan(files.of(key), plan),
    async readList(key) {
      const { list, journal } = files.of(key)
      // On a case-insensitive disk it may be the list of another plan that was started since the lookup.
      const owner = readOwner(journal)
      if ((owner && isOfAnother(key, owner)) || isReadOnly || !existsSync(list)) return []
      const { items = [] } = readPublished(readPlainFile(list).toString("utf8"))
      // The list came from a journal that may be restored: importing it would duplicate every todo.
      return isTakenAway(journals, files.nameOf(key), isReadOnly) ? [] : items
    },
    publishAgain(name, plan) {
      // The list was just removed: if it is there again, it was published from the journal.
      publishList({ ...files.named(name), temporary, recordTemporary }, plan, { left, wasTodo: () => true })
    },
  }
}
