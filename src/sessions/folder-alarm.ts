/**
 * Resolves when something changes in one of many folders: on a notification of the system, and at regular intervals.
 */

import { type FSWatcher, watch } from "node:fs"
import { join } from "node:path"
import { isFolder, statOf } from "../home/paths/on-disk.ts"

export type FolderAlarm = {
  /** Returns the paths that may have changed, or undefined if everything should be scanned. */
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

/** The system limits the number of watches; folders without one are scanned at every interval. */
const mostFolders = 1000

/** A caller whose scans take long also waits longer, so that watching never takes more than this share of the time. */
const [restAfterChange, restAfterNothing] = [2, 50]

/**
 * Watches folders, not files: one for each project instead of one for each session, with immediate notification. A
 * change between two waits ends the next wait at once.
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
  /** How long the last full scan took. */
  let whole = 0

  const noteChange = (folder: string, name: string | null): void => {
    changed.add(name === null ? folder : join(folder, name))
    wake()
  }

  const forget = (folder: string): void => {
    watchers.get(folder)?.watcher.close()
    watchers.delete(folder)
  }

  /** Returns whether any folder is new: changes before it was watched were missed. */
  const watchAll = (folders: readonly string[]): boolean => {
    const wanted = new Set(folders.slice(0, mostFolders))
    for (const folder of watchers.keys()) if (!wanted.has(folder)) forget(folder)
    let isAnyNew = false
    for (const folder of wanted) {
      const id = idOf(folder)
      const known = watchers.get(folder)
      if (known && known.id === id) continue
      // The folder was replaced; the watcher still belongs to the old one.
      if (known) forget(folder)
      if (id === undefined) continue
      try {
        const watcher = watch(folder, (_, name) => noteChange(folder, name))
        watcher.on("error", () => forget(folder))
        watchers.set(folder, { watcher, id })
        isAnyNew = true
      } catch {
        // Some folders cannot be watched, but all can be scanned.
      }
    }
    return isAnyNew
  }

  /** Resolves on a notification, after this many milliseconds, or when the signal is aborted. */
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
      // Only a full scan finds folders to watch; a new folder was just reported and will have files soon.
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
      // Time alone changes states too; with an empty list of paths nothing is read.
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

const idOf = (folder: string): number | undefined => statOf(folder)?.ino
