/** Resolves a model's path, and checks whether it is inside the working folder. */
import { lstat, readdir, readlink, realpath } from "node:fs/promises"
import { homedir } from "node:os"
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { z } from "zod"
import { similarity } from "../../plan/index.ts"
import { makeLineVisible } from "../../plan/text/visible.ts"
import { namesPrograms } from "./program-files.ts"
import type { Permission, ToolContext } from "./tool.ts"

export const pathInput = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => !path.includes("\0") && path.isWellFormed(), "has a character that is not allowed in paths")

export type Place = {
  /** The path with every link followed; for a new file, the place where it would be created. */
  real: string
  isOutside: boolean
  /** The exact path, relative to the working folder if inside it. */
  named: string
  /** The same on one line, with invisible characters made visible. */
  shown: string
  /** The path as given, if a link on it leads elsewhere. */
  link?: string
}

export const placeOf = async (given: string, cwd: string): Promise<Place> => {
  const path = resolve(cwd, given === "~" || given.startsWith(`~${sep}`) ? join(homedir(), given.slice(1)) : given)
  const [real, folder] = await Promise.all([realOf(path, 0), realOf(resolve(cwd), 0)])
  const way = relative(folder, real)
  const isOutside = leadsOut(way)
  const named = isOutside ? real : way || "."
  const isLinked = real !== path && real !== join(folder, relative(resolve(cwd), path))
  return { real, isOutside, named, shown: makeLineVisible(named), ...(isLinked ? { link: given } : {}) }
}

/**
 * The place when the tool runs. Since the question to the person, or since the check that needed none, a folder on the
 * path may have been replaced by a link. Throws if the path now leads elsewhere.
 */
export const permittedPlaceOf = async (given: string, { cwd, permitted }: ToolContext): Promise<Place> => {
  const place = await placeOf(given, cwd)
  if (permitted === undefined ? place.isOutside : place.named !== permitted) {
    throw new Error(`The path leads to ${whereOf({ ...place, named: place.shown })} now, which was not permitted.`)
  }
  return place
}

/** Whether a relative path leaves its folder. */
export const leadsOut = (way: string): boolean => way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)

const mostLinks = 40

/** Like `realpath`, but also for missing files, because writing follows a link whose target does not exist yet. */
const realOf = async (path: string, links: number): Promise<string> => {
  try {
    return await realpath(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== "ENOENT" || dirname(path) === path) throw cause
  }
  const folder = await realOf(dirname(path), links)
  const here = join(folder, basename(path))
  const isLink = await lstat(here).then(
    (found) => found.isSymbolicLink(),
    () => false,
  )
  if (!isLink) return here
  if (links >= mostLinks) throw Object.assign(new Error("Too many links."), { code: "ELOOP", path })
  return realOf(resolve(folder, await readlink(here)), links + 1)
}

/** Reading inside the working folder needs no permission. */
export const readingOf = (place: Place): Permission | undefined =>
  place.isOutside
    ? { action: "read", target: place.named, isOutside: true, question: `Read ${whereOf(place)}?` }
    : undefined

/** `act` names the change; `extent` names the part of the file, if not all of it. */
export const writingOf = async (place: Place, { act, extent = "", detail }: Writing): Promise<Permission> => {
  const canRunPrograms = !place.isOutside && (await namesPrograms(place))
  const warning = canRunPrograms ? ", which can make other programs run commands" : ""
  return {
    action: "write",
    target: place.named,
    isOutside: place.isOutside,
    ...(canRunPrograms ? { canRunPrograms } : {}),
    question: `${act} ${whereOf(place)}${warning}${extent}?`,
    detail,
  }
}

type Writing = { act: string; extent?: string; detail: string }

/** Words for the real place, even if a link leads there. */
const whereOf = ({ isOutside, named, link }: Place): string =>
  `${named}${isOutside ? ", outside the working folder" : ""}${link === undefined ? "" : ` (the link ${link} leads there)`}`

/** The message for a missing path, with similar names in its folder. */
export const sayMissing = async ({ real, shown }: Pick<Place, "real" | "shown">): Promise<string> => {
  const name = basename(real)
  const names = await readdir(dirname(real)).catch(() => undefined)
  if (!names) return `There is no ${shown}, nor the folder it would be in.`
  const alike = names
    .slice(0, 5000)
    .map((other) => ({ other, likeness: likeness(name, other) }))
    .filter(({ likeness }) => likeness > 0.5)
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, 3)
    .map(({ other }) => join(dirname(shown), makeLineVisible(other)))
  return `There is no ${shown}.${alike.length > 0 ? ` Did you mean ${alike.join(" or ")}?` : ""}`
}

const likeness = (one: string, other: string): number => {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  const stem = (name: string): string => name.replace(/\.[^.]*$/, "")
  return a === b || stem(a) === stem(b) ? 1 : similarity(a.replace(/[-_.]/g, " "), b.replace(/[-_.]/g, " "))
}
