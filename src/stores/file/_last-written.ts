/** Keeps the journal that was written to last open, so that a burst of entries opens it once. */
import { closeSync } from "node:fs"
import type { OpenJournal } from "./_journal.ts"
import { isSameFile, stampAt } from "./_journal-stamp.ts"

/** Only one: a process may write to any number of plans. */
export type LastWritten = {
  /** The open file, if the name still refers to it: a removed or replaced journal is not written to. */
  find(path: string): OpenJournal | undefined
  /** Takes over an open file; the one before is closed. */
  keep(path: string, journal: OpenJournal): void
  close(): void
}

/** In milliseconds. On some systems the name of a removed file stays taken while it is open. */
const longestIdle = 1_000

export const createLastWritten = (): LastWritten => {
  let last: (OpenJournal & { path: string }) | undefined
  let isUsed = false
  let timer: NodeJS.Timeout | undefined

  const close = (): void => {
    clearTimeout(timer)
    timer = undefined
    const open = last
    last = undefined
    if (open) closeSync(open.file)
  }

  const closeWhenIdle = (): void => {
    if (isUsed) timer?.refresh()
    else close()
    isUsed = false
  }

  return {
    find(path) {
      if (last?.path !== path) return undefined
      const stamp = stampAt(path)
      if (stamp && isSameFile(stamp, last.stamp)) {
        isUsed = true
        return { file: last.file, stamp }
      }
      close()
      return undefined
    },
    keep(path, journal) {
      if (last?.file === journal.file) return
      close()
      last = { ...journal, path }
      isUsed = true
      timer = setTimeout(closeWhenIdle, longestIdle).unref()
    },
    close,
  }
}
