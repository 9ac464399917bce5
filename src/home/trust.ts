/** The repositories whose `.headway` a person has said to use on this machine, by real path. */
import { realpathSync } from "node:fs"
import { join } from "node:path"
import { readForeignText } from "./foreign-file.ts"
import { replaceFile } from "./write-file.ts"

export type TrustedProject = { path: string; since: string }

export const isTrusted = (home: string, project: string): boolean => {
  const path = realPath(project)
  return trustedProjects(home).some((trusted) => trusted.path === path)
}

export const trustProject = (home: string, project: string, now: Date): void => {
  const path = realPath(project)
  const others = trustedProjects(home).filter((trusted) => trusted.path !== path)
  save(home, [...others, { path, since: now.toISOString() }])
}

/** Returns whether it was trusted before. */
export const distrustProject = (home: string, project: string): boolean => {
  const path = realPath(project)
  const trusted = trustedProjects(home)
  const others = trusted.filter((one) => one.path !== path)
  if (others.length < trusted.length) save(home, others)
  return others.length < trusted.length
}

/** A file that cannot be read grants no trust. */
export const trustedProjects = (home: string): TrustedProject[] => {
  try {
    const { projects } = JSON.parse(readForeignText(fileIn(home))) as { projects?: unknown }
    return Array.isArray(projects) ? projects.filter(isTrustedProject) : []
  } catch {
    return []
  }
}

const isTrustedProject = (value: unknown): value is TrustedProject => {
  const { path, since } = (value ?? {}) as Record<string, unknown>
  return typeof path === "string" && typeof since === "string"
}

const save = (home: string, projects: readonly TrustedProject[]): void =>
  void replaceFile(fileIn(home), `${JSON.stringify({ v: 1, projects }, null, 2)}\n`, join(home, "tmp"), {
    isDurable: true,
  })

const fileIn = (home: string): string => join(home, "trusted-projects.json")

const realPath = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
