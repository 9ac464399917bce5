/** Which project a folder belongs to: the root of its repository (one for all worktrees), else the folder itself. */
import { statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { foreignTextIn } from "../home/foreign-file.ts"
import { sanitise } from "../plan/text/sanitise.ts"

export const projectOf = (folder: string): string => {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const kind = kindOf(join(at, ".git"))
    if (kind === "folder") return at
    if (kind === "file") return mainWorktree(at)
    if (dirname(at) === at) return resolve(folder)
  }
}

/** A short name for sessions and listings. */
export const projectName = (project: string): string => basename(project) || "root"

/** What people call the projects of many sessions, with each folder looked at once. */
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
    const stats = statSync(path)
    // A pipe would be waited for.
    if (!stats.isDirectory() && !stats.isFile()) return undefined
    return stats.isDirectory() ? "folder" : "file"
  } catch {
    return undefined
  }
}

/** In bytes. A pointer is one line with a path in it. */
const longestPointer = 64 << 10

/** A worktree's `.git` is a file that points into the repository it shares. */
const mainWorktree = (root: string): string => {
  const pointer = /^gitdir: (.+)$/m.exec(foreignTextIn(join(root, ".git"), longestPointer) ?? "")?.[1]
  const folder = pointer && resolve(root, pointer)
  const shared = folder && /^(.*)[\\/]\.git[\\/]worktrees[\\/]/.exec(folder)?.[1]
  return shared && pointsBack(folder, root) ? shared : root
}

/** A repository knows its worktrees; a file that only claims to be one of them proves nothing. */
const pointsBack = (folder: string, root: string): boolean => {
  const pointer = foreignTextIn(join(folder, "gitdir"), longestPointer)
  return pointer !== undefined && resolve(folder, pointer.trim()) === join(root, ".git")
}
