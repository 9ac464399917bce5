/** Replaces a whole file at once: readers see the old one or the new one, never half of it. */
import { mkdirSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

let count = 0

/** Writes through a temporary file that names its process; directly where renaming does not work. */
export const replaceFile = (path: string, text: string, temporaryFolder: string): void => {
  const target = realTarget(path)
  mkdirSync(temporaryFolder, { recursive: true, mode: 0o700 })
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  count += 1
  const temporary = join(temporaryFolder, `${process.pid}-${count}.tmp`)
  try {
    writeFileSync(temporary, text, { mode: 0o600 })
    if (!renameWithRetry(temporary, target)) writeFileSync(target, text, { mode: 0o600 })
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Temporary files of processes that are gone are nobody's. */
export const removeOrphans = (temporaryFolder: string): void => {
  let names: string[]
  try {
    names = readdirSync(temporaryFolder)
  } catch {
    return
  }
  for (const name of names) {
    const pid = Number(/^(\d+)-\d+\.tmp$/.exec(name)?.[1])
    if (pid > 0 && pid !== process.pid && !isRunning(pid)) rmSync(join(temporaryFolder, name), { force: true })
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code !== "ESRCH"
  }
}

/** A link is honoured: what it points to is replaced, not the link. */
const realTarget = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Scanners and indexers hold files for a moment on some systems. */
const patience = [10, 20, 40, 80, 160]

const renameWithRetry = (from: string, to: string): boolean => {
  for (const wait of [...patience, 0]) {
    try {
      renameSync(from, to)
      return true
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code ?? ""
      if (!["EPERM", "EBUSY", "EACCES"].includes(code)) {
        if (code === "EXDEV") return false
        throw cause
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait)
    }
  }
  return false
}
