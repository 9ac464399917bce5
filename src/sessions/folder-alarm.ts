/** Resolves when something changes in one of many folders: when the system says so, and now and then in any case. */
import { type FSWatcher, type Stats, statSync, watch } from "node:fs"
import { join } from "node:path"

export type FolderAlarm = {
  /** Returns the paths that may have changed; undefined when everything should be looked at. */
  wait(signal: AbortSignal, folders: () => string[]): Promise<ReadonlySet<string> | undefined>
  /** Wakes at once. */
  ring(): void
  close(): void
}

export type FolderAlarmOptions = {
  /** How often to wake even though no change was reported, in milliseconds: not every disk reports changes, and time itself changes things. @default 2000 */
  interval?: number
  /** Bursts within this many milliseconds wake once. @default 40 */
  gap?: number
}

/** The system allows only a limited number of watches; what is not watched is looked at with every interval. */
const mostFolders = 1000

/** A caller that takes long between two waits waits longer too, so that watching never costs more than this part of the time. */
const [restAfterChange, restAfterNothing] = [2, 50]

/**
 * Folders and not files are watched: one for each project instead of one for each session, and a change is told at once.
 * What changed between two waits ends the next wait at once.
 */
export const createFolderAlarm = ({ interval = 2000, gap = 40 }: FolderAlarmOptions = {}): FolderAlarm => {
  const watchers = new Map<string, { watcher: FSWatcher; id: number }>()
  let changed = new Set<string>()
  /** What was reported last. */
  let told: ReadonlySet<string> = changed
  let isRung = false
  let wake = (): void => {}
  let woken = performance.now()
  let lookedEverywhere = woken
  /** How long the last look everywhere took. */
  let whole = 0

  const noteChange = (folder: string, name: string | null): void => {
    changed.add(name === null ? folder : join(folder, name))
    wake()
  }

  const forget = (folder: string): void => {
    watchers.get(folder)?.watcher.close()
    watchers.delete(folder)
  }

  /** Returns whether any is new: what happened there before it was watched was missed. */
  const watchAll = (folders: readonly string[]): boolean => {
    const wanted = new Set(folders.slice(0, mostFolders))
    for (const folder of watchers.keys()) if (!wanted.has(folder)) forget(folder)
    let isAnyNew = false
    for (const folder of wanted) {
      const id = idOf(folder)
      const known = watchers.get(folder)
      if (known && known.id === id) continue
      // Another folder is there now; the watcher is still with the old one.
      if (known) forget(folder)
      if (id === undefined) continue
      try {
        const watcher = watch(folder, (_, name) => noteChange(folder, name))
        watcher.on("error", () => forget(folder))
        watchers.set(folder, { watcher, id })
        isAnyNew = true
      } catch {
        // Not everything can be watched; everything can be looked at.
      }
    }
    return isAnyNew
  }

  /** Resolves when it is rung, after this many milliseconds, or when the signal is aborted. */
  const pause = (signal: AbortSignal, milliseconds: number, isOver: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener("abort", end)
        wake = () => {}
        resolve()
      }
      const timer = setTimeout(end, milliseconds)
      signal.addEventListener("abort", end)
      wake = () => {
        if (isOver()) end()
      }
      if (signal.aborted || isOver()) end()
    })

  return {
    async wait(signal, folders) {
      const spent = performance.now() - woken
      if (lookedEverywhere === woken) whole = spent
      const isEverywhere = (): boolean =>
        performance.now() - lookedEverywhere >= Math.max(interval, whole * restAfterNothing)
      // Only a look everywhere finds folders to watch; one that was reported was found at once, and will have files soon.
      const isLookedFor = lookedEverywhere === woken || [...told].some((path) => !watchers.has(path) && isFolder(path))
      const isAnyNew = isLookedFor && watchAll(folders())
      if (!isAnyNew) {
        const rest = Math.max(0, Math.max(gap, spent * restAfterChange) - spent)
        await pause(signal, rest, () => isRung)
        await pause(signal, interval, () => isRung || changed.size > 0)
      }
      const isAsked = isRung
      const paths = changed
      changed = new Set()
      isRung = false
      woken = performance.now()
      told = paths
      // Time itself changes things too: with no path at all nothing is read.
      if (!isAnyNew && !isEverywhere() && (paths.size > 0 || !isAsked)) return paths
      lookedEverywhere = woken
      return undefined
    },
    ring() {
      isRung = true
      wake()
    },
    close() {
      for (const folder of [...watchers.keys()]) forget(folder)
    },
  }
}

const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true

const idOf = (folder: string): number | undefined => statOf(folder)?.ino

const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
