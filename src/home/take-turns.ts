/** Lets one process at a time do something: a file says whose turn it is, and that of a process that is gone does not count. */
import { closeSync, linkSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { foreignTextIn } from "./foreign-file.ts"
import { isRunning, makeFolderInside } from "./write-file.ts"

/** How long to wait for a turn, and between two looks, in milliseconds. A hook has ten seconds for everything. */
const longestWait = 7_000
const pause = 4

/** A turn takes far less. A process that has the number of one that died longer ago is another one. */
const longestTurn = 30_000

/** Where no turn comes in time, or no file can be written, it is done all the same: then two may do it at once. */
export const takingTurns = async <Result>(path: string, action: () => Promise<Result>): Promise<Result> => {
  const isOurs = await hasTurn(path)
  try {
    return await action()
  } finally {
    if (isOurs) rmSync(path, { force: true })
  }
}

/** The same for what cannot wait in any other way: this process stands still until its turn comes. */
export const takingTurnsAtOnce = <Result>(path: string, action: () => Result): Result => {
  const isOurs = hasTurnAtOnce(path)
  try {
    return action()
  } finally {
    if (isOurs) rmSync(path, { force: true })
  }
}

const hasTurn = async (path: string): Promise<boolean> => {
  // By the clock and not by the pauses: on a busy machine each takes much longer.
  const end = performance.now() + longestWait
  do {
    const turn = askForTurn(path)
    if (turn !== "another's") return turn === "ours"
    await new Promise((resolve) => setTimeout(resolve, pause))
  } while (performance.now() < end)
  return false
}

const hasTurnAtOnce = (path: string): boolean => {
  const end = performance.now() + longestWait
  do {
    const turn = askForTurn(path)
    if (turn !== "another's") return turn === "ours"
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
  } while (performance.now() < end)
  return false
}

/** `none` where no file can be written. */
const askForTurn = (path: string): "ours" | "another's" | "none" => {
  try {
    makeFolderInside(dirname(path))
    // What a process that is gone has left is removed, and asked for again.
    if (isTaken(path)) return "ours"
    if (!isLeft(path)) return "another's"
    removeLeft(path, isLeft)
    return isTaken(path) ? "ours" : "another's"
  } catch {
    return "none"
  }
}

/** False where another process has it. */
const isTaken = (path: string): boolean => {
  try {
    const file = openSync(path, "wx", 0o600)
    try {
      writeSync(file, String(process.pid))
    } finally {
      closeSync(file)
    }
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false
    throw cause
  }
}

/**
 * Removes what a process left that is gone. Taken away first and looked at again: another process may have removed the old
 * one, and have its turn by now.
 */
export const removeLeft = (path: string, isLeft: (path: string) => boolean): void => {
  const taken = `${path}.${process.pid}`
  try {
    renameSync(path, taken)
    if (!isLeft(taken)) linkSync(taken, path)
  } catch {}
  rmSync(taken, { force: true, recursive: true })
}

/** Whether the process whose turn it is has ended without saying so; one that has not written its number yet is waited for. */
const isLeft = (path: string): boolean => {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return false
  const age = Math.abs(Date.now() - stats.mtimeMs)
  const pid = Number(foreignTextIn(path))
  return age > longestTurn || (pid > 0 ? !isRunning(pid) : age > 1_000)
}
