/** The token that programs send to `headway serve`: random, kept in the home, readable only by its owner. */
import { randomBytes } from "node:crypto"
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, rmSync, type Stats } from "node:fs"
import { join } from "node:path"
import { HeadwayError } from "../../plan/headway-error.ts"
import { createFile, isLink, removeOrphans, replaceFile } from "../writing/write-file.ts"

export const tokenPath = (home: string): string => join(home, "serve-token")

/** 256 bits, in characters that need no quoting in a URL, a header or a configuration file. */
export const makeToken = (): string => randomBytes(32).toString("base64url")

const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** The token of a home, created if missing: a restart keeps the address, so that connected agents keep working. */
export const loadToken = (home: string): string => readToken(home) ?? firstToken(home)

/** Throws for a token that another user could know, or could have put there. */
export const readToken = (home: string): string | undefined => {
  const path = tokenPath(home)
  waitForOneName(home, path)
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  let file: number
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === "ENOENT") return undefined
    throw unusable(path, code === "ELOOP" ? "is a link" : "cannot be read", cause)
  }
  try {
    const fault = faultOf(fstatSync(file))
    if (fault) throw unusable(path, fault)
    const bytes = Buffer.alloc(100)
    const text = bytes.toString("latin1", 0, readSync(file, bytes)).trim()
    if (!isToken(text)) throw unusable(path, "holds no token")
    return text
  } finally {
    closeSync(file)
  }
}

/** The token file has a second name for an instant while it is created, which stays if that process is killed. */
const waitForOneName = (home: string, path: string): void => {
  for (const wait of [5, 20, 80]) {
    if ((lstatSync(path, { throwIfNoEntry: false })?.nlink ?? 1) === 1) return
    removeOrphans(join(home, "tmp"))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait)
  }
}

/** Replaces the token; the old one stays if that fails. A link in its place is replaced, not followed. */
export const saveToken = (home: string, token: string): void => {
  const path = tokenPath(home)
  if (isLink(path)) rmSync(path, { force: true })
  replaceFile(path, `${token}\n`, join(home, "tmp"), { isDurable: true })
}

/** If several programs start at once, one creates the token and the others read it. */
const firstToken = (home: string): string => {
  const path = tokenPath(home)
  const temporaryFolder = join(home, "tmp")
  const token = makeToken()
  if (createFile(path, `${token}\n`, temporaryFolder)) return token
  const there = readToken(home)
  if (there !== undefined) return there
  throw unusable(path, "cannot be made")
}

/** Why a file cannot be trusted with a secret, or undefined if it can. Windows has neither owner nor mode. */
const faultOf = (stats: Stats): string | undefined => {
  if (!stats.isFile()) return "is not a file"
  const user = process.getuid?.()
  if (user === undefined) return undefined
  if (stats.uid !== user) return "belongs to another user"
  if ((stats.mode & 0o077) !== 0) return "can be read or written by other users"
  return stats.nlink > 1 ? "has several names (hard links)" : undefined
}

const unusable = (path: string, why: string, cause?: unknown): HeadwayError =>
  new HeadwayError(
    "unsafe-token",
    `${path} ${why}, so it is not used. Make a new token with "headway serve --new-token".`,
    { cause },
  )
