/** Finds a program on the PATH, ignoring folders that the project or another user can write to. */

import { accessSync, constants, lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs"
import { delimiter, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { realPath } from "../../home/paths/on-disk.ts"

export type Search = {
  env: Readonly<Record<string, string | undefined>>
  /** The person's home folder: a folder that contains it is not a project, as a home may be under version control. */
  home?: string
  /** Where the work is done; what is in it may be anyone's, such as `node_modules/.bin` of a cloned repository. */
  project?: string
}

/** The first executable file of that name. A name with a folder in it is a path, and is not looked up. */
export const findProgram = (name: string, search: Search): string | undefined => {
  if (name === "" || /[\\/]/.test(name)) return undefined
  const endings = ["", ...(search.env.PATHEXT?.split(";") ?? [])]
  return trustedFolders(search)
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
    .find((path) => isExecutable(path) && isOutOfReach(path))
}

/** The environment for a program that we start: what it starts itself is looked up with the same care. */
export const trustedEnv = (search: Search): Record<string, string | undefined> => {
  const { PATH, Path, ...env } = search.env
  const path = trustedFolders(search).join(delimiter) || systemPath
  return { ...env, ...(PATH === undefined && Path !== undefined ? { Path: path } : { PATH: path }) }
}

/** An empty PATH would mean the folder one is in. */
const systemPath = process.platform === "win32" ? "" : "/usr/bin:/bin"

/** The shell for a person's own command line. */
export const shellOf = (search: Search): string => findProgram("sh", search) ?? "/bin/sh"

export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Whether a path is a folder or is in it, by their names alone. */
export const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** A folder that is not named in full, such as "." or "bin", means another one in every project. */
const trustedFolders = ({ env, home, project }: Search): string[] =>
  (env.PATH ?? env.Path ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isOfProject(folder, home, project) && isOutOfReach(folder))

const isOfProject = (folder: string, home: string | undefined, project: string | undefined): boolean => {
  if (project === undefined || (home !== undefined && isInside(home, project))) return false
  return isInside(resolve(folder), project) || isInside(realPath(folder), realPath(project))
}

/** Whether no other user can put something else there: neither into it nor in place of a folder it is in. */
export const isOutOfReach = (path: string): boolean => {
  try {
    const real = realpathSync(path)
    const stats = statSync(real)
    return isTrustedOwner(stats) && !isOpenToAll(stats) && isWayClosed(dirname(real)) && areLinksSafe(path, mostLinks)
  } catch {
    return false
  }
}

const mostLinks = 40

/** Whether no other user can exchange a link on the way: the path is used by its name later. */
const areLinksSafe = (path: string, left: number): boolean => {
  const above = dirname(path)
  if (path === above) return true
  if (left === 0 || !areLinksSafe(above, left)) return false
  const itself = lstatSync(path)
  if (!itself.isSymbolicLink()) return true
  const real = realpathSync(above)
  const isSafe = isTrustedOwner(itself) && isTrustedOwner(statSync(real)) && isWayClosed(real)
  return isSafe && areLinksSafe(resolve(real, readlinkSync(path)), left - 1)
}

const isWayClosed = (folder: string): boolean => {
  const stats = statSync(folder)
  // In a sticky folder, such as /tmp, others may add names but not take one away.
  const isClosed = !isOpenToAll(stats) || (stats.mode & 0o1000) !== 0
  return isClosed && (folder === dirname(folder) || isWayClosed(dirname(folder)))
}

/** Modes and owners mean nothing on Windows. */
const isOpenToAll = ({ mode }: Stats): boolean => process.geteuid !== undefined && (mode & 0o002) !== 0

/** The system, the person, and the one whose Node runs this program: that one decides what runs already. */
const isTrustedOwner = ({ uid }: Stats): boolean =>
  process.geteuid === undefined || uid === 0 || uid === process.geteuid() || uid === statSync(process.execPath).uid
