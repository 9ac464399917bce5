/** Removes journals while others may write to them: a journal that is written to in time is kept. */
import { closeSync, fsyncSync, lstatSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { readPlainFile } from "../../home/reading/plain-file.ts"
import { assertNoLink, isRunning, syncFolder, takesName } from "../../home/writing/write-file.ts"
import { messageOf, type Plan, type Problem, warning } from "../../plan/index.ts"
import type { PlanSummary, Store } from "../store.ts"
import { type JournalState, readJournalState, type SealFor } from "./_journal-state.ts"
import { journalPosition } from "./position.ts"

export type SweepOptions = {
  /** The folder of the journals. */
  folder: string
  sealFor: SealFor
  condition: Parameters<Store["sweep"]>[0]
  /** Removes files derived from a journal: they can be rebuilt, and must not outlive it. */
  forget: (name: string) => void
  /** Rebuilds the list that was forgotten. */
  publish: (name: string, plan: Plan) => void
}

export type Swept = { removed: PlanSummary[]; problems: Problem[] }

/** Uses file names only, never the contents. */
export const sweepJournals = (names: readonly string[], options: SweepOptions): Swept => {
  const swept: Swept = { removed: [], problems: [] }
  for (const name of names) {
    try {
      const { removed, kept } = sweepOne(name, options)
      if (removed) swept.removed.push(removed)
      if (kept !== undefined) swept.problems.push(warning("kept", `${pathOf(options.folder, name)} was kept: ${kept}.`))
    } catch (cause) {
      const path = pathOf(options.folder, name)
      swept.problems.push(warning("not-removed", `${path} could not be removed: ${messageOf(cause)}`))
    }
  }
  return swept
}

const sweepOne = (name: string, options: SweepOptions): { removed?: PlanSummary; kept?: string } => {
  const { folder, sealFor, condition, forget, publish } = options
  const path = pathOf(folder, name)
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return {}
  if (!found.isFile()) return { kept: "it is a link or a folder, not a journal" }
  const before = readJournalState(path, name, { sealFor, isOnce: false })
  // The position is asked for after the reading: what came in between makes it another one.
  if (!before.summary || !condition(before.summary, journalPosition(path))) return {}
  if (before.claimed) {
    return { kept: `it says it is the plan of session "${before.claimed.session}", and its name says otherwise` }
  }
  // Removed before the journal: a process that opens the plan in between must not find a list to import.
  forget(name)
  const gone = goneName(path)
  if (!takeAway(path, gone)) return {}
  const after = readJournalState(gone, name, { sealFor, isOnce: false })
  if (isTheSame(before, after)) {
    rmSync(gone)
    return { removed: before.summary }
  }
  putBack(gone, path)
  publish(name, readJournalState(path, name, { sealFor }).plan)
  return { kept: "it was written to in the meantime" }
}

const isTheSame = (one: JournalState, other: JournalState): boolean =>
  one.cursor.stamp.size === other.cursor.stamp.size && one.cursor.witness.digest() === other.cursor.witness.digest()

/** The journals of a folder, by name. Journals left renamed by a crashed sweep are restored first. */
export const journalNames = (folder: string, isReadOnly = false): string[] => {
  assertNoLink(folder)
  const files = namesIn(folder)
  const orphans = isReadOnly ? [] : files.filter((file) => isOrphan(folder, file))
  if (orphans.length === 0) return namesOf(files)
  for (const file of orphans) {
    try {
      putBack(join(folder, file), join(folder, file.replace(goneEnding, "")))
    } catch {
      // Another process was first, or the folder may only be read.
    }
  }
  return namesOf(namesIn(folder))
}

/** Whether a running sweep has renamed a journal and not decided about it yet. Crashed sweeps do not count. */
export const isTakenAway = (folder: string, name: string, isReadOnly: boolean): boolean => {
  const isOfIt = (file: string): boolean => file.startsWith(`${name}${ending}.gone-`)
  if (!namesIn(folder).some(isOfIt)) return false
  journalNames(folder, isReadOnly)
  return namesIn(folder).some(isOfIt)
}

const namesOf = (files: readonly string[]): string[] => {
  const names: string[] = []
  for (const file of files) if (file.endsWith(ending)) names.push(file.slice(0, -ending.length))
  return names
}

const ending = ".jsonl"
const goneEnding = /\.gone-(\d+)-\w+$/

const pathOf = (folder: string, name: string): string => join(folder, `${name}${ending}`)

/** Names the process, so that others can tell when it has ended. */
const goneName = (path: string): string => `${path}.gone-${process.pid}-${Math.random().toString(36).slice(2, 10)}`

/** A sweep decides quickly. After this time, a process with the same pid is a different one. */
const longestSweep = 60_000

/** Anything else than a file of that name came with a repository: a sweep removes nothing but files. */
const isOrphan = (folder: string, file: string): boolean => {
  if (!file.includes(".gone-")) return false
  const pid = Number(goneEnding.exec(file)?.[1])
  const found = lstatSync(join(folder, file), { throwIfNoEntry: false })
  if (!(pid > 0) || !found?.isFile()) return false
  // Its name is as old as this time says.
  const isNew = Math.abs(Date.now() - found.ctimeMs) < longestSweep
  return !isNew || (pid !== process.pid && !isRunning(pid))
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return []
    throw cause
  }
}

/**
 * Restores the name of a journal. If a writer has started another under that name, the two are merged, older first. An
 * entry in both counts once.
 */
const putBack = (gone: string, path: string): void => {
  const parts = [gone]
  let whole = gone
  while (!takesName(whole, path)) {
    // It already has its name: the process that restored it was killed before removing the other one.
    if (isOneFile(whole, path)) break
    const newer = goneName(path)
    if (!takeAway(path, newer)) continue
    parts.push(newer)
    whole = joined([whole, newer], goneName(path))
    parts.push(whole)
  }
  for (const part of parts) rmSync(part, { force: true })
  syncFolder(dirname(path))
}

const isOneFile = (one: string, other: string): boolean => {
  const [first, second] = [one, other].map((path) => lstatSync(path, { throwIfNoEntry: false }))
  return first !== undefined && second !== undefined && first.ino === second.ino && first.dev === second.dev
}

/** False where another process was first. */
const takeAway = (path: string, name: string): boolean => {
  try {
    renameSync(path, name)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return false
    throw cause
  }
}

const joined = (parts: readonly string[], path: string): string => {
  const lines = parts.map((part) => readPlainFile(part)).flatMap((bytes) => [bytes, Buffer.from("\n")])
  writeFileSync(path, Buffer.concat(lines), { mode: 0o600, flag: "wx" })
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return path
}
