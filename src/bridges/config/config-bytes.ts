/** Reads a file of any kind without blocking, with a size limit and clear errors. */
import { resolve } from "node:path"
import { type ForeignContent, readForeignFile } from "../../home/reading/foreign-file.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { isInside } from "../programs/find-program.ts"

/** Far more than any configuration: agents keep some of their history in it. */
const mostBytes = 32 * 1024 * 1024

/** A project's file is untrusted, and hooks read it at every step of an agent. */
const mostOfProject = 1024 * 1024

/** How much of a file is read at most. A folder that contains the person's home is not a project. */
export const mostBytesOf = (path: string, { home, project }: { home: string; project: string }): number =>
  isInside(resolve(path), project) && !isInside(home, project) ? mostOfProject : mostBytes

/** Undefined if there is no such file. `path` is the name used in messages. */
export const readConfigBytes = (target: string, path = target, most = mostBytes): ForeignContent | undefined => {
  try {
    return readForeignFile(target, most)
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException
    if (code === "ENOENT" || code === "ENOTDIR") return undefined
    throw unreadable(path, cause as NodeJS.ErrnoException, most)
  }
}

/** The text of a file that is only looked at; undefined whenever it cannot be had. */
export const textOfConfig = (path: string): string | undefined => {
  try {
    return readConfigBytes(path)?.bytes.toString("utf8")
  } catch {
    return undefined
  }
}

const unreadable = (path: string, cause: NodeJS.ErrnoException, most: number): HeadwayError => {
  const { code = "", message } = cause
  if (code === "file-too-large") {
    const why = `is larger than ${most / 1024 / 1024} MB, so it was not read. Make it shorter.`
    return new HeadwayError("config-file", `${path} ${why}`, { cause })
  }
  const why = Object.hasOwn(reasons, code) ? reasons[code] : `cannot be read: ${message}.`
  return new HeadwayError("config-file", `${path} ${why}`, { cause })
}

const notAFile = "is not a file. Move it away, or put a file in its place."

const denied = "is not readable for you. Give yourself permission to read it."

const reasons: Record<string, string> = {
  "not-a-regular-file": notAFile,
  ENXIO: notAFile,
  EACCES: denied,
  EPERM: denied,
  EISDIR: "is a folder. Move it away, or put a file in its place.",
  ELOOP: "is a link that points back to itself. Remove it, or point it at a file.",
}
