/** The files that Node and the shell launcher leave for each other in `aside`: when it may be silent, lines to print, events to take in. */
import { existsSync, lstatSync, readdirSync, rmSync, type Stats, unlinkSync, utimesSync } from "node:fs"
import { join } from "node:path"
import type { PlanKey } from "../../plan/event.ts"
import { planFileName } from "../paths/file-names.ts"
import { readForeignText } from "../reading/foreign-file.ts"
import { assertNoLink, makeFolderInside, replaceFile } from "../writing/write-file.ts"

/** An event the launcher put aside. */
export type AsideEvent = {
  /** The file it is in. */
  path: string
  /** Unique for every event, even if a later one reuses the file name. */
  id: string
  at: Date
  /** The following fields are undefined until the event was completely written. */
  content: { agent: string; cwd: string; text: string } | undefined
}

/** The version of the protocol; the launcher leaves other versions to Node. */
const format = "headway-1"

const folders = ["events", "silent", "lines"] as const

const folderIn = (home: string, name: (typeof folders)[number]): string => join(home, "aside", name)

/** Whether anything may have been put aside, at the cost of one stat. */
export const hasAside = (home: string): boolean => namesAside(home).length > 0

/** The plans, by the names of their files, for which something was put aside. */
export const plansAside = (home: string): string[] => [
  ...new Set(namesAside(home).map((name) => name.slice(0, name.lastIndexOf(".")))),
]

/** The events put aside for a plan, in order of arrival. */
export const eventsAside = (home: string, plan: string): AsideEvent[] => {
  const folder = folderIn(home, "events")
  const numberOf = (name: string): number => Number(name.slice(plan.length + 1))
  return namesAside(home)
    .filter((name) => name.startsWith(`${plan}.`) && numberOf(name) > 0)
    .toSorted((one, other) => numberOf(one) - numberOf(other))
    .flatMap((name) => eventIn(join(folder, name), name) ?? [])
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
}

const namesAside = (home: string): string[] => {
  try {
    return readdirSync(folderIn(home, "events"))
  } catch {
    return []
  }
}

const eventIn = (path: string, name: string): AsideEvent | undefined => {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (!stats) return undefined
  const about = { path, id: `${name}/${stats.ino}/${stats.mtimeNs}`, at: new Date(Number(stats.mtimeMs)) }
  return { ...about, content: stats.isFile() ? contentIn(path) : undefined }
}

/** Its first lines name the agent and the folder; its last line marks it as complete. */
const contentIn = (path: string): AsideEvent["content"] => {
  try {
    const [, agent = "", cwd = "", text = ""] =
      /^([^\n]*)\n([^\n]*)\n([\s\S]*)\nend\n$/.exec(readForeignText(path)) ?? []
    return agent === "" ? undefined : { agent, cwd, text }
  } catch {
    return undefined
  }
}

/** The launcher has ten seconds to write an event. An incomplete one after a minute was left by a killed launcher. */
const longest = 60_000

export const isAbandoned = ({ at, content }: AsideEvent, now: Date): boolean =>
  content === undefined && Math.abs(now.getTime() - at.getTime()) > longest

export const removeAside = ({ path }: AsideEvent): void => rmSync(path, { force: true, recursive: true })

export type Silence = {
  /** At most how many events are put aside. */
  most: number
  /** The plan's journal, and whether it exists: silence ends when it is written. */
  journal: string
  hasPlan: boolean
  /** The plan itself, which may have another name than the session of the event. */
  plan: PlanKey
  /** The agent's name of the event that may be put aside, and the tools whose events may not. */
  moment: string
  tools: readonly string[]
}

/**
 * Allows the launcher to stay silent. The caller must check the plan again afterwards, because it may have changed in
 * between.
 */
export const allowSilence = (home: string, event: PlanKey, silence: Silence): void => {
  const { most, journal, hasPlan, plan, moment, tools } = silence
  const path = silenceOf(home, event)
  const flag = silenceOf(home, plan)
  const lines = [`${format} ${most} ${hasPlan ? "plan" : "none"}`, journal, flag, moment, tools.join(" ")]
  // The launcher only handles plans whose ids are used unchanged as file names.
  if (/[%~]/.test(planFileName(event)) || lines.some((line) => line.includes("\n"))) return
  prepare(home)
  if (flag !== path) replaceFile(flag, "", join(home, "tmp"))
  replaceFile(path, `${lines.join("\n")}\n`, join(home, "tmp"))
}

/** The launcher checks only the folders to see whether Node has left anything. */
const prepare = (home: string): void => {
  for (const name of folders) makeFolderInside(folderIn(home, name))
  assertNoLink(join(home, "aside"))
}

/** The files that are left for the launcher about one plan. */
export type KeptFiles = { silence: string; line: string }

export const keptFilesOf = (home: string, key: PlanKey): KeptFiles => ({
  silence: silenceOf(home, key),
  line: lineOf(home, key),
})

/**
 * Every process that writes a plan calls this afterwards, because the files left for the launcher are outdated. Usually
 * there are none, and this costs one system call.
 */
export const forgetKept = ({ silence, line }: KeptFiles): void => {
  if (removeIfThere(silence)) removeIfThere(line)
}

export const forgetLine = (home: string, key: PlanKey): void => void removeIfThere(lineOf(home, key))

/** Sessions end without notice; the files left for them are as old as their last call. */
export const forgetOld = (home: string, before: Date): void => forgetWhere(home, ({ mtime }) => mtime < before)

/** Another store is used from now on: the files left for the launcher are about journals of the old one. */
export const forgetAllKept = (home: string): void => forgetWhere(home, () => true)

const forgetWhere = (home: string, isMeant: (stats: Stats) => boolean): void => {
  for (const name of ["silent", "lines"] as const) {
    const folder = folderIn(home, name)
    for (const file of existsSync(folder) ? readdirSync(folder) : []) {
      const stats = lstatSync(join(folder, file), { throwIfNoEntry: false })
      if (stats && isMeant(stats)) removeIfThere(join(folder, file))
    }
  }
}

/** Leaves the status line of a plan for the launcher, for some milliseconds. */
export const keepLine = (home: string, key: PlanKey, line: { text: string; width: number; lasts: number }): void => {
  const { text, width, lasts } = line
  if (text.includes("\n")) return
  prepare(home)
  const path = lineOf(home, key)
  // A line is only valid together with this file, which others check.
  const flag = silenceOf(home, key)
  if (!existsSync(flag)) replaceFile(flag, "", join(home, "tmp"))
  replaceFile(path, `${format} ${width}\n${text}\n`, join(home, "tmp"))
  // Its modification time is its expiry time, by the clock of the disk.
  const until = new Date(lstatSync(path).mtimeMs + lasts)
  utimesSync(path, until, until)
}

const silenceOf = (home: string, key: PlanKey): string => join(folderIn(home, "silent"), planFileName(key))

const lineOf = (home: string, key: PlanKey): string => join(folderIn(home, "lines"), planFileName(key))

const removeIfThere = (path: string): boolean => {
  // Checked first, because an error costs more than the check.
  if (!existsSync(path)) return false
  try {
    unlinkSync(path)
  } catch {}
  return true
}
