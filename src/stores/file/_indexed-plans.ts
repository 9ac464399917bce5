/** The summaries of all journals of a home: known ones as the index has them, new and changed ones folded. */
import { lstatSync } from "node:fs"
import { join, sep } from "node:path"
import { keyOf } from "../../home/paths/file-names.ts"
import { messageOf, type Problem, warning } from "../../plan/index.ts"
import { orExplain } from "./_explained.ts"
import type { HomeFolders } from "./_home-folders.ts"
import { readJournalState } from "./_journal-state.ts"
import { problemsOf } from "./_lines.ts"
import { type Index, isUpToDate, loadIndex, type Row, rowOf, saveIndex, skippedIn } from "./_plan-index.ts"
import { journalNames } from "./_sweep.ts"

/** `isNew` says that the index lacks some of it. */
export type IndexedPlans = { rows: Row[]; problems: Problem[]; isNew: boolean }

/** If only one session is requested, the journals of others are not read. */
export const readIndexed = (folders: HomeFolders, session?: string): IndexedPlans => {
  const { journals } = folders
  const known = loadIndex(indexIn(folders))
  return orExplain(journals, "read", () => {
    folders.assertNoLinkTo(journals)
    return bringUpToDate(known, folders, session)
  })
}

/** Without a writable cache, listing is only slower. */
export const keepIndexed = (folders: HomeFolders, { rows, isNew }: IndexedPlans): void => {
  if (!isNew || folders.isReadOnly) return
  try {
    saveIndex(indexIn(folders), rows, folders.localTemporary)
  } catch {}
}

const indexIn = ({ cache }: HomeFolders): string => join(cache, "plans.json")

const bringUpToDate = (known: Index, folders: HomeFolders, session: string | undefined): IndexedPlans => {
  const { journals, sealFor, isReadOnly } = folders
  const rows: Row[] = []
  const problems: Problem[] = []
  let isNew = false
  for (const name of journalNames(journals, isReadOnly)) {
    const path = `${journals}${sep}${name}.jsonl`
    const old = known.find(name)
    if (session !== undefined && (keyOf(name)?.session ?? session) !== session) {
      if (old) rows.push(old)
      continue
    }
    try {
      const stats = lstatSync(path, { throwIfNoEntry: false })
      if (!stats) continue
      const { size, ctimeMs: time } = stats
      const isOld = old !== undefined && isUpToDate(old, size, time)
      const row = isOld ? old : rowOf(name, { size, time, ...readJournalState(path, name, { sealFor }) })
      rows.push(row)
      const skipped = skippedIn(row)
      if (skipped) problems.push(...problemsOf(path, skipped))
      if (!isOld) isNew = true
    } catch (cause) {
      problems.push(warning("unreadable-plan", `${path} could not be read: ${messageOf(cause)}`))
    }
  }
  return { rows, problems, isNew: isNew || rows.length !== known.size }
}
