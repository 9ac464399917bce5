/** Replaces a whole file at once: readers see the old one or the new one, never half of it. */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"

/** By what a file is known again, as long as nobody writes it. */
export type FileMark = { id: number; size: number; time: number }

export const markOf = ({ ino, size, mtimeMs }: Stats): FileMark => ({ id: ino, size, time: mtimeMs })

const ownersOnly = 0o600

/**
 * Writes through a temporary file that names its process; directly where renaming does not work.
 * Answers which file it left there, if it is known for sure.
 */
export const replaceFile = (
  path: string,
  content: string | Buffer,
  temporaryFolder: string,
  mode = ownersOnly,
): FileMark | undefined => {
  const target = realTarget(path)
  makeFolder(temporaryFolder)
  makeFolder(dirname(target))
  const temporary = join(temporaryFolder, `${process.pid}-${Math.random().toString(36).slice(2)}.tmp`)
  try {
    writeFileSync(temporary, content, { mode: ownersOnly })
    if (mode !== ownersOnly) chmodSync(temporary, mode)
    const mark = markOf(statSync(temporary))
    if (renameWithRetry(temporary, target)) return mark
    writeFileSync(target, content, { mode })
    return undefined
  } finally {
    rmSync(temporary, { force: true })
  }
}

/**
 * Makes a folder and those above it, for its owner alone. Node's own way never ends where the system says that a folder is
 * not there though the one above it is, as under /proc.
 */
export const makeFolder = (path: string): void => {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    // Somebody else made it meanwhile.
    if (code === "EEXIST" && statSync(path).isDirectory()) return
    if (code !== "ENOENT" || dirname(path) === path) throw cause
    makeFolder(dirname(path))
    mkdirSync(path, { mode: 0o700 })
  }
}

/** Moves a file that cannot be read out of the way: somebody may want to see it. Answers where it is now. */
export const keepAside = (path: string): string => {
  const aside = `${path}.bad-${Date.now().toString(36)}`
  renameSync(path, aside)
  return aside
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
    const pid = Number(/^(\d+)-\w+\.tmp$/.exec(name)?.[1])
    if (pid > 0 && pid !== process.pid && !isRunning(pid)) rmSync(join(temporaryFolder, name), { force: true })
  }
}

export const isRunning = (pid: number): boolean => {
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

export const renameWithRetry = (from: string, to: string): boolean => {
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
