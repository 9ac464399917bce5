/**
 * Signs journal lines written on this machine, so that lines that came with a repository are not attributed to the
 * person.
 */
import { closeSync, existsSync, fchmodSync, readSync, type Stats, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { HeadwayError, isHeadwayError } from "../../plan/headway-error.ts"
import { openWithStats } from "../reading/plain-file.ts"
import { createFile } from "../writing/write-file.ts"

/** Seals lines of one place, such as one plan of one project: a seal is not valid anywhere else. */
export type Seal = {
  /** The line with its seal in it. */
  seal(line: string): string
  /** Whether the line has a valid seal for this place. Without a usable key, none has. */
  holds(line: string): boolean
}

/** `home` keeps the key. It is made with the first seal. */
export const createSeal = (home: string): ((place: readonly string[]) => Seal) => {
  let key: Buffer | undefined
  return (place) => {
    const codeOf = (line: string, by: Buffer): string => {
      // Asked for only here: loading it would slow down every command in a project without a person's entries.
      const { createHmac } = process.getBuiltinModule("node:crypto")
      return createHmac("sha256", by)
        .update(`${JSON.stringify(place)}\n${line}`)
        .digest("hex")
    }
    return {
      seal(line) {
        key ??= readOrMakeKey(home)
        return `${line.slice(0, -1)},"seal":"${codeOf(line, key)}"}`
      },
      holds(line) {
        const [end = "", given] = sealed.exec(line) ?? []
        if (given === undefined) return false
        key ??= keyIfUsable(home)
        return key !== undefined && codeOf(`${line.slice(0, -end.length)}}`, key) === given
      },
    }
  }
}

/** Also accepts the seals of other places, in which the same lines were written before. */
export const acceptingFormer = (current: Seal, former: readonly Seal[]): Seal => ({
  seal: current.seal,
  holds: (line) => [current, ...former].some((one) => one.holds(line)),
})

const sealed = /,"seal":"([0-9a-f]{64})"\}$/

const keyLength = 32

const pathIn = (home: string): string => join(home, "seal.key")

const readOrMakeKey = (home: string): Buffer => {
  const path = pathIn(home)
  if (!existsSync(path))
    createFile(path, process.getBuiltinModule("node:crypto").randomBytes(keyLength), join(home, "tmp"))
  return readKey(path)
}

/** For reading, which creates nothing and never fails: lines that cannot be verified belong to others. */
const keyIfUsable = (home: string): Buffer | undefined => {
  try {
    return readKey(pathIn(home))
  } catch (cause) {
    if (isHeadwayError(cause) || (cause as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw cause
  }
}

const readKey = (path: string): Buffer => {
  const { file, stats } = openWithStats(path)
  try {
    const fault = faultOf(stats, path)
    if (fault !== undefined) throw unusable(path, fault)
    if ((stats.mode & forOthers) !== 0) fchmodSync(file, stats.mode & 0o700)
    // One more than the length of a key, to detect files that are too long.
    const bytes = Buffer.alloc(keyLength + 1)
    if (readSync(file, bytes) === keyLength) return bytes.subarray(0, keyLength)
    throw unusable(path, `does not hold a key of ${keyLength} bytes`)
  } finally {
    closeSync(file)
  }
}

const forOthers = 0o077
const enteredByOthers = 0o011

/** Why other users may know the key. A loose mode is harmless if they cannot enter the folder. */
const faultOf = ({ uid, mode }: Stats, path: string): string | undefined => {
  const user = process.geteuid?.()
  // Windows knows neither owner nor mode.
  if (user === undefined) return undefined
  if (uid !== user) return "belongs to another user"
  const isOpen = (mode & forOthers) !== 0 && (statSync(dirname(path)).mode & enteredByOthers) !== 0
  return isOpen ? "can be read or written by other users" : undefined
}

const unusable = (path: string, why: string): HeadwayError =>
  new HeadwayError("seal-key", `${path} ${why}, so it is not used. Remove it to get a new one.`)
