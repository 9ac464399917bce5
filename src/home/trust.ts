/** The repositories whose `.headway` the person trusts on this machine, by real path. */
import { realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { readOwnList, readOwnListToChange } from "./own-list.ts"
import { takingTurnsAtOnce } from "./take-turns.ts"
import { makeFolder, replaceFile, syncFolder } from "./write-file.ts"

export type TrustedProject = { path: string; since: string }

export const isTrusted = (home: string, project: string): boolean => {
  const path = realPath(project)
  return trustedProjects(home).some((trusted) => trusted.path === path)
}

export const trustProject = (home: string, project: string, now: Date): void => {
  const path = realPath(project)
  change(home, (trusted) => [...trusted.filter((one) => one.path !== path), { path, since: now.toISOString() }])
}

/** Returns whether it was trusted before. */
export const distrustProject = (home: string, project: string): boolean => {
  const path = realPath(project)
  // Checked first, so that nothing is created in the home if there is nothing to do.
  if (!isTrusted(home, project)) return false
  change(home, (trusted) => trusted.filter((one) => one.path !== path))
  return true
}

/** Done one at a time, so that concurrent changes do not overwrite each other. */
const change = (home: string, next: (trusted: readonly TrustedProject[]) => readonly TrustedProject[]): void => {
  const made = makeFolder(home)
  takingTurnsAtOnce(join(home, "cache", "turns", "trust"), () =>
    save(home, next(readOwnListToChange(fileIn(home), "projects", isTrustedProject))),
  )
  for (const folder of made) syncFolder(dirname(folder))
}

/** A file that cannot be read grants no trust. */
export const trustedProjects = (home: string): TrustedProject[] =>
  readOwnList(fileIn(home), "projects", isTrustedProject)

const isTrustedProject = (value: unknown): value is TrustedProject => {
  const { path, since } = (value ?? {}) as Record<string, unknown>
  return typeof path === "string" && typeof since === "string"
}

const save = (home: string, projects: readonly TrustedProject[]): void =>
  void replaceFile(fileIn(home), `${JSON.stringify({ v: 1, projects }, null, 2)}\n`, join(home, "tmp"), {
    isDurable: true,
  })

const fileIn = (home: string): string => join(home, "trusted-projects.json")

/** The real path, or the path itself if nothing exists there. */
export const realPath = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
