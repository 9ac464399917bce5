/** The repositories whose `.headway` the person trusts on this machine, by real path. */

import { dirname, join } from "node:path"
import { realPath } from "../paths/on-disk.ts"
import { takingTurnsAtOnce } from "../writing/take-turns.ts"
import { makeFolder, replaceFile, syncFolder } from "../writing/write-file.ts"
import { readOwnList, readOwnListToChange } from "./own-list.ts"

export type TrustedProject = {
  path: string
  since: string
  /** Where the person says it was before: what they wrote there is theirs here too. */
  formerly?: readonly string[]
  /** The home still has plans of its sessions: the process that was moving them may have been killed. */
  isUnsettled?: boolean
}

export const isTrusted = (home: string, project: string): boolean => {
  const path = realPath(project)
  return trustedProjects(home).some((trusted) => trusted.path === path)
}

export const trustProject = (
  home: string,
  project: string,
  now: Date,
  { isUnsettled = false }: Pick<TrustedProject, "isUnsettled"> = {},
): void => {
  const path = realPath(project)
  change(home, (trusted) => {
    const { formerly } = trusted.find((one) => one.path === path) ?? {}
    const others = trusted.filter((one) => one.path !== path)
    const more = { ...(formerly ? { formerly } : {}), ...(isUnsettled ? { isUnsettled } : {}) }
    return [...others, { path, since: now.toISOString(), ...more }]
  })
}

/** Trusts a project that the person moved here from a folder they trusted, and no longer that folder. */
export const trustMovedProject = (home: string, project: string, { from, now }: { from: string; now: Date }): void => {
  const path = realPath(project)
  change(home, (trusted) => {
    const known = trusted.filter((one) => one.path === path || one.path === from)
    const formerly = [...new Set([from, ...known.flatMap((one) => one.formerly ?? [])])].filter((one) => one !== path)
    return [
      ...trusted.filter((one) => !known.includes(one)),
      { path, since: now.toISOString(), formerly, isUnsettled: true },
    ]
  })
}

/** Those whose plans in the home are still to be settled, at the cost of reading one small file. */
export const unsettledProjects = (home: string): string[] =>
  trustedProjects(home).flatMap(({ path, isUnsettled }) => (isUnsettled === true ? [path] : []))

export const markSettled = (home: string, project: string): void =>
  change(home, (trusted) =>
    trusted.map(({ isUnsettled, ...one }) => (one.path === project || !isUnsettled ? one : { ...one, isUnsettled })),
  )

/** The folders that a project the person trusts was in before, as they said. */
export const formerFoldersOf = (home: string, project: string): readonly string[] =>
  trustedProjects(home).find(({ path }) => path === project)?.formerly ?? []

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
  const { path, since, formerly = [] } = (value ?? {}) as Record<string, unknown>
  const isList = Array.isArray(formerly) && formerly.every((one) => typeof one === "string")
  return typeof path === "string" && typeof since === "string" && isList
}

const save = (home: string, projects: readonly TrustedProject[]): void =>
  void replaceFile(fileIn(home), `${JSON.stringify({ v: 1, projects }, null, 2)}\n`, join(home, "tmp"), {
    isDurable: true,
  })

const fileIn = (home: string): string => join(home, "trusted-projects.json")
