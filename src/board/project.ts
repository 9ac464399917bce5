/** Which project a folder belongs to: the root of its repository (one for all worktrees), else the folder itself; and its branch. */
import { lstatSync, type Stats, statSync } from "node:fs"
import { basename, dirname, isAbsolute, join, resolve } from "node:path"
import { foreignTextIn } from "../home/reading/foreign-file.ts"
import { sanitise } from "../plan/text/sanitise.ts"

/** In characters. Longer paths lead nowhere on most systems, and a hostile one would keep those who walk up it busy for hours. */
const longestPath = 4096

export const projectOf = (folder: string): string => {
  if (folder.length > longestPath) return folder
  for (let at = resolve(folder); ; at = dirname(at)) {
    const kind = kindOf(join(at, ".git"))
    if (kind === "folder") return at
    if (kind === "file") return mainWorktree(at)
    if (dirname(at) === at) return resolve(folder)
  }
}

/** The folder being worked on: in a repository with several worktrees, the worktree around a folder. */
export const workFolderOf = (folder: string): string => {
  if (folder.length > longestPath) return folder
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (kindOf(join(at, ".git")) !== undefined) return at
    if (dirname(at) === at) return resolve(folder)
  }
}

/** The current branch of the repository around a folder, or undefined if there is none. */
export const branchAt = (folder: string): string | undefined => {
  if (!isAbsolute(folder) || folder.length > longestPath) return undefined
  for (let at = resolve(folder); ; at = dirname(at)) {
    const kind = kindOf(join(at, ".git"))
    if (kind === "folder") return branchIn(join(at, ".git"))
    if (kind === "file") return branchOfWorktree(at)
    if (dirname(at) === at) return undefined
  }
}

const branchIn = (folder: string): string | undefined => {
  const head = foreignTextIn(join(folder, "HEAD"), longestPointer) ?? ""
  return sanitise(/^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? "") || undefined
}

/** A short name for sessions and listings. */
export const projectName = (project: string): string => sanitise(basename(project)) || "root"

/** A project name that is the same on all machines: the address of its repository, otherwise the name of its folder. */
export const sharedProjectName = (project: string): string => {
  const config = foreignTextIn(join(project, ".git", "config"), longestPointer) ?? ""
  return sanitise(placeIn(originIn(config).slice(0, longestAddress))).slice(0, longestName) || projectName(project)
}

/** The address of `origin` in git's configuration, or "". */
const originIn = (config: string): string => {
  let isOrigin = false
  for (const line of config.split("\n")) {
    const text = line.trim()
    if (text.startsWith("[")) isOrigin = text.startsWith('[remote "origin"]')
    const [, address] = (isOrigin && /^url\s*=\s*(\S+)/.exec(text)) || []
    if (address !== undefined) return address
  }
  return ""
}

/** In characters. */
const [longestName, longestAddress] = [200, 2000]

/**
 * The address without protocol and user: every form becomes `github.com/acme/shop`. A local folder means nothing on
 * other machines.
 */
const placeIn = (origin: string): string => {
  const [, host = "", rest = ""] = /^(?:\w+:\/\/)?(?:[^@/]*@)?([\w.-]+)(?::\d+)?[:/]+([^:/].*)$/.exec(origin) ?? []
  const path = rest.replace(/(?<!\/)\/+$/, "").replace(/\.git$/, "")
  return host === "" || origin.startsWith("file:") || /^[./~]/.test(origin) ? "" : `${host.toLowerCase()}/${path}`
}

/** Resolves project names for many sessions, reading each folder once. */
export const createProjectLabels = (home: string): ((project: string | undefined) => string) => {
  const labels = new Map<string | undefined, string>()
  return (project) => {
    const label = labels.get(project) ?? projectLabel(project, home)
    labels.set(project, label)
    return label
  }
}

/** Folders of one repository are one project; anything that is not a folder is a label the agent uses. */
const projectLabel = (project: string | undefined, home: string): string => {
  if (project === undefined) return "(no project)"
  if (!/^(?:[/\\]|[A-Za-z]:)/.test(project)) return sanitise(project)
  const folder = projectOf(project)
  return sanitise(folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder)
}

const kindOf = (path: string): "folder" | "file" | undefined => {
  try {
    const itself = lstatSync(path)
    const stats = itself.isSymbolicLink() ? statSync(path) : itself
    // Reading a pipe would block.
    if (!stats.isDirectory() && !stats.isFile()) return undefined
    if (isPlanted(path, itself) || isPlanted(path, stats)) return undefined
    return stats.isDirectory() ? "folder" : "file"
  } catch {
    return undefined
  }
}

/**
 * Whether another user put it there, in a folder that is not theirs or that all may write to: a `.git` in /tmp must not decide
 * where the commands of everyone who works below it run. In its own folder it is their repository.
 */
const isPlanted = (path: string, { uid }: Stats): boolean => {
  if (isTrusted(uid)) return false
  const folder = statSync(dirname(path))
  return uid !== folder.uid || (folder.mode & writableByAll) !== 0
}

/** Other users may have their own files in it, sticky or not. */
const writableByAll = 0o002

/** The person and the system. On Windows owners are not visible as numbers. */
const isTrusted = (uid: number): boolean => uid === 0 || uid === (process.geteuid?.() ?? uid)

/** In bytes. A pointer is one line with a path in it. */
const longestPointer = 64 << 10

/** A worktree's `.git` is a file that points into the repository it shares. */
const folderOfWorktree = (root: string): string | undefined => {
  const pointer = /^gitdir: (.+)$/m.exec(foreignTextIn(join(root, ".git"), longestPointer) ?? "")?.[1]
  return pointer === undefined ? undefined : resolve(root, pointer)
}

const branchOfWorktree = (root: string): string | undefined => {
  const folder = folderOfWorktree(root)
  return folder !== undefined && pointsBack(folder, root) ? branchIn(folder) : undefined
}

/** Split by the rules of this system: in a name with backslashes, the part before them may be a link to any repository. */
const mainWorktree = (root: string): string => {
  const folder = folderOfWorktree(root)
  if (folder === undefined || !pointsBack(folder, root)) return root
  const shared = dirname(dirname(dirname(folder)))
  return folder === join(shared, ".git", "worktrees", basename(folder)) ? shared : root
}

/**
 * A repository lists its worktrees; a file that only claims to be one proves nothing. A worktree that is gone may still be
 * listed, and another user may have made a folder in its place.
 */
const pointsBack = (folder: string, root: string): boolean => {
  const pointer = foreignTextIn(join(folder, "gitdir"), longestPointer)
  if (pointer === undefined || resolve(folder, pointer.trim()) !== join(root, ".git")) return false
  const { uid } = statSync(join(root, ".git"))
  return isTrusted(uid) || uid === statSync(folder).uid
}
