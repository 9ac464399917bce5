/** Finds the files of a folder whose paths match a pattern, without .git and node_modules. */
import { realpath, stat } from "node:fs/promises"
import { join, relative } from "node:path"
import { fdir } from "fdir"
import picomatch from "picomatch"
import { makeLineVisible } from "../../plan/text/visible.ts"
import { createSearch } from "./_search.ts"
import { leadsOut, type Place, sayMissing } from "./paths.ts"
import type { ToolContext } from "./tool.ts"

export type FoundFiles = {
  /** The paths relative to the folder, sorted. */
  paths: string[]
  /** Whether the time was too short to search everything. */
  isPart: boolean
}

/** Never returns files outside of the folder, for any pattern and any link. */
export const filesIn = async (
  folder: Place,
  pattern: string,
  context: ToolContext,
): Promise<FoundFiles | { problem: string }> => {
  const found = await stat(folder.real).catch(() => undefined)
  if (!found) return { problem: await sayMissing(folder) }
  if (!found.isDirectory()) return { problem: `${folder.shown} is a file, not a folder.` }
  if (leadsOut(pattern) || pattern.split("/").includes("..")) {
    return { problem: `A pattern starts from the folder and stays in it. Give the folder as "path" instead.` }
  }
  const start = fixedStart(pattern)
  const real = await realpath(join(folder.real, start)).catch(() => undefined)
  if (real === undefined) return { paths: [], isPart: false }
  if (leadsOut(relative(folder.real, real))) {
    return { problem: `${nameIn(folder, start)} points outside the folder. Give it as "path" instead.` }
  }
  const { paths, isPart } = await walk(join(folder.real, start), context)
  const fitting = thoseThatFit(paths.map((path) => join(start, path)).toSorted(), pattern)
  return fitting ? { paths: fitting, isPart } : { problem: "The pattern takes too long. Use fewer wildcards." }
}

/** The plain folder names at the beginning of a pattern. Only there can matches be. */
const fixedStart = (pattern: string): string => {
  const names = pattern.split("/")
  const first = names.findIndex((name) => /[*?[\]{}()!+@|\\]/.test(name))
  return join(".", ...names.slice(0, first < 0 ? names.length - 1 : first))
}

const skipped: ReadonlySet<string> = new Set([".git", "node_modules"])
const mostFiles = 200_000

const walk = async (folder: string, { signal, limits }: ToolContext): Promise<FoundFiles> => {
  const time = AbortSignal.timeout(limits.searchTime)
  const walker = new fdir({
    relativePaths: true,
    excludeSymlinks: true,
    suppressErrors: true,
    maxFiles: mostFiles,
    signal: AbortSignal.any([signal, time]),
    exclude: (name) => skipped.has(name),
  })
  const paths = await walker.crawl(folder).withPromise()
  signal.throwIfAborted()
  return { paths, isPart: time.aborted || paths.length >= mostFiles }
}

const atOnce = 5000

/** The paths that match. A pattern that names a folder matches everything in it. Undefined if it takes too long. */
const thoseThatFit = (paths: readonly string[], pattern: string): string[] | undefined => {
  const plain = withoutGroups(pattern.replace(/^(?:\.\/)+/, "")).replace(/(?<!\/)\/+$/, "")
  const sources = [plain, ...(plain.endsWith("*") ? [] : [`${plain}/**`])].map(
    (one) => picomatch.makeRe(one, { dot: true, nonegate: true }).source,
  )
  const search = createSearch(new RegExp(sources.join("|")))
  const fitting: string[] = []
  for (let at = 0; at < paths.length; at += atOnce) {
    const some = paths.slice(at, at + atOnce)
    const found = search(some)
    if (!found) return undefined
    fitting.push(...found.flatMap((index) => some[index] ?? []))
  }
  return fitting
}

/** Escapes parentheses, which occur in folder names, so that they are not groups of a regular expression. */
const withoutGroups = (pattern: string): string => pattern.replace(/(?<!\\)[()]/g, "\\$&")

/**
 * A path as the model passes it to another tool. Hidden characters in a name are made visible: without them, it would
 * be the name of a missing file or of another one.
 */
export const nameIn = (folder: Place, path: string): string => join(folder.shown, makeLineVisible(path))
