/** The note of a running set-up: it prevents two at once, and shows the next one what a killed one left. */
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { foreignTextIn } from "../../home/reading/foreign-file.ts"
import { removeLeft } from "../../home/writing/take-turns.ts"
import { createFile, isRunning, removeOrphans, replaceFile } from "../../home/writing/write-file.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { isTemporary } from "../config/replace-config.ts"
import { removeStrayBackups } from "./record.ts"

export type RunNote = {
  pid: number
  /** When it began. */
  at: string
  agent: string
  /** Files it may leave behind if it is killed: parts of the person's configuration. */
  temporaries: readonly string[]
}

export type Run = {
  /** Must be told before the first of them is made. */
  willMake(temporaries: readonly string[]): void
}

export type RunOptions = { home: string; agent: string; now: Date }

const fileIn = (home: string): string => join(home, "setup.running")

/** How long to wait for one and the same other set-up, and between two looks, in milliseconds. */
const longestWait = 10_000
const pause = 25

/** Runs exclusively: waits for another set-up, and cleans up after a killed one. */
export const runAlone = <Result>({ home, agent, now }: RunOptions, work: (run: Run) => Result): Result => {
  const note: RunNote = { pid: process.pid, at: now.toISOString(), agent, temporaries: [] }
  begin(home, note, now)
  try {
    return work({ willMake: (temporaries) => replaceNote(home, { ...note, temporaries }) })
  } finally {
    rmSync(fileIn(home), { force: true })
  }
}

/** Removes what a killed set-up left behind, and returns its note. Does nothing while one is at work. */
export const clearUp = (home: string, now: Date): RunNote | undefined => {
  removeOrphans(join(home, "tmp"))
  const note = readNote(fileIn(home))
  if (note && isAtWork(note, now)) return undefined
  for (const path of note?.temporaries ?? []) if (isTemporary(path)) rmSync(path, { force: true })
  removeStrayBackups(home)
  if (note) removeLeft(fileIn(home), (path) => !isAtWork(readNote(path) ?? noProcess, now))
  return note
}

const begin = (home: string, note: RunNote, now: Date): void => {
  let holder: number | undefined
  // By the clock and not by the pauses: on a busy machine each takes much longer.
  let end = performance.now() + longestWait
  while (!isCreated(home, note)) {
    const other = readNote(fileIn(home))
    const pid = other && isAtWork(other, now) ? other.pid : undefined
    if (pid !== undefined && pid !== holder) {
      holder = pid
      end = performance.now() + longestWait
    }
    if (performance.now() >= end) throw busy(home, pid)
    if (pid === undefined) clearUp(home, now)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pid === undefined ? 1 : pause)
  }
}

const busy = (home: string, pid: number | undefined): HeadwayError =>
  pid === undefined
    ? new HeadwayError(
        "setup-busy",
        `${fileIn(home)} cannot be removed, and set-up needs to write there. Move it away.`,
      )
    : new HeadwayError(
        "setup-busy",
        `Another "headway setup" is running (process ${pid}). Try again when it has finished.`,
      )

/** As a whole or not at all: half a note would say of no process that it is its own. */
const isCreated = (home: string, note: RunNote): boolean =>
  !existsSync(fileIn(home)) && createFile(fileIn(home), JSON.stringify(note), join(home, "tmp"))

const replaceNote = (home: string, note: RunNote): void =>
  void replaceFile(fileIn(home), JSON.stringify(note), join(home, "tmp"), { isDurable: true })

/** What cannot be read is the note of a process that died while it wrote it. */
const readNote = (path: string): RunNote | undefined => {
  const text = foreignTextIn(path)
  if (text === undefined) return undefined
  try {
    const { pid, at, agent, temporaries } = JSON.parse(text) as Record<string, unknown>
    const paths = Array.isArray(temporaries) ? temporaries.filter((path) => typeof path === "string") : []
    return { pid: Number(pid), at: String(at), agent: String(agent), temporaries: paths }
  } catch {
    return noProcess
  }
}

const noProcess: RunNote = { pid: 0, at: "", agent: "", temporaries: [] }

/** Longer than any run: its number may have gone to another process since. */
const longest = 10 * 60 * 1000

const isAtWork = ({ pid, at }: RunNote, now: Date): boolean => {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false
  return Math.abs(now.getTime() - Date.parse(at)) < longest && isRunning(pid)
}
