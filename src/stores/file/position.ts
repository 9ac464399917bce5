/** The position of a plan in a file store, by one system call on its journal: a hook has no time to load a store. */
import { lstatSync } from "node:fs"
import { join } from "node:path"
import type { PlanKey } from "../../plan/event.ts"
import { journalNameOf } from "./_journal-name.ts"

/** The file of a plan's journal, or where it will be. */
export const journalInHome = (home: string, key: PlanKey): string => {
  const journals = join(home, "journal")
  return join(journals, `${journalNameOf(journals, key).name}.jsonl`)
}

/** Undefined if there is no journal. */
export const journalPosition = (path: string): string | undefined => {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats && `${stats.ino}/${stats.size}/${stats.ctimeMs}`
}
