/** Writes another program's configuration files: each at once and only if it is still as it was read, all of them or none. */
import { closeSync, constants, fchmodSync, fsyncSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { openPlainFile } from "../../home/reading/plain-file.ts"
import { renameWithRetry } from "../../home/writing/write-file.ts"
import { HeadwayError, messageOf } from "../../plan/headway-error.ts"
import { readConfigBytes } from "./config-bytes.ts"

/** One file as it is or should become; undefined bytes mean that it is not there. */
export type State = { bytes: Buffer | undefined; mode: number }

export type Replacement = {
  target: string
  from: State
  to: State
  /** Where the new content is written first: next to the file, because only there it can replace it atomically. */
  temporary: string
}

export const replacementOf = (target: string, from: State, to: State): Replacement => ({
  target,
  from,
  to,
  temporary: join(dirname(target), `.headway-${process.pid}-${Math.random().toString(36).slice(2)}.tmp`),
})

/** Whether a path is one of ours to remove. */
export const isTemporary = (path: string): boolean => /^\.headway-\d+-\w+\.tmp$/.test(basename(path))

/** Everything that takes time comes first; then all files take their places one right after the other. */
export const replaceAll = (replacements: readonly Replacement[], put: (one: Replacement) => void = place): void => {
  const done: Replacement[] = []
  try {
    for (const one of replacements) stage(one)
    for (const one of replacements) {
      if (!isAt(one.target, one.from)) {
        throw new HeadwayError("changed-meanwhile", `${one.target} was just changed by another program.`)
      }
      put(one)
      done.unshift(one)
    }
  } catch (cause) {
    for (const one of done) takeBack(one)
    const why = messageOf(cause)
    const code = cause instanceof HeadwayError ? cause.code : "setup-failed"
    throw new HeadwayError(code, `${why} Nothing was changed; try again.`, { cause })
  } finally {
    for (const { temporary } of replacements) rmSync(temporary, { force: true })
  }
}

const stage = ({ target, temporary, to }: Replacement): void => {
  if (to.bytes === undefined) return
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  // Never into something that is there: its name cannot be guessed, and it holds keys.
  const descriptor = openSync(temporary, "wx", 0o600)
  try {
    writeFileSync(descriptor, to.bytes)
    // Not by its name: where others may write to the folder, that could be a link of theirs by now.
    fchmodSync(descriptor, to.mode)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export const place = ({ target, temporary, to }: Replacement): void => {
  if (to.bytes === undefined) rmSync(target, { force: true })
  // A file that is mounted by itself cannot be replaced, only written over.
  else if (!renameWithRetry(temporary, target)) writeOver(target, to.bytes)
}

/** The target is where all links have led already: one that is there now came later. */
const writeOver = (target: string, bytes: Buffer): void => {
  const file = openPlainFile(target, constants.O_WRONLY | constants.O_TRUNC)
  try {
    writeFileSync(file, bytes)
  } finally {
    closeSync(file)
  }
}

/** What another program has changed since stays as it wants it. */
const takeBack = ({ target, temporary, from, to }: Replacement): void => {
  if (!isAt(target, to)) return
  const back = { target, temporary, from: to, to: from }
  rmSync(temporary, { force: true })
  stage(back)
  place(back)
}

const isAt = (target: string, { bytes }: State): boolean => {
  const now = readConfigBytes(target)?.bytes
  return bytes === undefined ? now === undefined : (now?.equals(bytes) ?? false)
}
