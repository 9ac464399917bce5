/** The files of a folder whose paths fit a pattern, without .git and node_modules. */
import { realpath, stat } from "node:fs/promises"
import { dirname, join, relative, sep } from "node:path"
import { glob } from "tinyglobby"
import { sanitise } from "../../plan/index.ts"
import { leadsOut, type Place, sayMissing } from "./_paths.ts"
import type { ToolContext } from "./tool.ts"

export type FoundFiles = {
  /** From the folder, sorted. */
  paths: string[]
  /** There was no time to see all. */
  isPart: boolean
}

/** Never what lies outside of the folder, however the pattern is written and wherever links lead. */
export const filesIn = async (
  folder: Place,
  pattern: string,
  { signal, limits }: ToolContext,
): Promise<FoundFiles | { problem: string }> => {
  const found = await stat(folder.real).catch(() => undefined)
  if (!found) return { problem: await sayMissing(folder) }
  if (!found.isDirectory()) return { problem: `${folder.shown} is a file, not a folder.` }
  if (leadsOut(pattern) || pattern.split("/").includes("..")) {
    return { problem: `A pattern starts from the folder and stays in it. Give the folder as "path" instead.` }
  }
  const time = AbortSignal.timeout(limits.searchTime)
  const paths = await glob(pattern, {
    cwd: folder.real,
    dot: true,
    ignore: ["**/.git/**", "**/node_modules/**"],
    followSymbolicLinks: false,
    signal: AbortSignal.any([signal, time]),
  })
  signal.throwIfAborted()
  const isInside = await insideOf(folder.real, paths)
  return { paths: paths.filter(isInside).toSorted(), isPart: time.aborted }
}

/** A pattern that begins with the name of a link is looked for behind it. */
const insideOf = async (folder: string, paths: readonly string[]): Promise<(path: string) => boolean> => {
  const folders = [...new Set(paths.map((path) => dirname(path)))]
  const real = await Promise.all(folders.map((path) => realpath(join(folder, path)).catch(() => sep)))
  const inside = new Set(folders.filter((_, index) => !leadsOut(relative(folder, real[index] ?? sep))))
  return (path) => inside.has(dirname(path))
}

/** As the model would name it to another tool. */
export const nameIn = (folder: Place, path: string): string => sanitise(join(folder.shown, path))
