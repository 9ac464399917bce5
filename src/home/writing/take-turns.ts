/** A lock between processes: a file says who holds it, and the lock of a process that no longer runs is ignored. */
import { closeSync, linkSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { foreignTextIn } from "../reading/foreign-file.ts"
import { isRunning, makeFolderInside } from "./write-file.ts"

/** How long to wait for the lock, and between two attempts, in milliseconds. A hook has ten seconds for everything. */
const longestWait = 7_000
const pause = 4

/** A lock is held for far less time. After this, a process with the same pid is a different one. */
const longestTurn = 30_000

/** If the lock is not free in time, or no file can be written, the action runs anyway: then two may run at once. */
export const takingTurns = async <Result>(path: string, action: () => Promise<Result>): Promise<Result> => {
  const isOurs = await hasTurn(path)
  try {
    return await action()
  } finally {
    if (isOurs) rmSync(path, { force: true })
  }
}

/** The same, synchronously: this process blocks until it has the lock. */
export const takingTurnsAtOnce = <Result>(path: string, action: () => Result): Result => {
  const isOurs = hasTurnAtOnce(path)
  try {
    return action()
  } finally {
    if (isOurs) rmSync(path, { force: true })
  }
}

const hasTurn = async (path: string): Promise<boolean> => {
  // Measured by the clock, because pauses take much longer on a busy machine.
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
    // The lock of a process that no longer runs is removed, and requested again.
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
 * Removes a stale lock. It is renamed first and checked again, because another process may have removed the old one and
 * hold the lock by now.
 */
export const removeLeft = (path: string, isLeft: (path: string) => boolean): void => {
  const taken = `${path}.${process.pid}`
  try {
    renameSync(path, taken)
    if (!isLeft(taken)) linkSync(taken, path)
  } catch {}
  rmSync(taken, { force: true, recursive: true })
}

/** Whether the holder has died; a holder that has not written its pid yet is waited for. */
const isLeft = (path: string): boolean => {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return false
  const age = Math.abs(Date.now() - stats.mtimeMs)
  const pid = Number(foreignTextIn(path))
  return age > longestTurn || (pid > 0 ? !isRunning(pid) : age > 1_000)
}
