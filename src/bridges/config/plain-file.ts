/** Reads a file that may be anything: never waits, never reads without end, and says in a sentence why it cannot be read. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs"
import { HeadwayError } from "../../plan/headway-error.ts"

export type PlainFile = { bytes: Buffer; stats: Stats }

/** Far more than any configuration: agents keep some of their history in it. */
const mostBytes = 32 * 1024 * 1024

/** Undefined when there is no such file. `path` is how it is named to the person. */
export const readPlainFile = (target: string, path = target): PlainFile | undefined => {
  let descriptor: number | undefined
  try {
    // Opening alone does something to some devices.
    if (!statSync(target).isFile()) throw notPlain(path)
    // What has become a pipe since then would be waited for otherwise.
    descriptor = openSync(target, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw notPlain(path)
    return { bytes: readAll(descriptor, path), stats }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === "ENOENT" || code === "ENOTDIR") return undefined
    throw cause instanceof HeadwayError ? cause : unreadable(path, cause as NodeJS.ErrnoException)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** The text of a file that is only looked at; undefined whenever it cannot be had. */
export const textOfPlainFile = (path: string): string | undefined => {
  try {
    return readPlainFile(path)?.bytes.toString("utf8")
  } catch {
    return undefined
  }
}

/** Counted while it is read: what a file says about its size need not be true, as under /proc. */
const readAll = (descriptor: number, path: string): Buffer => {
  const parts: Buffer[] = []
  let size = 0
  const room = Buffer.allocUnsafeSlow(256 * 1024)
  for (;;) {
    const count = readSync(descriptor, room)
    if (count === 0) return Buffer.concat(parts)
    parts.push(Buffer.from(room.subarray(0, count)))
    size += count
    if (size > mostBytes) {
      const most = `${mostBytes / 1024 / 1024} MB`
      throw new HeadwayError("config-file", `${path} is larger than ${most}, so it was not read. Make it shorter.`)
    }
  }
}

const notPlain = (path: string): HeadwayError =>
  new HeadwayError("config-file", `${path} is not a file. Move it away, or put a file in its place.`)

const unreadable = (path: string, cause: NodeJS.ErrnoException): HeadwayError => {
  const { code = "", message } = cause
  if (code === "ENXIO") return notPlain(path)
  const why = Object.hasOwn(reasons, code) ? reasons[code] : `cannot be read: ${message}.`
  return new HeadwayError("config-file", `${path} ${why}`, { cause })
}

const denied = "may not be read. Give yourself the right to read it."

const reasons: Record<string, string> = {
  EACCES: denied,
  EPERM: denied,
  EISDIR: "is a folder. Move it away, or put a file in its place.",
  ELOOP: "is a link that leads back to itself. Remove it, or let it lead to a file.",
}
