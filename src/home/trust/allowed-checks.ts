/** The commands a person has allowed Headway to run as checks, each in one folder. Kept in the home, never in a repository. */
import { join } from "node:path"
import { realPath } from "../paths/on-disk.ts"
import { takingTurnsAtOnce } from "../writing/take-turns.ts"
import { replaceFile } from "../writing/write-file.ts"
import { readOwnList, readOwnListToChange } from "./own-list.ts"

export type AllowedCheck = { project: string; command: string; since: string }

/** Allows exactly these commands in this folder. A file that cannot be read allows nothing. */
export const allowedCommands = (home: string, project: string): ReadonlySet<string> => {
  const path = realPath(project)
  const allowed = readOwnList(fileIn(home), "allowed", isAllowedCheck)
  return new Set(allowed.flatMap((one) => (one.project === path ? [one.command] : [])))
}

export const allowCheck = (home: string, project: string, command: string, now: Date): void => {
  if (allowedCommands(home, project).has(command)) return
  const item = { project: realPath(project), command, since: now.toISOString() }
  change(home, (known) => [...known.filter((one) => !isAbout(one, item)), item])
}

/** Returns whether it was allowed before. */
export const disallowCheck = (home: string, project: string, command: string): boolean => {
  if (!allowedCommands(home, project).has(command)) return false
  const item = { project: realPath(project), command }
  change(home, (known) => known.filter((one) => !isAbout(one, item)))
  return true
}

const isAbout = (one: AllowedCheck, { project, command }: Omit<AllowedCheck, "since">): boolean =>
  one.project === project && one.command === command

/** Done one at a time, so that concurrent changes do not overwrite each other. */
const change = (home: string, next: (known: readonly AllowedCheck[]) => readonly AllowedCheck[]): void =>
  takingTurnsAtOnce(join(home, "cache", "turns", "allowed-checks"), () => {
    const allowed = next(readOwnListToChange(fileIn(home), "allowed", isAllowedCheck))
    const text = `${JSON.stringify({ v: 1, allowed }, null, 2)}\n`
    replaceFile(fileIn(home), text, join(home, "tmp"), { isDurable: true })
  })

const isAllowedCheck = (value: unknown): value is AllowedCheck => {
  const { project, command, since } = (value ?? {}) as Record<string, unknown>
  return typeof project === "string" && typeof command === "string" && typeof since === "string"
}

const fileIn = (home: string): string => join(home, "allowed-checks.json")
